import VitrailGLSL

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

/// The folder of the files that an effect includes or reads.
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
    /// Splits a file into parts; each `#include "NAME"` line is replaced by the parts of the included file.
    ///
    /// - Parameters:
    ///   - text: the text of the file.
    ///   - file: its name.
    ///   - folder: where included files are.
    /// - Returns: parts in order.
    /// - Throws: ``EffectError``.
    static func parts(
        of text: String, file: String, in folder: (any EffectFolder)?
    ) throws(EffectError) -> [EffectSource] {
        var read = Read()
        return try parts(of: text, file: file, in: folder, including: [], &read)
    }

    /// The files and bytes that were read for an effect.
    private struct Read {
        var files = 0
        var bytes = 0
    }

    // `including` lists the files that lead to this one; this file is added to the counts in `read`.
    private static func parts(
        of text: String, file: String, in folder: (any EffectFolder)?, including: [String], _ read: inout Read
    ) throws(EffectError) -> [EffectSource] {
        read.files += 1
        read.bytes += text.utf8.count
        guard read.bytes <= EffectLimits.sourceBytes else {
            throw EffectError(
                "an effect and the files that it includes have at most \(EffectLimits.sourceBytes >> 10) KB: shorten them",
                file: file, line: 1)
        }
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
            let words = GLSLToken.tokens(of: String(token.text.dropFirst())).filter { !$0.is("\\") }
            let name = words.first?.text ?? ""
            func failure(_ reason: String) -> EffectError {
                EffectError(reason, file: file, line: token.line, source: all.line(token.line))
            }
            switch name {
            case "include": break
            case "version", "extension", "line", "pragma":
                throw failure("#\(name) is not allowed in an effect: remove the line")
            default: continue
            }
            let quoted = token.text.split(separator: "\"", omittingEmptySubsequences: false)
            guard quoted.count == 3, !quoted[1].isEmpty else { throw failure("write #include \"FILE\"") }
            let included = String(quoted[1])
            guard !including.contains(included), included != file else {
                throw failure(
                    "“\(included)” includes itself: \((including + [file, included]).joined(separator: " → "))")
            }
            guard read.files <= EffectLimits.includeCount else {
                throw failure("an effect includes at most \(EffectLimits.includeCount) files: join some")
            }
            guard including.count < EffectLimits.includeDepth else {
                throw failure("more than \(EffectLimits.includeDepth) files include one another: join some")
            }
            guard let folder else { throw failure("an effect without a folder cannot include files") }
            let content: String
            do throws(EffectError) { content = PlainText(try folder.text(ofFile: included)).text } catch {
                throw failure(error.reason)
            }
            add(until: token.line - 1)
            parts += try Self.parts(of: content, file: included, in: folder, including: including + [file], &read)
            first = token.line + token.text.count { $0.isNewline }
        }
        add(until: lines.count)
        return parts
    }
}

extension EffectSource {
    /// Guards all loops in the parts of a user's effect, and finds the first one.
    ///
    /// - Throws: ``EffectError``, with the line of what may hide a loop.
    static func guarded(
        _ parts: [EffectSource]
    ) throws(EffectError) -> (parts: [EffectSource], firstLoop: (file: String, line: Int)?) {
        var guarded = parts
        var firstLoop: (file: String, line: Int)?
        for (index, part) in parts.enumerated() {
            do throws(LoopGuard.Refusal) {
                let loops = try LoopGuard(part.text)
                guarded[index].text = loops.text
                if firstLoop == nil { firstLoop = loops.firstLoop.map { (part.file, part.firstLine + $0 - 1) } }
            } catch {
                let line = part.firstLine + error.line - 1
                throw EffectError(error.reason, file: part.file, line: line, source: part.line(line))
            }
        }
        return (guarded, firstLoop)
    }
}
