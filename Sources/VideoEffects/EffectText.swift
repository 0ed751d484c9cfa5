/// A parameter's value in JSON: a number, a truth value or text, kept in the form of the command line.
public struct EffectText: Codable, Hashable, Sendable {
    /// The value as text.
    public var text: String

    /// Wraps a text.
    public init(_ text: String) { self.text = text }

    /// Reads a number, a truth value or text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let isOn = try? container.decode(Bool.self) {
            text = "\(isOn)"
        } else if let number = try? container.decode(Int.self) {
            text = "\(number)"
        } else if let number = try? container.decode(Double.self) {
            text = "\(number)"
        } else if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            throw DecodingError.typeMismatch(
                String.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "a number, true, false or text is expected"))
        }
    }

    /// Writes text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
