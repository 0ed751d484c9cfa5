import Glibc

/// The folders of the XDG Base Directory Specification.
enum XDGFolder {
    /// The folder that a variable names, or else one in the user's home; `nil` without a home.
    static func path(_ variable: String, orInHome folder: String) -> String? {
        value(of: variable) ?? value(of: "HOME").map { "\($0)/\(folder)" }
    }

    /// Makes a folder and those that it is in; only their owner may look into it, as what is in it concerns nobody else.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    static func make(_ path: String) throws(ProgramError) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            throw OutputFile.failure(made, errno)
        }
    }

    /// A relative path counts as none, by the specification.
    private static func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
