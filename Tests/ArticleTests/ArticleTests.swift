import Foundation
import MediaEngine
import MediaIO
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

    /// The table of Agora's format numbers is that of the library, both ways, and none is missing.
    @Test func agoraNumbers() throws {
        var rows: [Int: (format: PixelFormat, number: Int)] = [:]
        for line in try text("Sources/MediaEngine/MediaEngine.docc/ComingFromAgora.md").split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let number = Int(cells[0]), let back = Int(cells[3]) else { continue }
            let format = try #require(PixelFormat(rawValue: cells[2].replacing("`", with: "")))
            rows[number] = (format, back)
            // The name says the same.
            let name = try #require(cells[1].split(separator: "`").first)
            #expect(PixelFormat(named: "agora:\(name)") == format)
        }
        for number in -1...100 {
            let format = PixelFormat(agoraNumber: number)
            #expect(format == rows[number]?.format && format?.agoraNumber == rows[number]?.number, "\(number)")
        }
        let formats = Set(rows.values.map(\.format))
        for format in PixelFormat.allCases where !formats.contains(format) { #expect(format.agoraNumber == nil) }
        for format in PixelFormat.allCases { #expect(format.names(in: .agora).isEmpty == (format.agoraNumber == nil)) }
        #expect(rows.count == 12)
    }

    @Test func libraryHasTheShortestPush() throws {
        let compiled = try text("Tests/ArticleTests/Library.swift")
        let page = try text("Sources/vitrail/Vitrail.docc/Library.md")
        let start = try #require(page.firstRange(of: "PushSource(name: \"door\")")).lowerBound
        let block = page[..<start].lastIndex(of: "`").map { page[$0...] } ?? ""
        let code = lines(block.dropFirst().prefix { $0 != "`" }).dropFirst()
        #expect((3...6).contains(code.count))
        for line in code {
            let plain = line.split(separator: "    //")[0].trimmingCharacters(in: .whitespaces)
            #expect(compiled.contains(plain), "\(plain)")
        }
    }
}
