import FFmpegMedia

/// Why a wall file cannot be used, in one line, with the place.
struct WallFileError: Error, Hashable, CustomStringConvertible {
    /// The file that has the mistake, as it was named.
    let file: String
    /// The place in it; `nil` if it is the file itself.
    let place: TextPlace?
    /// What is wrong, and what to do.
    let message: String
    /// All files that were read, and those that were missing: once one of them changes, reading again may help.
    var files: Set<String> = []

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - file: the file, as it was named.
    ///   - place: the place in it.
    ///   - message: what is wrong.
    ///   - secrets: texts with secrets, which are not shown.
    init(_ file: String, _ place: TextPlace?, _ message: String, hiding secrets: [String] = []) {
        (self.file, self.place) = (file, place)
        self.message = Self.line(ArgumentSecrets.hide(in: MediaLocation.hidingSecrets(in: message), secrets))
    }

    var description: String {
        let name = Self.line(MediaLocation.hidingSecrets(in: file))
        return place.map { "\(name):\($0.line):\($0.column): \(message)" } ?? "\(name): \(message)"
    }

    /// The same for the command line.
    var programError: ProgramError { ProgramError(.cannotOpen, description) }

    /// A text without what a terminal would obey, and not longer than anybody reads.
    private static func line(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard result.utf8.count < 600 else { return result + "…" }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
