import FoundationEssentials

// TEMPORARY, until the writer of wall files is merged: it replaces this whole file.

extension WallDocument {
    /// The document as the text of a file; JSON for now.
    var toml: String {
        get throws(ProgramError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(self) else {
                throw ProgramError(.failed, "The wall cannot be written as JSON.")
            }
            return String(decoding: data, as: UTF8.self) + "\n"
        }
    }
}
