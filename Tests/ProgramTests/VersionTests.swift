import Foundation
import TestSupport
import Testing

@testable import vitrail

/// The version, wherever it is said.
struct VersionTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test("The program says its version and the commit that it was built from") func program() throws {
        let run = try Run(["--version"])
        let words = try #require(run.text.wholeMatch(of: /vitrail ([0-9.]+)(?: \(([0-9a-f]{12})(, changed)?\))?\n/))
        #expect(String(words.1) == Vitrail.version)
        let git = try RunningProgram(
            executable: "/usr/bin/env", ["git", "cat-file", "-t", words.2.map(String.init) ?? "HEAD"], in: folder.path)
        let known = try git.finish()
        // A source archive has no commits.
        #expect((known.status == 0) == (words.2 != nil), "\(run.text) \(known.errors)")
    }

    @Test("The changelog and the desktop's description begin with the same version and day") func files() throws {
        let heading = try #require(text("CHANGELOG.md").firstMatch(of: /\n## \[([0-9.]+)\] - ([0-9-]+)\n/))
        let description = try text("Resources/org.vitrail.Vitrail.metainfo.xml")
        let release = try #require(description.firstMatch(of: /<release version="([0-9.]+)" date="([0-9-]+)"/))
        #expect(heading.1 == Vitrail.version[...] && release.1 == Vitrail.version[...])
        #expect(heading.2 == release.2)
    }
}
