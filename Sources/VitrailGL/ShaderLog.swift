/// A message of a driver's GLSL compiler about a line.
public struct ShaderMessage: Hashable, Sendable {
    /// The name of the file.
    public let file: String
    /// The line in the file, from 1.
    public let line: Int
    /// The driver's words.
    public let text: String
}

/// Converts a driver's log to one with file names and lines.
///
/// The parts of a shader are compiled as one text, so that the line number alone identifies the part: drivers interpret
/// `#line` with a source number differently.
enum ShaderLog {
    /// What precedes the parts: the version, and for OpenGL ES the precisions, which OpenGL does not need.
    ///
    /// OpenGL ES lacks `noperspective`, but interpolates the same without it, because all corners are equally far away.
    static func prologue(isES: Bool) -> String {
        guard isES else { return "#version 330 core\n" }
        return """
            #version 300 es
            precision highp float;
            precision highp int;
            precision highp sampler2D;
            precision highp sampler3D;
            #define noperspective

            """
    }

    /// The text to compile.
    static func join(_ sources: [ShaderSource], isES: Bool) -> String {
        prologue(isES: isES) + sources.map { lines($0).joined(separator: "\n") + "\n" }.joined()
    }

    /// Replaces Mesa's `0:LINE(COLUMN)` and NVIDIA's `0(LINE)` at the beginning of each line by the file's name and the
    /// line in it, and quotes that line.
    static func explain(_ log: String, _ sources: [ShaderSource], isES: Bool) -> String {
        log.split(separator: "\n").map { entry in
            guard let (number, rest) = place(entry), let place = find(number, sources, isES) else {
                return String(entry)
            }
            return "\(place.name):\(place.line)\(rest)\n    \(place.text)"
        }.joined(separator: "\n")
    }

    /// The messages that begin with a line.
    static func messages(_ log: String, _ sources: [ShaderSource], isES: Bool) -> [ShaderMessage] {
        log.split(separator: "\n").compactMap { entry in
            guard let (number, rest) = place(entry), let place = find(number, sources, isES) else { return nil }
            return ShaderMessage(file: place.name, line: place.line, text: String(rest.drop { ": ".contains($0) }))
        }
    }

    private static func lines(_ source: ShaderSource) -> [Substring] {
        var lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func find(
        _ number: Int, _ sources: [ShaderSource], _ isES: Bool
    ) -> (name: String, line: Int, text: Substring)? {
        var index = number - 1 - prologue(isES: isES).count { $0 == "\n" }
        for source in sources {
            let lines = lines(source)
            if lines.indices.contains(index) { return (source.name, source.firstLine + index, lines[index]) }
            index -= lines.count
        }
        return nil
    }

    private static func place(_ entry: Substring) -> (line: Int, rest: Substring)? {
        let head = entry.drop { $0.isNumber }
        guard head.startIndex > entry.startIndex, let separator = head.first, separator == ":" || separator == "("
        else { return nil }
        let tail = head.dropFirst()
        let digits = tail.prefix { $0.isNumber }
        guard let line = Int(digits) else { return nil }
        var rest = tail[digits.endIndex...]
        // In Mesa's form the column in brackets follows, in NVIDIA's the closing bracket.
        if let close = rest.firstIndex(of: ")"), separator == "(" || rest.first == "(" {
            rest = rest[rest.index(after: close)...]
        }
        return (line, rest)
    }
}
