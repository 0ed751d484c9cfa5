import Foundation
import TestSupport
import Testing

/// SECURITY.md says nothing without a test.
@Suite(.timeLimit(.minutes(25)))
struct SecurityTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    @Test("Each sentence names tests that exist") func sentences() throws {
        let tests = Self.root.appending(path: "Tests")
        var sources: [Substring: String] = [:]
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" {
                // Two suites of the same name are in different targets.
                sources[file.deletingPathExtension().lastPathComponent[...], default: ""] += try Self.text(file)
            }
        }
        let rows = try Self.text(Self.root.appending(path: "SECURITY.md")).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| | ") }
        #expect(rows.count >= 17)
        for row in rows {
            let names = row.split(separator: " | ")[1].split(separator: "`").filter { $0.contains("Tests") }
            #expect(!names.isEmpty, "\(row)")
            for name in names where name.hasPrefix("Tests/") {
                #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: name).path()), "\(name)")
            }
            for name in names where !name.hasPrefix("Tests/") {
                let parts = name.split(separator: ".")
                let source = try #require(sources[parts[0]], "\(name)")
                if parts.count > 1 { #expect(source.contains("func \(parts[1])("), "\(name)") }
            }
        }
    }

    @Test(
        "A wall file has nothing listen, no program run and no file written, and lines are read only with --control",
        arguments: [false, true])
    func closed(_ isControlled: Bool) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 5))
        _ = folder.write("more.toml", Array("[[input]]\nurl = \"http://127.0.0.1:1/a.ts\"\n".utf8))
        let wall = """
            include = ["more.toml"]
            [[input]]
            url = "a.y4m?loop"
            effect = "grayscale"
            [[input]]
            url = "test:clock"
            """
        _ = folder.write("wall.toml", Array(wall.utf8))
        _ = folder.write("lines", Array("{\"do\": \"save stolen.toml\"}\n".utf8))
        let before = try folder.names
        let program = try startViewer(
            ["wall.toml"] + (isControlled ? ["--control"] : []), display, folder, input: "\(folder.path)/lines")
        // Long enough for a line to be read and a file to be written.
        let end = Date.now + (isControlled ? 60 : 3)
        while try !folder.names.contains("stolen.toml"), Date.now < end, program.process.isRunning { usleep(20_000) }
        #expect(try Set(folder.names).symmetricDifference(before) == (isControlled ? ["stolen.toml"] : []))
        let process = "/proc/\(program.process.processIdentifier)"
        #expect(try Self.listening(process) == [])
        let threads = try FileManager.default.contentsOfDirectory(atPath: "\(process)/task")
        let children = threads.map {
            (try? String(contentsOfFile: "\(process)/task/\($0)/children", encoding: .utf8)) ?? ""
        }
        #expect(children.joined().isEmpty)
        let run = try program.quit(display)
        // Nothing answers at the address.
        #expect(run.status == 1, "\(run.errors)")
    }

    /// The sockets of a process to which somebody can connect or send: of TCP and of this machine those that listen, of
    /// UDP all.
    private static func listening(_ process: String) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd")
        let links = files.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)")
        }
        let own = Set(links.compactMap { $0.wholeMatch(of: /socket:\[([0-9]+)\]/).map { String($0.1) } })
        // The display's connection is one.
        #expect(!own.isEmpty)
        var found: [String] = []
        for kind in ["tcp", "tcp6", "udp", "udp6", "unix"] {
            let table = (try? String(contentsOfFile: "\(process)/net/\(kind)", encoding: .utf8)) ?? ""
            for line in table.split(separator: "\n").dropFirst() {
                let words = line.split(separator: " ").map(String.init)
                guard words.count > 9 || kind == "unix" && words.count > 6, own.contains(words[kind == "unix" ? 6 : 9])
                else { continue }
                let isOpen = kind == "unix" ? words[3] == "00010000" : kind.hasPrefix("udp") || words[3] == "0A"
                if isOpen { found.append("\(kind) \(line)") }
            }
        }
        return found
    }
}
