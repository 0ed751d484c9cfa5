import FFmpegMedia
import VideoEffects
import VideoWall

extension WallInput {
    /// Reads an input of the command line.
    ///
    /// - Parameters:
    ///   - text: a path, URL or name, with options.
    ///   - isComplete: false if other options may follow, which are checked with these then.
    /// - Throws: ``ProgramError/Status/usage``, naming what is accepted.
    init(_ text: String, isComplete: Bool = true) throws(ProgramError) {
        self.init(try InputSpecification(text, isComplete: isComplete))
    }

    /// Describes an input that was read from the command line.
    init(_ specification: InputSpecification) {
        self.init(address: specification.address)
        settings = specification.settings
        // The label may come from a list of addresses.
        name = specification.options.label
        effects = settings[.effect]
        (settings[.label], settings[.effect]) = (nil, nil)
    }

    /// The address with the password that ``secret`` names.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if there is no such variable or file, or others may read the file.
    func addressWithSecret() throws(ProgramError) -> String {
        guard let secret else { return address }
        return try SecretReference(secret).inserted(into: address)
    }
}
