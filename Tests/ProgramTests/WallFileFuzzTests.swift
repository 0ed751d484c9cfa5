import TestSupport
import Testing

@testable import vitrail

/// Texts that nobody would write.
struct WallFileFuzzTests {
    @Test("No text does harm", .timeLimit(.minutes(25)))
    func fuzz() throws {
        var random = SeededGenerator(seed: 11)
        let texts =
            [WallFileTests.everything, TOMLOutlineTests.text] + TOMLValueTests.values.map(\.text)
            + TOMLValueTests.mistakes.map(\.text)
        let pieces = [
            "[", "]", "[[", "\"", "'''", "\"\"\"", "\n", "\r", ".", "=", "#", "{", "}", "\\", "\\u", "é", "inf", "1e",
            "0x", "_",
        ]
        // 100,000 of them were tried, in a debug build.
        let mutations = 4000
        var accepted = 0
        for _ in 0..<mutations {
            var bytes = Array(try #require(texts.randomElement(using: &random)).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    bytes.insert(contentsOf: Array(pieces.randomElement(using: &random)?.utf8 ?? "".utf8), at: place)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &random)))
                case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 1...255, using: &random)
                default: bytes = Array(bytes[..<place])
                }
            }
            // As a file is checked before it is parsed.
            let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
            _ = try? WallFileSource(text, "a.json")
            let scan: TOMLOutline
            do throws(OutlineError) { scan = try TOMLOutline(text) } catch {
                #expect((0...text.count).contains(error.offset))
                continue
            }
            accepted += 1
            try Self.check(scan)
        }
        #expect(accepted > 400)
    }

    /// What was read is the same when it is written and read again; so is each value alone, at its place.
    private static func check(_ scan: TOMLOutline) throws(OutlineError) {
        let text = String(decoding: scan.bytes, as: UTF8.self)
        let written = "x = " + TOMLText.inline(scan.value, at: [])
        let again = try TOMLOutline(Array(written.utf8)).value
        #expect(again == .table(["x": scan.value]), "\(text)")
        for (node, scalar) in scan.scalars {
            let alone = try TOMLOutline(Array("x = ".utf8) + scan.bytes[scan.outline.nodes[node].value]).value
            #expect(alone == .table(["x": scalar]), "\(text)")
        }
    }
}
