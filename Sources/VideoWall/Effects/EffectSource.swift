/// A part of an effect's GLSL: consecutive lines of a file.
public struct EffectSource: Hashable, Sendable {
    /// The name of the file.
    public var file: String
    /// The number of its first line, from 1.
    public var firstLine: Int
    /// The lines.
    public var text: String

    /// The text of a line of the file; `nil` if it is not in this part.
    public func line(_ number: Int) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let index = number - firstLine
        return lines.indices.contains(index) ? String(lines[index]) : nil
    }
}

/// Where the files are that an effect includes or reads.
public protocol EffectFolder {
    /// The text of a file.
    ///
    /// - Throws: ``EffectError``, whose reason says why it cannot be used.
    func text(ofFile name: String) throws(EffectError) -> String

    /// The pixels of a PNG file.
    ///
    /// - Throws: ``EffectError``, whose reason says why it cannot be used.
    func image(ofFile name: String) throws(EffectError) -> EffectTexture.Image
}

extension EffectSource {
    /// The parts of a file: `#include "NAME"` lines are replaced by the file's parts.
    ///
    /// - Parameters:
    ///   - text: the text of the file.
    ///   - file: its name.
    ///   - folder: where included files are.
    ///   - including: the files that include this one, for cycles.
    /// - Returns: parts in order.
    /// - Throws: ``EffectError``.
    static func parts(
        of text: String, file: String, in folder: (any EffectFolder)?, including: [String] = []
    ) throws(EffectError) -> [EffectSource] {
        let all = EffectSource(file: file, firstLine: 1, text: text)
        if let line = GLSLToken.unclosedComment(in: text) {
            throw EffectError("this comment has no end: add */", file: file, line: line, source: all.line(line))
        }
        var parts: [EffectSource] = []
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var first = 0
        func add(until end: Int) {
            guard end > first else { return }
            let text = lines[first..<end].joined(separator: "\n") + "\n"
            parts.append(EffectSource(file: file, firstLine: first + 1, text: text))
        }
        for token in GLSLToken.tokens(of: text) where token.kind == .directive {
            let words = token.text.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = words.prefix { $0.isLetter }
            func failure(_ reason: String) -> EffectError {
                EffectError(reason, file: file, line: token.line, source: all.line(token.line))
            }
            switch name {
            case "include": break
            case "version", "extension", "line", "pragma":
                throw failure("#\(name) is not allowed in an effect: remove the line")
            default: continue
            }
            let quoted = words.dropFirst(name.count).split(separator: "\"", omittingEmptySubsequences: false)
            guard quoted.count == 3, !quoted[1].isEmpty else { throw failure("write #include \"FILE\"") }
            let included = String(quoted[1])
            guard !including.contains(included), included != file else {
                throw failure(
                    "“\(included)” includes itself: \((including + [file, included]).joined(separator: " → "))")
            }
            guard parts.count < 1000 else { throw failure("too many files are included: at most 1000") }
            guard let folder else { throw failure("an effect without a folder cannot include files") }
            let content: String
            do throws(EffectError) { content = PlainText(try folder.text(ofFile: included)).text } catch {
                throw failure(error.reason)
            }
            add(until: token.line - 1)
            parts += try Self.parts(of: content, file: included, in: folder, including: including + [file])
            first = token.line
        }
        add(until: lines.count)
        return parts
    }
}
