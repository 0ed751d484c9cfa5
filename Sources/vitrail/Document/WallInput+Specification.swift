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

    /// The substream, as it is opened; `nil` without one.
    ///
    /// What crops the picture is in the main stream's pixels: such an input has only that.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if it cannot be used with the options of the input.
    func substreamSpecification() throws(ProgramError) -> InputSpecification? {
        guard let substream, substream != address, settings[.crop] == nil else { return nil }
        var input = self
        (input.address, input.substream) = (substream, nil)
        return try InputSpecification(input, isSubstream: true)
    }

    /// The address with the password that ``secret`` names.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if there is no such variable or file, or others may read the file.
    func addressWithSecret() throws(ProgramError) -> String {
        guard let secret else { return address }
        return try SecretReference(secret).inserted(into: address)
    }
}
