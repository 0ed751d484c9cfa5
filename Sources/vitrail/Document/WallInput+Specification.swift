import FFmpegMedia
import VideoEffects
import VideoWall

extension WallInput {
    /// Reads an input of the command line.
    ///
    /// - Parameter text: a path, URL or name, with options.
    /// - Throws: ``ProgramError/Status/usage``, naming what is accepted.
    init(_ text: String) throws(ProgramError) { self.init(try InputSpecification(text)) }

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

    /// The address as a wall file has it, so that no part of it is taken for options: parameters for a server may have
    /// the names of options, and a path may have a question mark in it.
    var writtenAddress: String {
        if let scheme = InputSpecification.scheme(of: address), MediaLocation.networkSchemes.contains(scheme) {
            let read = try? URLOptions(address, "")
            return read?.address == address && read?.settings.isEmpty == true ? address : address + "#"
        }
        guard address.hasPrefix("/"), address.contains("?") else { return address }
        let escaped = address.utf8.reduce(into: "") { result, byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file://" + escaped
    }
}
