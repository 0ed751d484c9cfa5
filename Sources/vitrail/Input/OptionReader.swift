/// Reads the options of one input, `NAME=VALUE` by `NAME=VALUE`.
struct OptionReader {
    /// The input, for errors.
    let subject: String
    /// The options that fit it.
    let allowed: [InputOption]
    /// What was read so far.
    private(set) var options = InputOptions()
    private var seen: Set<InputOption> = []

    init(subject: String, allowed: [InputOption]) {
        self.subject = subject
        self.allowed = allowed
    }

    /// Whether a piece names an option that fits.
    func knows(_ piece: Substring) -> Bool { allowed.contains { $0.rawValue == piece.prefix { $0 != "=" } } }

    /// Reads one `NAME=VALUE`; `loop` may stand alone.
    ///
    /// - Throws: ``ProgramError/Status/usage``, naming the options or values that fit.
    mutating func read(_ piece: Substring) throws(ProgramError) {
        let name = piece.prefix { $0 != "=" }
        guard let option = allowed.first(where: { $0.rawValue == name }) else {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            let trouble = InputOption(rawValue: String(name)) == nil ? "is not known" : "does not fit here"
            throw ProgramError(.usage, "\(subject): the option “\(name)” \(trouble); those that fit: \(names).")
        }
        guard seen.insert(option).inserted else {
            throw ProgramError(.usage, "\(subject): the option “\(name)” is given twice; leave one out.")
        }
        let typed = piece.dropFirst(name.count + 1)
        let value = option == .loop && piece == name ? "yes" : Self.decode(typed)
        guard let value, option.apply(value, to: &options) else {
            throw ProgramError(.usage, "\(subject): \(option.refusal(typed, value))")
        }
    }

    /// Turns `%20` and its like into what they stand for; `nil` when one is broken or the result is no text.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        // C libraries take a zero for the end of the text.
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
