/// Removes, adds and moves the blocks `[[input]]` of a wall file, each with the comments directly above it.
enum TOMLInputs {
    /// An input of the new order.
    enum Item {
        /// One that is in the text, by its position there.
        case old(Int)
        /// One that is to be added.
        case new([String: WallValue])
    }

    /// Puts the inputs of a text in another order.
    ///
    /// - Parameters:
    ///   - bytes: the text, which ends with a line break.
    ///   - items: the new order; inputs that are missing in it are removed.
    /// - Returns: the new text; `nil` if it cannot be made from blocks.
    static func arranged(_ bytes: [UInt8], _ items: [Item]) -> [UInt8]? {
        guard let scan = try? TOMLOutline(bytes), let blocks = blocks(scan) else { return nil }
        let kept = items.compactMap { item in
            if case .old(let index) = item { return index }
            return nil
        }
        guard kept.allSatisfy(blocks.indices.contains), Set(kept).count == kept.count else { return nil }
        let isWindows = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
        let newline: [UInt8] = isWindows ? [0x0D, 0x0A] : [0x0A]

        // What takes the place of each kept block, in the order of the text.
        var groups: [[[UInt8]]] = []
        var waiting: [[UInt8]] = []
        for item in items {
            switch item {
            case .old(let index):
                groups.append(waiting + [Array(bytes[blocks[index]])])
                waiting = []
            case .new(let table):
                let text = TOMLText.input(table)
                let block = Array((isWindows ? text.replacing("\n", with: "\r\n") : text).utf8)
                if groups.isEmpty { waiting.append(block) } else { groups[groups.count - 1].append(block) }
            }
        }
        var (result, position) = ([UInt8](), 0)
        let slots = Set(kept)
        var next = groups.makeIterator()
        for (index, range) in blocks.enumerated() {
            result += bytes[position..<range.lowerBound]
            position = range.upperBound
            if slots.contains(index) {
                result += next.next().map { Array($0.joined(separator: newline)) } ?? []
            } else if !waiting.isEmpty {
                result += waiting.joined(separator: newline)
                waiting = []
            } else {
                // The empty lines after it go with it.
                while let end = emptyLine(bytes, position) { position = end }
            }
        }
        result += bytes[position...]
        while result.suffix(2 * newline.count) == newline + newline { result.removeLast(newline.count) }
        for block in waiting { result += newline + block }
        return result
    }

    /// The end of an empty line that begins at a position; `nil` if there is none.
    private static func emptyLine(_ bytes: [UInt8], _ position: Int) -> Int? {
        guard let end = bytes[position...].firstIndex(of: 0x0A),
            bytes[position..<end].allSatisfy({ $0 <= 32 })
        else { return nil }
        return end + 1
    }

    /// The lines of each input; `nil` if they are not all in blocks, each in one piece.
    private static func blocks(_ scan: TOMLOutline) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        var isOpen = false
        for (index, block) in scan.blocks.enumerated() {
            guard block.path.first == "input" else {
                isOpen = false
                continue
            }
            if block.isElement, block.path.count == 1 {
                ranges.append(scan.start(of: index)..<block.lines.upperBound)
                isOpen = true
            } else {
                guard isOpen, let last = ranges.popLast() else { return nil }
                ranges.append(last.lowerBound..<block.lines.upperBound)
            }
        }
        let count = scan.outline.find(["input"]).map { scan.outline.nodes[$0].elements.count } ?? 0
        return count == ranges.count ? ranges : nil
    }
}
