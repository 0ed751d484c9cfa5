import FoundationEssentials

/// Walls that are known by a name: `vitrail office` is `office.toml` in the folder for them.
enum WallNames {
    /// The folder, as the XDG Base Directory Specification says; `nil` without a home.
    static var folder: String? {
        XDGFolder.path("XDG_CONFIG_HOME", orInHome: ".config").map { $0 + "/vitrail" }
    }

    /// The wall file that an argument of the command line means; `nil` if it is another input.
    ///
    /// It is one that ends in `.toml` or `.json`, or the name of a wall, unless there is a file of that name.
    static func path(of argument: String) -> String? {
        if argument.hasSuffix(".toml") || argument.hasSuffix(".json") { return argument }
        guard isName(argument), !InputSpecification.fileExists(argument), let folder else { return nil }
        let path = "\(folder)/\(argument).toml"
        return InputSpecification.fileExists(path) ? path : nil
    }

    /// Where a wall is saved under a name, or the file that was named instead.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate`` if there is no folder for names.
    static func pathForSaving(_ name: String) throws(ProgramError) -> String {
        guard isName(name) else {
            guard name.hasSuffix(".toml") || name.hasSuffix(".json") else {
                throw ProgramError(
                    .usage, "“\(name)” is no name for a wall: use letters and digits, or a file that ends in .toml.")
            }
            return name
        }
        guard let folder else {
            throw ProgramError(.cannotCreate, "There is no home folder for walls: name a file that ends in .toml.")
        }
        try XDGFolder.make(folder)
        return "\(folder)/\(name).toml"
    }

    /// A name that no wall has: this one, or else with a number.
    static func unused(like name: String) -> String {
        guard isName(name), let folder else { return name }
        let all = [name] + (2..<1000).map { "\(name)-\($0)" }
        return all.first { !InputSpecification.fileExists("\(folder)/\($0).toml") } ?? name
    }

    /// The name of a wall, or its file.
    static func short(_ path: String) -> String {
        guard let folder, path.hasPrefix(folder + "/"), path.hasSuffix(".toml") else { return path }
        return String(path.dropFirst(folder.count + 1).dropLast(5))
    }

    /// Why there is nothing of this name.
    static func reason(whyMissing argument: String) -> String {
        guard isName(argument), let folder else { return "\(argument) does not exist: check the path." }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = files.filter { $0.hasSuffix(".toml") }.map { $0.dropLast(5) }.sorted()
        let known = names.isEmpty ? "none is saved yet" : "those are \(names.joined(separator: ", "))"
        return "\(argument) does not exist, as a file or as a saved wall: \(known)."
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text != "-"
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
}
