import Glibc
import VitrailSupport

/// The text of a wall file, as it is on disk.
enum WallFileText {
    /// The most bytes of a file: a thousand inputs need a tenth of it.
    static let maximumBytes = 1 << 20

    /// Reads a file; opening never blocks, and a pipe or a device is refused.
    ///
    /// - Parameter path: the path.
    /// - Returns: UTF-8 without zeros, and what tells the file from others.
    /// - Throws: ``WallFileError``.
    static func read(_ path: String) throws(WallFileError) -> (bytes: [UInt8], identity: Identity) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw WallFileError(path, nil, "the file cannot be opened: \(systemMessage(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw WallFileError(path, nil, "this is a folder, pipe or device: name a file")
        }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        var count = 0
        while count < bytes.count {
            let step = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if step == 0 { break }
            guard step > 0 || errno == EINTR else {
                throw WallFileError(path, nil, "the file cannot be read: \(systemMessage(errno))")
            }
            count += max(0, step)
        }
        guard count <= maximumBytes else {
            throw WallFileError(path, nil, "the file has more than \(maximumBytes >> 20) MB: is it the right one?")
        }
        bytes.removeLast(bytes.count - count)
        try check(bytes, path)
        return (bytes, Identity(device: status.st_dev, number: status.st_ino))
    }

    /// Which file it is, whatever its name.
    struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    private static func check(_ bytes: [UInt8], _ path: String) throws(WallFileError) {
        if let zero = bytes.firstIndex(of: 0) {
            throw WallFileError(path, TextPlace(of: zero, in: bytes), "here is a zero byte: is the file text?")
        }
        if String(validating: bytes, as: UTF8.self) == nil {
            let offset = firstInvalid(bytes)
            throw WallFileError(path, TextPlace(of: offset, in: bytes), "this is not UTF-8: save the file as UTF-8")
        }
        guard bytes.contains(where: { $0 > 32 && !TextPlace.byteOrderMark.contains($0) }) else {
            throw WallFileError(path, TextPlace(line: 1, column: 1), "the file is empty")
        }
    }

    /// The first byte that is not UTF-8.
    private static func firstInvalid(_ bytes: [UInt8]) -> Int {
        var start = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            start = line.startIndex
            guard String(validating: line, as: UTF8.self) == nil else { continue }
            // A character has up to four bytes, so that its first three alone may be invalid, too.
            var end = line.startIndex
            while end < line.endIndex {
                let length = (1...4).first {
                    end + $0 <= line.endIndex && String(validating: line[end..<end + $0], as: UTF8.self) != nil
                }
                guard let length else { return end }
                end += length
            }
        }
        return start
    }

    /// The texts in quotation marks that may have secrets in them, whether the rest can be read or not.
    static func secrets(in bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        let pieces = text.split { $0 == "\"" || $0 == "'" || $0.isNewline }
        return pieces.filter { $0.contains("://") || $0.contains("@") }.map { String($0.prefix(4096)) }
    }
}
