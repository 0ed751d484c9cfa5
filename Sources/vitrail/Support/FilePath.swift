import Glibc

/// What paths name.
enum FilePath {
    /// Whether two paths are one file, which may not exist yet.
    static func isSame(_ path: String, _ other: String) -> Bool {
        if let one = identity(path), let two = identity(other) { return one == two }
        let (first, second) = (pieces(path), pieces(other))
        guard first.name == second.name, let one = identity(first.folder), let two = identity(second.folder) else {
            return path == other
        }
        return one == two
    }

    /// The folder and the name of a file.
    static func pieces(_ path: String) -> (folder: String, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), path[path.index(after: slash)...])
    }

    private static func identity(_ path: String) -> [UInt]? {
        var status = stat()
        return stat(path, &status) == 0 ? [UInt(status.st_dev), UInt(status.st_ino)] : nil
    }
}
