import VitrailSupport

/// The text of a wall file, as it is on disk.
enum WallFileText {
    /// The most bytes of a file: a thousand inputs need a tenth of it.
    static let maximumBytes = 1 << 20

    /// Reads a file; a pipe or a device is refused.
    ///
    /// - Parameter path: the path.
    /// - Returns: UTF-8 without zeros, and what tells the file from others.
    /// - Throws: ``WallFileError``.
    static func read(_ path: String) throws(WallFileError) -> (bytes: [UInt8], identity: SmallFile.Identity) {
        let file: SmallFile
        do throws(SmallFile.Problem) {
            file = try SmallFile(at: path, limit: maximumBytes)
        } catch {
            let reason =
                switch error {
                case .cannotOpen(let number): "the file cannot be opened: \(systemMessage(number))"
                case .folder, .notRegular: "this is a folder, pipe or device: name a file"
                case .tooLarge: "the file has more than \(maximumBytes >> 20) MB: is it the right one?"
                case .cannotRead(let number): "the file cannot be read: \(systemMessage(number))"
                }
            throw WallFileError(path, nil, reason)
        }
        try check(file.bytes, path)
        return (file.bytes, file.identity)
    }

    private static func check(_ bytes: [UInt8], _ path: String) throws(WallFileError) {
        if let zero = bytes.firstIndex(of: 0) {
            throw WallFileError(path, TextPlace(of: zero, in: bytes), "here is a zero byte: is the file text?")
        }
        if String(validating: bytes, as: UTF8.self) == nil {
            let offset = firstInvalid(bytes)
            throw WallFileError(path, TextPlace(of: offset, in: bytes), "this is not UTF-8: save the file as UTF-8")
        }
        guard bytes.contains(where: { $0 > 32 && !TextPlace.byteOrderMark.contains($0) }) else {
            throw WallFileError(path, TextPlace(line: 1, column: 1), "the file is empty")
        }
    }

    /// The first byte that is not UTF-8.
    private static func firstInvalid(_ bytes: [UInt8]) -> Int {
        var start = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            start = line.startIndex
            guard String(validating: line, as: UTF8.self) == nil else { continue }
            // A character has up to four bytes, so that its first three alone may be invalid, too.
            var end = line.startIndex
            while end < line.endIndex {
                let length = (1...4).first {
                    end + $0 <= line.endIndex && String(validating: line[end..<end + $0], as: UTF8.self) != nil
                }
                guard let length else { return end }
                end += length
            }
        }
        return start
    }

    /// The texts in quotation marks that may have secrets in them, whether the rest can be read or not.
    static func secrets(in bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        let pieces = text.split { $0 == "\"" || $0 == "'" || $0.isNewline }
        return pieces.filter { $0.contains("://") || $0.contains("@") }.map { String($0.prefix(4096)) }
    }
}
