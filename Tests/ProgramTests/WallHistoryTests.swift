import TestSupport
import Testing

@testable import vitrail

/// Edits of a wall's document, and their undoing.
struct WallHistoryTests {
    /// A random edit; the same number always gives the same one.
    static func edit(_ document: inout WallDocument, _ random: inout SeededGenerator) {
        let count = document.inputs.count
        let index = count > 0 ? Int.random(in: 0..<count, using: &random) : 0
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: document.add(WallInput(address: "test:bars"), at: Int.random(in: 0...count, using: &random))
        case 2 where count > 0: document.remove(document.inputs[index].id)
        case 3 where count > 0: document.inputs.swapAt(index, Int.random(in: 0..<count, using: &random))
        case 4 where count > 0: document.focus = document.inputs[index].id
        case 5: document.focus = nil
        case 6: document.layout.kind = LayoutSettings.Kind.allCases.randomElement(using: &random) ?? .grid
        case 7 where count > 0:
            document.inputs[index].name = ["Door", "Yard", nil].randomElement(using: &random) ?? nil
        case 8 where count > 0:
            document.inputs[index].settings[.rotate] = ["0", "90", nil].randomElement(using: &random) ?? nil
        case 9: document.layout.gap = Int.random(in: 0...9, using: &random)
        default: document.pages.size = [nil, 4, 9].randomElement(using: &random) ?? nil
        }
    }

    @Test("10,000 random edits are undone to the first document, and done again to the last")
    func undo() {
        var random = SeededGenerator(seed: 35)
        var first = WallDocument()
        for _ in 0..<16 { first.add(WallInput(address: "test:clock")) }
        var history = WallHistory(first)
        var documents = [first]
        for _ in 0..<10_000 {
            var document = history.document
            Self.edit(&document, &random)
            guard document != history.document else { continue }
            history.edit(document)
            documents.append(document)
            // As a user does it now and then, a few are undone, and others made instead.
            for _ in 0..<(Int.random(in: 0..<20, using: &random) == 0 ? 3 : 0) where history.undo() {
                documents.removeLast()
            }
        }
        let last = history.document
        #expect(documents.count > 5_000 && last == documents.last)
        for document in documents.dropLast().reversed() {
            let isUndone = history.undo()
            guard isUndone, history.document == document else {
                Issue.record("an edit was not undone")
                return
            }
        }
        let isMore = history.undo()
        #expect(!isMore && history.document == first)
        while history.redo() {}
        #expect(history.document == last)
    }

    @Test("Edits of one gesture are undone together; one that ends where it began is none")
    func gestures() {
        var history = WallHistory(WallDocument())
        func set(_ gap: Int, _ gesture: String?) {
            var document = history.document
            document.layout.gap = gap
            history.edit(document, gesture: gesture)
        }
        for gap in 3...9 { set(gap, "drag") }
        history.endGesture()
        for gap in 10...12 { set(gap, "drag") }
        _ = history.undo()
        #expect(history.document.layout.gap == 9)
        _ = history.undo()
        #expect(history.document == WallDocument() && !history.canUndo && history.canRedo)
        set(7, "drag")
        set(WallDocument().layout.gap, "drag")
        #expect(!history.canUndo && !history.canRedo)
    }

    @Test("Walls that are opened for months do not fill the memory; the newest ones can be returned to")
    func manyWalls() {
        var history = WallHistory(WallDocument())
        let walls = ["bars", "clock"].map { name in
            var wall = WallDocument()
            for _ in 0..<100 { wall.add(WallInput(address: "test:\(name)")) }
            return wall
        }
        for number in 1...1000 { history.edit(walls[number % 2], origin: number) }
        // 100 inputs less, 100 more, and the edit itself.
        let kept = WallHistory.limit / 201
        #expect(history.origin == 1000 && history.origins.count == kept + 1)
        for number in (1000 - kept..<1000).reversed() {
            _ = history.undo()
            guard history.origin == number, history.document == walls[number % 2] else {
                Issue.record("wall \(number) is not returned to")
                return
            }
        }
        #expect(!history.canUndo && history.origins.count == kept + 1)
    }

    @Test("A tour is not undone page by page")
    func tour() {
        var history = WallHistory(WallDocument())
        var document = history.document
        document.add(WallInput(address: "test:bars"))
        history.edit(document)
        history.replace { ($0.pages.page, $0.inputs) = (3, []) }
        #expect(history.document.pages.page == 3 && history.document.inputs.count == 1)
        _ = history.undo()
        #expect(history.document == WallDocument())
    }
}
