import Foundation
import PNGFile
import TestSupport
import Testing

/// The article *Writing an effect*: its listings compile, and its commands make its pictures.
///
/// `RECORD_REFERENCES=1` writes the pictures anew and fails.
@Suite(.timeLimit(.minutes(25)))
struct EffectArticleTests {
    private static let catalog = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/VideoEffects/VideoEffects.docc")
    /// The effect that is there to show an error.
    private static let broken = "broken.effect.glsl"

    /// What a reader of the article types.
    private struct Article {
        /// The listings of effects, by the name of the file that the text before names last.
        var files: [(name: String, text: String)] = []
        /// The arguments of the commands.
        var commands: [[String]] = []
        /// The names of the pictures shown.
        var pictures: [String] = []

        init() throws {
            let text = try String(contentsOf: catalog.appending(path: "WritingAnEffect.md"), encoding: .utf8)
            let parts = text.components(separatedBy: "```")
            for index in parts.indices.dropFirst() where index % 2 == 1 {
                let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                let content = String(try #require(lines.last))
                switch lines[0] {
                case "glsl":
                    let names = parts[..<index].joined().matches(of: /`([a-z]+\.(?:effect|shadertoy)\.glsl)`/)
                    files.append((String(try #require(names.last).output.1), content))
                case "sh":
                    for line in content.split(separator: "\n") {
                        let words = line.split(separator: " ").map { $0.filter { $0 != "'" } }
                        try #require(words.first == "vitrail")
                        commands.append(Array(words.dropFirst()))
                    }
                case "json": break
                default: Issue.record("A listing is \(lines[0])")
                }
            }
            pictures = text.matches(of: /!\[[^\]]+\]\(([a-z]+\.png)\)/).map { String($0.output.1) }
        }
    }

    @Test("Every listing compiles and draws, except the one with an error; every command makes the picture beside it")
    func article() throws {
        let article = try Article()
        #expect(article.files.count == 10 && article.commands.count == 7 && article.pictures.count == 6)
        #expect(Set(article.files.map(\.name)).count == article.files.count)
        let folder = TemporaryFolder()
        for file in article.files { _ = folder.write(file.name, Array(file.text.utf8)) }
        for command in article.commands {
            let run = try Run(command, in: folder.path)
            let isBroken = command.contains { $0.contains(Self.broken) }
            #expect(run.status == (isBroken ? 1 : 0), "\(command) \(run.errors)")
            if isBroken { #expect(run.errors.contains { $0.contains("\(Self.broken):2: ") }, "\(run.errors)") }
        }
        for name in article.pictures { try check(name, in: folder.path) }
        for file in article.files where file.name != Self.broken {
            let run = try Run(
                ["render", "test:bars", "test:zoneplate", "--effect", file.name, "--size", "320x90", "-o", "a.png"],
                in: folder.path)
            #expect(run.status == 0 && run.errors.isEmpty, "\(file.name) \(run.errors)")
        }
    }

    /// Compares a picture with the one in the article.
    private func check(_ name: String, in folder: String) throws {
        let (made, shown) = ("\(folder)/\(name)", Self.catalog.appending(path: "Resources/\(name)"))
        if ProcessInfo.processInfo.environment["RECORD_REFERENCES"] == "1" {
            try Data(contentsOf: URL(filePath: made)).write(to: shown)
            Issue.record("\(name) was recorded: look at it, then run again without RECORD_REFERENCES.")
            return
        }
        let pictures = try [made, shown.path(percentEncoded: false)].map { try PNG.read($0) }
        try #require((pictures[0].width, pictures[0].height) == (pictures[1].width, pictures[1].height))
        // Fonts differ, and so do drivers' words for an error.
        let count = zip(pictures[0].rgba, pictures[1].rgba).count { abs(Int($0) - Int($1)) > 8 }
        #expect(count < pictures[0].rgba.count / 20, "\(name): \(count) of \(pictures[0].rgba.count) bytes")
        #expect(try Data(contentsOf: shown).count < 60_000, "\(name) is large for an article")
    }
}
