import FFmpegMedia

/// The options in a URL, which may also have parameters for its server.
///
/// * What follows a `#` are options, if the first of them has the name of an option; servers never get that part. All
///   that precedes the `#` is for the server, whatever its names: `rtsp://door/1?mirror=1#rotate=90`.
/// * Without a `#`, a parameter after the `?` is an option if it has an option's name and a value that the option
///   accepts. All others stay in the address.
struct URLOptions {
    /// The URL without the options.
    let address: String
    let options: InputOptions
    /// Their values as text.
    let settings: [InputOption: String]
    /// Remarks on the parameters that have the name of an option, but stay in the address.
    let notes: [String]

    /// Reads a URL.
    ///
    /// - Parameters:
    ///   - text: as typed.
    ///   - typed: the same without secrets, for errors.
    /// - Throws: ``ProgramError/Status/usage``, naming what is accepted.
    init(_ text: String, _ typed: String) throws(ProgramError) {
        var reader = OptionReader(subject: typed, allowed: InputSpecification.Kind.url("").options)
        if let mark = text.lastIndex(of: "#") {
            let pieces = InputSpecification.pieces(String(text[text.index(after: mark)...]))
            let isOurs = pieces.first.map { InputOption(rawValue: String($0.prefix { $0 != "=" })) != nil } ?? true
            if isOurs {
                for piece in pieces { try reader.read(piece) }
                (address, options, notes) = (String(text[..<mark]), reader.options, [])
                settings = reader.settings
                return
            }
        }
        guard let mark = text.firstIndex(of: "?") else {
            (address, options, notes) = (text, reader.options, [])
            settings = [:]
            return
        }
        var (rest, notes): ([Substring], [String]) = ([], [])
        for piece in InputSpecification.pieces(String(text[text.index(after: mark)...])) {
            let option = reader.option(piece)
            if option != nil, reader.accepts(piece) {
                try reader.read(piece)
                continue
            }
            rest.append(piece)
            guard let option else { continue }
            notes.append(
                "\(typed): “\(option.rawValue)” is left to the server, for its value is none of \(option.values). With a # at the end, all parameters are the server's."
            )
        }
        address = rest.isEmpty ? String(text[..<mark]) : text[...mark] + rest.joined(separator: "&")
        (options, settings, self.notes) = (reader.options, reader.settings, notes)
    }
}
