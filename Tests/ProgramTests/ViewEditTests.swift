import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// Random edits of a real wall, while streams come and go.
///
/// `VITRAIL_ROUNDS` sets the number of edits.
@Suite(.timeLimit(.minutes(60)), .serialized)
struct ViewEditTests {
    private static let rounds = ProcessInfo.processInfo.environment["VITRAIL_ROUNDS"].flatMap(Int.init) ?? 600
    private static let size = VideoSize(width: 640, height: 360)
    private static let files = (0..<12).map { (name: "\($0).yuv", luma: UInt8(40 + 15 * $0)) }
    private static let options = "size=64x64&format=i420&loop=yes"

    /// A sender that closes each connection after a while.
    private static func makeServer(_ isOver: Monitor<Bool>) throws -> LoopbackServer {
        let frame = Array("FRAME\n".utf8) + Array(repeating: 128, count: 6144)
        return try LoopbackServer(
            .dialogue { connection in
                Thread.detachNewThread {
                    LoopbackServer.send(Array("YUV4MPEG2 W64 H64 F25:1 C420jpeg\n".utf8), connection)
                    for _ in 0..<40 where !isOver.withLock(\.self) {
                        guard LoopbackServer.send(frame, connection) else { break }
                        usleep(40_000)
                    }
                    shutdown(connection, Int32(SHUT_RDWR))
                }
            })
    }

    /// A line of control that is an edit, or tries to be one.
    private static func edit(_ streams: [String], _ random: inout SeededGenerator) -> (words: String, tile: Int?) {
        let tile = Int.random(in: 1...12, using: &random)
        func one(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
        return switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: ("add \(one(files.map { "\($0.name)?\(options)" } + streams))", nil)
        case 2: ("remove", tile)
        case 3, 4: ("layout \(one(LayoutSettings.Kind.allCases.map(\.rawValue)))", nil)
        case 5: ("grid \(one(["auto", "3x4", "2x2", "5x1", "1x1"]))", nil)
        case 6: ("gap \(Int.random(in: 0...9, using: &random))", nil)
        case 7: ("margin \(Int.random(in: 0...20, using: &random))", nil)
        case 8: ("edge \(one(["left", "right", "up", "down"]))", nil)
        case 9, 10: ("move \(one(["next", "previous", "first"]))", tile)
        case 11: ("page-size \(one(["all", "4", "9"]))", nil)
        case 12: ("page \(one(["next", "previous", "1", "2"]))", nil)
        case 13: (one(["focus \(tile)", "all", "go next"]), nil)
        case 14: ("name \(one(["Door", "Yard", ""]))", tile)
        case 15: ("rotate \(one(["0", "90", "180", "270"]))", tile)
        case 16: ("mirror \(one(["none", "horizontal", "vertical"]))", tile)
        case 17: ("zoom \(one(["in", "out", "off"]))", tile)
        case 18: (one(["undo", "undo", "redo"]), nil)
        default: ("retry", tile)
        }
    }

    /// The luma that a document has at a point of the wall; `nil` where it is not known, such as near an edge.
    private static func luma(of document: WallDocument, _ rectangles: [Rectangle], _ order: [Int], x: Int, y: Int)
        -> UInt8?
    {
        for index in order.reversed() {
            let area = rectangles[index]
            guard x >= area.x - 4, x < area.x + area.width + 4, y >= area.y - 4, y < area.y + area.height + 4 else {
                continue
            }
            let isInside =
                x >= area.x + 4 && x < area.x + area.width - 4 && y >= area.y + 4 && y < area.y + area.height - 4
            let name = document.inputs[index].address.split(separator: "/").last.map(String.init)
            return isInside ? files.first { $0.name == name }?.luma : nil
        }
        return nil
    }

    /// The points at which the screen is not what the document says, and how many there are.
    private static func differences(_ document: WallDocument, _ screen: Screenshot) -> (wrong: [String], count: Int) {
        var rectangles = document.wallLayout.rectangles(
            aspectRatios: document.inputs.map { _ in 1 }, in: size)
        var order = document.wallLayout.order(ofTiles: rectangles.count)
        if let focus = document.focus.flatMap({ document.index(of: $0) }) {
            rectangles[focus] = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
            order = [focus]
        }
        order.removeAll { rectangles[$0].width == 0 || rectangles[$0].height == 0 }
        var (wrong, count): ([String], Int) = ([], 0)
        for y in stride(from: 7, to: size.height, by: 16) {
            for x in stride(from: 7, to: size.width, by: 16) {
                guard let luma = luma(of: document, rectangles, order, x: x, y: y) else { continue }
                count += 1
                let (seen, gray) = (screen.color(x: x, y: y).map(Int.init), (Int(luma) - 16) * 255 / 219)
                if !seen.prefix(3).allSatisfy({ abs($0 - gray) <= 3 }) {
                    wrong.append("\(x),\(y): \(seen), not \(gray)")
                }
            }
        }
        return (wrong, count)
    }

    @Test(
        "After random edits the screen is what the document says; all undone, it is the first one, and nothing is left")
    func edits() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let isOver = Monitor(false)
        let servers = [try Self.makeServer(isOver), try Self.makeServer(isOver)]
        for (name, luma) in Self.files {
            _ = folder.write(name, Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
        }
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let look = "[look]\ncontent = \"stretch\"\nanimation = false\nnames = false\n[layout]\ngap = 3\n"
        let inputs = Self.files.prefix(6).map { "[[input]]\nurl = \"\($0.name)?\(Self.options)\"\n" }.joined()
        _ = folder.write("wall.toml", Array((look + inputs).utf8))
        let program = try startViewer(
            ["wall.toml", "--size", "640x360", "--control"], display, folder, input: pipe)
        func act(_ words: String, _ tile: Int? = nil) {
            let line = "{\"do\": \"\(words)\"\(tile.map { ", \"tile\": \($0)" } ?? "")}\n"
            _ = Array(line.utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        }
        /// The document as it is now, by the file that it is saved in.
        func saved(_ name: String) throws -> WallDocument {
            let path = "\(folder.path)/\(name).toml"
            act("save \(path)")
            let end = Date.now + 120
            while access(path, F_OK) != 0, Date.now < end, program.process.isRunning { usleep(2000) }
            try #require(
                access(path, F_OK) == 0, "\(name), \(program.process.isRunning): \(program.errorText.suffix(1000))")
            return try WallFile.read(path).document
        }
        func expectScreen(of document: WallDocument, _ what: String) throws {
            // Notices lie over the wall for three seconds.
            let end = Date.now + 120
            var found = Self.differences(document, try display.screenshot())
            while !found.wrong.isEmpty, Date.now < end, program.process.isRunning {
                usleep(20_000)
                found = Self.differences(document, try display.screenshot())
            }
            #expect(
                found.wrong.isEmpty,
                "\(what): \(found.wrong.prefix(3)) of \(found.count); \(program.errorText.suffix(500))")
        }
        func handles(_ kind: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(program.process.processIdentifier)/\(kind)"
            ).count
        }
        let first = try saved("first")
        try expectScreen(of: first, "first")
        let before = (files: try handles("fd"), threads: try handles("task"))
        var random = SeededGenerator(seed: 35)
        let streams = servers.map { "tcp://127.0.0.1:\($0.port)" }
        for round in 1...max(1, Self.rounds / 100) {
            for _ in 0..<100 {
                let (words, tile) = Self.edit(streams, &random)
                act(words, tile)
            }
            let document = try saved("\(round)")
            try expectScreen(of: document, "after \(100 * round)")
            // A wall of hundreds is not what this is about.
            for _ in 0..<max(0, document.inputs.count - 12) { act("remove", 1) }
            guard program.process.isRunning else { break }
        }
        for _ in 0..<Self.rounds + 20 * Self.rounds / 100 { act("undo") }
        let last = try saved("last")
        #expect(last == first)
        try expectScreen(of: first, "undone")
        // Streams are closed on threads of their own.
        let end = Date.now + 120
        func now() throws -> (files: Int, threads: Int) { (try handles("fd"), try handles("task")) }
        while case let now = try now(), now.files > before.files || now.threads > before.threads, Date.now < end {
            usleep(100_000)
        }
        let after = try now()
        #expect(after.files <= before.files && after.threads <= before.threads, "\(before) \(after)")
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors.suffix(20))")
        isOver.withLock { $0 = true }
        for server in servers { server.close() }
    }
}
