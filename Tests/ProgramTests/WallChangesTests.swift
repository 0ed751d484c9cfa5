import FFmpegMedia
import MediaIO
import Testing
import VideoWall
import WallRendering

@testable import vitrail

/// Bringing the changes of a file to a wall that was changed by hand.
struct WallChangesTests {
    /// A document in which nothing is as it is by itself.
    static let full: WallDocument = {
        var document = WallDocument()
        (document.title, document.focus) = ("a", "test:bars")
        document.layout = LayoutSettings(
            kind: .strip, rows: 2, columns: 3, gap: 4, margin: 5, share: 0.3, columnShares: [1, 2], rowShares: [2, 1],
            edge: .left, corner: .bottomLeft)
        document.pages = PageSettings(size: 6, page: 1, tour: 7)
        document.look = WallLook(
            content: .fill, filter: .lanczos, linearLight: true, color: .exact, animation: false, names: false,
            clock: false, effects: "sepia", wallEffects: "vignette")
        document.output = WallOutput(snapshots: "/tmp")
        document.recording = RecordingPlan(
            folder: "/tmp", names: (try? RecordingPattern("{number}.ts")) ?? .standard, part: .time(seconds: 60),
            before: 1,
            reserve: ByteCount(1000), deletesOldest: true, hasSound: false, isOfAll: true)
        document.history = HistoryPlan(seconds: 5, memory: ByteCount(1))
        document.alignment = .fixed(milliseconds: 800)
        document.inputs = [input]
        return document
    }()
    static let input: WallInput = {
        var input = WallInput(address: "test:bars")
        (input.name, input.address, input.secret, input.substream) = ("b", "test:clock", "env:A", "test:gradient")
        for option in InputOption.allCases { input.settings[option] = "1" }
        (input.effects, input.zoom) = ("blur", TileZoom(scale: 2, x: 0.5, y: 0.5))
        input.place = FreeLayout.Place(x: 0, y: 0, width: 0.5, height: 0.5)
        return input
    }()

    /// The parts of a value that are edited one by one, by their names.
    private func parts(_ value: Any) -> [String: String] {
        var parts: [String: String] = [:]
        for child in Mirror(reflecting: value).children {
            let name = child.label ?? ""
            if ["layout", "pages", "look", "output", "recording", "history"].contains(name) {
                for (inner, text) in self.parts(child.value) { parts["\(name).\(inner)"] = text }
            } else {
                parts[name] = String(describing: child.value)
            }
        }
        return parts
    }

    @Test("Every part of a document and of an input is brought, there and back")
    func everything() {
        var plain = WallDocument()
        plain.inputs = [WallInput(address: "test:bars")]
        // A part that is new must be in the full document, too.
        let (before, after) = (parts(plain), parts(Self.full))
        for (name, text) in after { #expect(before[name] != text, "\(name)") }
        let (first, second) = (parts(plain.inputs[0]), parts(Self.input))
        for (name, text) in second where name != "id" { #expect(first[name] != text, "\(name)") }
        var document = plain
        document.apply(changesFrom: plain, to: Self.full)
        #expect(document == Self.full)
        document.apply(changesFrom: Self.full, to: plain)
        #expect(document == plain)
    }

    @Test("What the file does not change stays: order, names, and inputs that only the wall has")
    func merging() {
        func wall(_ addresses: String...) -> WallDocument {
            var document = WallDocument()
            for address in addresses { document.add(WallInput(address: address)) }
            return document
        }
        let (a, b, c, d) = ("test:bars", "test:clock", "test:gradient", "test:zoneplate")
        var hand = wall(c, b, a)
        hand.inputs[0].name = "mine"
        // One is new in the file, and another one is gone.
        hand.apply(changesFrom: wall(a, b), to: wall(a, d))
        #expect(hand.inputs.map(\.address) == [c, a, d] && hand.inputs[0].name == "mine")
        // A new order in the file counts; what only the wall has follows.
        hand.apply(changesFrom: wall(a, d), to: wall(d, a))
        #expect(hand.inputs.map(\.address) == [d, a, c])
        hand.focus = a
        hand.apply(changesFrom: wall(d, a), to: wall(d))
        #expect(hand.inputs.map(\.address) == [d, c] && hand.focus == nil)
    }
}
