import FoundationEssentials
import Glibc
import VitrailSupport

/// A wall in a file, TOML or JSON, as it was read last.
///
/// It is a value, so that it may be read on any thread. **Cost:** milliseconds; secrets, effects and the files of
/// certificates are read, too.
struct WallFile: Sendable {
    /// The path, as it was named.
    let path: String
    /// What is in it, with absolute paths.
    let document: WallDocument
    /// The file and all that it includes: the wall has changed once one of them is saved.
    let files: Set<String>
    /// What its user should know, one line each.
    let notes: [String]
    /// The file, and before it those that it includes.
    let reader: WallFileReader

    /// Reads a file.
    ///
    /// - Parameter path: its path; what ends in `.json` is JSON, everything else TOML.
    /// - Returns: the wall.
    /// - Throws: ``WallFileError``, with the place of the mistake.
    static func read(_ path: String) throws(WallFileError) -> WallFile {
        var reader = WallFileReader()
        try reader.read(path)
        return WallFile(path: path, try reader.document(), reader)
    }

    /// A file that does not exist yet.
    static func empty(_ path: String) -> WallFile {
        WallFile(path: path, WallDocument(), WallFileReader(newFile: path))
    }

    private init(path: String, _ document: WallDocument, _ reader: WallFileReader) {
        (self.path, self.document, self.reader) = (path, document, reader)
        files = reader.files
        notes = reader.files.sorted().filter(Self.showsPassword).map {
            "\($0) has a password in it, and others may read it: chmod 600 it, or use secret = \"env:NAME\"."
        }
    }

    /// Whether others may read the passwords of a file.
    private static func showsPassword(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o044 != 0,
            let (bytes, _) = try? WallFileText.read(path)
        else { return false }
        return hasPassword(bytes)
    }

    /// Whether a text has a URL with a password, or something else in it that nobody else should know.
    static func hasPassword(_ text: [UInt8]) -> Bool {
        WallFileText.secrets(in: text).contains { piece in
            // The name of a user alone is no secret.
            let rest = piece.replacing(/:\/\/[^\/?#@:]*@/, with: "://")
            return rest.contains("://") && !Secrets.all(in: rest).isEmpty
        }
    }
}

extension WallDocument {
    /// Reads what a file says.
    ///
    /// - Throws: ``WallProblem`` at the place of a mistake.
    init(decoding value: WallValue) throws {
        self = try JSONDecoder().decode(WallDocument.self, from: Data(value.json().utf8))
    }

    /// The wall as TOML, with its paths as they are.
    var toml: String { TOMLText.document(WallValue(encoding: self)) }

    /// The wall as JSON, with its paths as they are.
    var json: String { WallValue(encoding: self).json(indentation: 0) + "\n" }
}
