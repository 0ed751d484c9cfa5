import Glibc

/// A folder that is deleted, with all files in it, when the value is released.
public struct TemporaryFolder: ~Copyable {
    /// Its path.
    public let path: String

    /// Makes a folder with a unique name.
    public init() {
        var template = Array("/tmp/vitrail-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkdtemp($0) != nil } ?? false }
        precondition(made, "No folder can be made in /tmp.")
        path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            // A link to a folder is unlinked; what is left is a folder.
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }

    /// Makes a folder in the folder.
    public func makeFolder(_ name: String) { precondition(mkdir("\(path)/\(name)", 0o700) == 0) }

    /// Writes a file into the folder.
    ///
    /// - Parameters:
    ///   - name: of the file.
    ///   - bytes: all that is in it.
    /// - Returns: its path.
    public func write(_ name: String, _ bytes: [UInt8]) -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "\(file) cannot be written.")
        precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "\(file) is not whole.")
        close(descriptor)
        return file
    }
}
