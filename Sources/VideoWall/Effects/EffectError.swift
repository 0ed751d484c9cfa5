/// An error in an effect's file, in its parameters, or in the shader made from it.
public struct EffectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file.
    public var file: String
    /// The line in the file, from 1; `nil` if the error concerns no single line.
    public var line: Int?
    /// The cause and the next step, without a full stop.
    public var reason: String
    /// The text of the line, or `nil`.
    public var source: String?

    /// Creates an error.
    public init(_ reason: String, file: String, line: Int? = nil, source: String? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
        self.source = source
    }

    /// Creates an error about a line of a text.
    init(_ reason: String, file: String, line: Int?, of text: String) {
        let source = line.flatMap { EffectSource(file: file, firstLine: 1, text: text).line($0) }
        self.init(reason, file: file, line: line, source: source)
    }

    /// `FILE:LINE: REASON`, followed by the text of the line in quotes, which a log has in the same line.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let text = source.map { $0.drop { $0.isWhitespace } } ?? ""
        return text.isEmpty ? "\(place): \(reason)" : "\(place): \(reason)\n“\(text)”"
    }
}
