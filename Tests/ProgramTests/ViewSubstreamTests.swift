import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// A camera with two streams in a real window, which plays the one that fits.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewSubstreamTests {
    /// A camera that sends pictures of one luma to whoever connects.
    private final class Camera: Sendable {
        let server: LoopbackServer
        private let counts: Monitor<(open: Int, isOver: Bool)>

        init(luma: UInt8, port: UInt16 = 0) throws {
            let counts = Monitor((open: 0, isOver: false))
            self.counts = counts
            let frame =
                Array("FRAME\n".utf8) + Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048)
            server = try LoopbackServer(
                .dialogue { connection in
                    Thread.detachNewThread {
                        counts.withLock { $0.open += 1 }
                        LoopbackServer.send(Array("YUV4MPEG2 W64 H64 F25:1 C420jpeg\n".utf8), connection)
                        var byte: UInt8 = 0
                        while !counts.withLock(\.isOver), recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) != 0 {
                            LoopbackServer.send(frame, connection)
                            usleep(40_000)
                        }
                        counts.withLock { $0.open -= 1 }
                    }
                }, port: port)
        }

        /// How many are connected.
        var open: Int { counts.withLock(\.open) }

        func end() {
            counts.withLock { $0.isOver = true }
            while open > 0 { usleep(1000) }
            server.close()
        }
    }

    private static func gray(_ luma: UInt8) -> Int { (Int(luma) - 16) * 255 / 219 }

    @Test(
        "A large tile plays the main stream, a small one the substream, never through black; one that fails is replaced"
    )
    func sizes() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let (main, sub) = (try Camera(luma: 200), try Camera(luma: 100))
        _ = folder.write(
            "door.toml",
            Array(
                """
                [look]
                content = "stretch"
                animation = false

                [[input]]
                url = "tcp://127.0.0.1:\(main.server.port)"
                substream = "tcp://127.0.0.1:\(sub.server.port)"
                """.utf8))
        let program = try startViewer(["door.toml", "--size", "1280x720"], display, folder)
        /// Waits for a picture, and checks that another one or this is seen until then.
        func wait(
            for luma: UInt8, or other: UInt8? = nil, _ connections: (main: Int, sub: Int),
            _ place: SourceLocation = #_sourceLocation
        ) throws {
            let end = Date.now + 120
            var (seen, isDone) = (Set<Int>(), false)
            while !isDone, Date.now < end, program.process.isRunning {
                let value = Int(try display.screenshot().color(x: 640, y: 20)[0])
                seen.insert(value)
                isDone =
                    abs(value - Self.gray(luma)) <= 3 && main.open == connections.main && sub.open == connections.sub
                usleep(10_000)
            }
            #expect(isDone, "\(seen) \(main.open) \(sub.open) \(program.errorText)", sourceLocation: place)
            guard let other else { return }
            let allowed = [luma, other].map(Self.gray)
            #expect(
                seen.allSatisfy { value in allowed.contains { abs($0 - value) <= 3 } }, "\(seen)", sourceLocation: place
            )
        }
        // It begins with the substream, but the tile is large.
        try wait(for: 200, (1, 0))
        #expect(sub.server.connectionCount == 1)
        func save(_ grid: String) {
            let text = "[layout]\nrows = \(grid)\ncolumns = \(grid)\n"
            let old = (try? String(contentsOfFile: "\(folder.path)/door.toml", encoding: .utf8)) ?? ""
            let rest = old.firstRange(of: "[look]").map { old[$0.lowerBound...] } ?? ""
            _ = folder.write("new.toml", Array((text + rest).utf8))
            #expect(rename("\(folder.path)/new.toml", "\(folder.path)/door.toml") == 0)
        }
        save("4")
        try wait(for: 100, or: 200, (0, 1))
        save("1")
        try wait(for: 200, or: 100, (1, 0))
        // While the main stream is away, the substream plays in its place.
        let port = main.server.port
        main.end()
        try wait(for: 100, (0, 1))
        let again = try Camera(luma: 200, port: port)
        let end = Date.now + 120
        while again.open != 1 || sub.open != 0, Date.now < end { usleep(10_000) }
        #expect(again.open == 1 && sub.open == 0, "\(program.errorText)")
        #expect(try program.quit(display).status == 0)
        again.end()
        sub.end()
    }
}
