import FoundationEssentials

// TEMPORARY, until the writer of wall files is merged: its `toml` replaces this whole file.

extension WallDocument {
    /// The document as the text of a file; JSON for now.
    var toml: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "") + "\n"
    }
}
