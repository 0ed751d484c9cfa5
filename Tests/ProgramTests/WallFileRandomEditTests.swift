import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Random documents are saved in files, and are the same when they are read again.
struct WallFileRandomEditTests {
    /// The same things in other forms, and in another order.
    static let mixed = """
        layout.gap = 4 # dotted
        look = { linear-light = true } # inline

        [[input]]
        url = "test:bars?label=A&rotate=90" # options

        [pages] # paged
        size = 3

        # The second.
        [[input]]
        url = "rtsp://a@b/1?rotate=0"
        [input.place]
        x = 0
        y = 0
        width = 0.5
        height = 1
        [output] # out
        snapshots = "/tmp"
        [[input]]
        url='test:bars'
        # the end
        """

    @Test("Random edits of a commented file are saved in place", .timeLimit(.minutes(25)))
    func randomEdits() throws {
        var random = SeededGenerator(seed: 5)
        let folder = TemporaryFolder()
        for round in 0..<80 {
            let name = round % 8 == 7 ? "a.json" : "a.toml"
            let base = round % 2 == 0 ? WallFileEditingTests.text : Self.mixed
            var text = name == "a.json" ? try WallFileTests.read(base).document.json : base
            for _ in 0..<3 {
                let file = try WallFile.read(folder.write(name, Array(text.utf8)))
                var document = file.document
                for _ in 0..<Int.random(in: 1...4, using: &random) { Self.edit(&document, &random) }
                let saved = try file.text(saving: document)
                let again = try WallFile.read(folder.write(name, Array(saved.utf8))).document
                #expect(Self.same(again, document), "\(text)\n---\n\(saved)")
                text = saved
            }
            // These are at headers, which stay.
            let comments = round % 2 == 0 ? ["# The office.", "# how"] : ["# paged", "# out", "# the end"]
            #expect(name == "a.json" || comments.allSatisfy(text.contains), "\(text)")
            // A fresh text says the same.
            let document = try WallFile.read(folder.write(name, Array(text.utf8))).document
            let fresh = try WallFile.read(folder.write("b.toml", Array(document.toml.utf8))).document
            #expect(Self.same(fresh, document))
        }
    }

    static func same(_ left: WallDocument, _ right: WallDocument) -> Bool {
        var documents = [left, right]
        for index in documents.indices {
            let focus = documents[index].focus.flatMap(documents[index].index)
            for input in documents[index].inputs.indices { documents[index].inputs[input].id = "\(input)" }
            documents[index].focus = focus.map { "\($0)" }
            if documents[index].pages.page >= documents[index].pages.count(of: documents[index].inputs.count) {
                documents[index].pages.page = 0
            }
        }
        return documents[0] == documents[1]
    }

    static let names = ["Yard", "a", "e\u{301}", "\u{1}\u{7F}\u{85}\u{2028}\"\\'\t"]

    static func edit(_ document: inout WallDocument, _ random: inout SeededGenerator) {
        func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func number() -> Double { Double.random(in: 0.05...0.95, using: &random) }
        let index = document.inputs.isEmpty ? nil : chance(document.inputs.count)
        switch (chance(14), index) {
        case (0, _): document.title = [nil, names[chance(4)], ""][chance(3)]
        case (1, _): document.layout.gap = chance(5)
        case (2, _): document.layout.share = [nil, number()][chance(2)]
        case (3, _): document.layout.columnShares = (0..<chance(3)).map { _ in number() * 9 }
        case (4, _): document.layout.kind = [.grid, .strip, .pip, .spotlight][chance(4)]
        case (5, _): document.pages = PageSettings(size: [nil, 1, 3][chance(3)], page: 0, tour: [nil, 2.5][chance(2)])
        case (6, _): document.look.effects = ["", "grayscale", "blur:radius=3:off,grayscale"][chance(3)]
        case (7, _):
            var input = WallInput(
                address: [
                    "test:zoneplate", "test:bars", "rtsp://a@b/1?rotate=90", "/a?label=b.mp4", "http://c/?x=1&y=2#z",
                ][chance(5)])
            if chance(3) == 0 { input.id = "id\(UInt32.random(in: 0...UInt32.max, using: &random))" }
            document.add(input, at: chance(document.inputs.count + 1))
        case (8, let index?): document.remove(document.inputs[index].id)
        case (9, let index?): document.inputs.swapAt(index, chance(document.inputs.count))
        case (10, let index?): document.inputs[index].name = [nil, names[chance(4)]][chance(2)]
        case (11, let index?):
            document.inputs[index].settings[.rotate] = [nil, "0", "90"][chance(3)]
            document.inputs[index].settings[.content] = [nil, "fill"][chance(2)]
        case (12, let index?):
            document.inputs[index].place =
                chance(2) == 0 ? nil : FreeLayout.Place(x: number(), y: 0, width: number(), height: 1)
            document.inputs[index].zoom = chance(2) == 0 ? nil : TileZoom(scale: 1 + number(), x: number(), y: 0.5)
        case (13, let index?): document.focus = [nil, document.inputs[index].id][chance(2)]
        default: document.focus = nil
        }
    }
}
