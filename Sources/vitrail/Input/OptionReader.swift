import FFmpegMedia
import VideoEffects
import VideoWall
import VitrailSupport

/// Reads the options of one input, `NAME=VALUE` by `NAME=VALUE`.
struct OptionReader {
    /// The input without secrets, for errors.
    let subject: String
    /// The options that the input accepts.
    let allowed: [InputOption]
    /// The options read so far.
    private(set) var options = InputOptions()
    /// Their values as text, decoded.
    private(set) var settings: [InputOption: String] = [:]

    init(subject: String, allowed: [InputOption]) {
        self.subject = subject
        self.allowed = allowed
    }

    /// The accepted option that a piece names; `nil` if it names none.
    func option(_ piece: Substring) -> InputOption? {
        allowed.first { $0.rawValue == piece.prefix { $0 != "=" } }
    }

    /// Whether a piece has a value that its option accepts.
    func accepts(_ piece: Substring) -> Bool {
        var reader = OptionReader(subject: subject, allowed: allowed)
        return (try? reader.read(piece)) != nil
    }

    /// Reads one `NAME=VALUE`; `loop` may stand alone.
    ///
    /// - Throws: ``ProgramError/Status/usage``, naming the accepted options or values.
    mutating func read(_ piece: Substring) throws(ProgramError) {
        let name = piece.prefix { $0 != "=" }
        guard let option = allowed.first(where: { $0.rawValue == name }) else {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            let trouble = InputOption(rawValue: String(name)) == nil ? "does not exist" : "does not apply here"
            let shown = Secrets.shown(name, of: subject)
            throw ProgramError(.usage, "\(subject): the option “\(shown)” \(trouble); use one of \(names).")
        }
        guard settings[option] == nil else {
            throw ProgramError(.usage, "\(subject): the option “\(name)” is given twice; omit one.")
        }
        let typed = piece.dropFirst(name.count + 1)
        // An effect chain has an escape syntax of its own.
        let value: String? =
            option == .effect
            ? String(typed) : option.isSwitch && piece == name ? "yes" : Self.decode(typed)
        try set(option, value, typed: typed)
    }

    /// Sets the options of an input in a document.
    ///
    /// - Throws: ``ProgramError/Status/usage``, naming the accepted options or values.
    mutating func read(_ settings: [InputOption: String]) throws(ProgramError) {
        for (option, value) in settings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard allowed.contains(option) else {
                let names = allowed.map(\.rawValue).joined(separator: ", ")
                throw ProgramError(
                    .usage, "\(subject): the option “\(option.rawValue)” does not apply here; use one of \(names).")
            }
            try set(option, value, typed: value[...])
        }
    }

    private mutating func set(
        _ option: InputOption, _ value: String?, typed: Substring
    ) throws(ProgramError) {
        if option == .effect {
            try readEffects(value ?? "")
        } else if value.map({ option.apply($0, to: &options) }) != true {
            throw ProgramError(.usage, "\(subject): \(option.refusal(typed, value))")
        }
        settings[option] = value
    }

    private mutating func readEffects(_ chain: String) throws(ProgramError) {
        do throws(EffectError) {
            options.effects = try EffectChain(chain, notes: &options.effectNotes)
        } catch {
            throw ProgramError(.usage, error.description)
        }
    }

    /// The decoded value; `nil` if an escape in it is broken or the result is not text.
    private static func decode(_ value: Substring) -> String? {
        let text = Secrets.percentDecoded(value)
        // C libraries treat a zero as the end of the text.
        return text?.utf8.contains(0) == true ? nil : text
    }
}
