import Foundation
import Testing

/// SECURITY.md says nothing without a test.
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
}
