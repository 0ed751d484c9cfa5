import Foundation
import TestSupport
import Testing

/// Each command of the cookbook, as it is written there.
///
/// A server on this machine takes the place of the cameras, and each window closes by itself.
@Suite(.timeLimit(.minutes(25)))
final class CookbookTests {
    private struct Recipe: CustomTestStringConvertible, Sendable {
        let title: String
        let script: String
        var testDescription: String { title }
    }

    private static let recipes: [Recipe] = {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/vitrail/Vitrail.docc/Cookbook.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n## ").dropFirst().map { part in
            let title = part.prefix { $0 != "\n" }
            let script = part.split(separator: "```sh\n", maxSplits: 1).last?.split(separator: "```").first ?? ""
            return Recipe(title: String(title), script: String(script))
        }
    }()

    private let folder = TemporaryFolder()
    private let server: LoopbackServer

    init() throws {
        for name in ["a.mp4", "b.mp4"] { try Clips.encode(name, in: folder.path) }
        try Clips.ffmpeg(["-i", "a.mp4", "-c", "copy", "a.ts"], in: folder.path)
        try Clips.ffmpeg(
            ["-i", "a.mp4", "-frames:v", "5", "-pix_fmt", "nv12", "-f", "rawvideo", "c.yuv"], in: folder.path)
        _ = folder.write("cameras.m3u", Array("#EXTM3U\n#EXTINF:-1,Door\na.mp4\n".utf8))
        let stream = try folder.read("a.ts")
        server = try LoopbackServer(.http(["/1": stream, "/2": stream]))
    }

    deinit { server.close() }

    @Test("There are twenty recipes") func twenty() {
        #expect(Self.recipes.count == 20)
        #expect(Self.recipes.allSatisfy { $0.script.contains("vitrail ") })
    }

    @Test("A recipe does what it says", arguments: recipes)
    private func recipe(_ recipe: Recipe) throws {
        let display = try VirtualDisplay()
        let script = recipe.script.replacing(/rtsp:\/\/(viewer@)?[a-z]+\.lan\//) {
            "http://\($0.1 ?? "")127.0.0.1:\(server.port)/"
        }
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        // Of a pipe, the last program's status counts, which is the one that shows or saves.
        let shell = """
            set -e
            vitrail() {
                case $1 in
                    render|info|probe|wall|bench) '\(program)' "$@" ;;
                    *) '\(program)' view --quit-after 2 --size 480x270 "$@" ;;
                esac
            }
            \(script)
            """
        let running = try RunningProgram(
            executable: "/bin/bash", ["-c", shell], in: folder.path, environment: ["DISPLAY": display.name])
        let run = try running.finish()
        #expect(run.status == 0, "\(run.errors)")
        // What the program says of its doings begins with the time.
        #expect(run.errors.allSatisfy { $0.contains(" notice") }, "\(run.errors)")
        for output in script.matches(of: /(?:-o '?|-c copy | )([a-z]+[a-z0-9%-]*\.(?:png|mkv|toml|mp4))/) {
            let name = String(output.1).replacing("%04d", with: "0001")
            #expect(try folder.names.contains(name), "\(name)")
        }
    }
}
