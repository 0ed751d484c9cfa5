import Foundation
import Testing

/// The code of the articles is compiled: each piece is in the file of the same name beside this one.
struct ArticleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test(arguments: [
        "ComingFromAgora", "ComingFromZEGO", "ComingFromOpenTok", "ComingFromWebRTC", "Embedding", "MediaEngine",
    ])
    func codeIsCompiled(_ name: String) throws {
        let article = try text("Sources/MediaEngine/MediaEngine.docc/\(name).md")
        // Line breaks of the formatter do not count.
        let compiled = lines(try text("Tests/ArticleTests/\(name).swift")).joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
        var pieces = 0
        for block in article.split(separator: "```swift\n").dropFirst() {
            let code = block[..<(try #require(block.firstRange(of: "```")).lowerBound)]
            for line in lines(code) {
                #expect(compiled.contains(line), "\(line)")
                pieces += 1
            }
        }
        // Tables of three columns end with code.
        for row in article.split(separator: "\n")
        where row.hasPrefix("| `") || row.hasPrefix("| a ") || row.hasPrefix("| the ") {
            let cells = row.split(separator: " | ")
            guard cells.count == 3 else { continue }
            let spans = cells[2].split(separator: "`", omittingEmptySubsequences: false)
            #expect(spans.count >= 3, "There is no code in \(row)")
            for index in stride(from: 1, to: spans.count, by: 2) {
                #expect(compiled.contains(spans[index]), "\(spans[index])")
                pieces += 1
            }
        }
        #expect(pieces >= (name == "MediaEngine" ? 3 : 15))
    }

    @Test func readmeHasTheShortestPush() throws {
        let compiled = try text("Tests/ArticleTests/Readme.swift")
        let readme = try text("README.md")
        let start = try #require(readme.firstRange(of: "PushSource(name: \"door\")")).lowerBound
        let block = readme[..<start].lastIndex(of: "`").map { readme[$0...] } ?? ""
        let code = lines(block.dropFirst().prefix { $0 != "`" }).dropFirst()
        #expect((3...6).contains(code.count))
        for line in code {
            let plain = line.split(separator: "    //")[0].trimmingCharacters(in: .whitespaces)
            #expect(compiled.contains(plain), "\(plain)")
        }
    }
}
