import FFmpegMedia
import Glibc
import VitrailSupport

/// Where the password of an input comes from, so that it need not stand in a wall file.
enum SecretReference {
    /// A variable of the environment.
    case variable(String)
    /// The first line of a file that only its owner may read.
    case file(String)

    /// Reads `env:NAME` or `file:PATH`.
    init(_ text: String) throws(ProgramError) {
        if let name = text.wholeMatch(of: /env:([A-Za-z_][A-Za-z0-9_]*)/)?.1 {
            self = .variable(String(name))
        } else if text.hasPrefix("file:"), text.utf8.count > 5 {
            self = .file(String(text.dropFirst(5)))
        } else {
            // It may be the password itself, which is not shown.
            throw ProgramError(.usage, "a secret is env:NAME, a variable of the environment, or file:PATH")
        }
    }

    /// The address with the secret in it: as the password of the user that the address names, or as `USER:PASSWORD`.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if the secret or the address cannot be used.
    func inserted(into address: String) throws(ProgramError) -> String {
        guard let range = address.firstRange(of: "://") else {
            throw ProgramError(.usage, "a secret needs a URL, as in rtsp://user@door/1")
        }
        let secret = try value()
        let rest = address[range.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let prefix = address[..<range.upperBound]
        guard let at = authority.lastIndex(of: "@") else {
            let parts = secret.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw ProgramError(
                    .usage, "the URL names no user: write rtsp://user@door/1, or USER:PASSWORD as secret")
            }
            return prefix + Self.encoded(parts[0]) + ":" + Self.encoded(parts[1]) + "@" + rest
        }
        let user = authority[..<at]
        guard !user.contains(":") else {
            throw ProgramError(.usage, "the URL has a password already: omit it, or the secret")
        }
        return prefix + user + ":" + Self.encoded(secret[...]) + rest[at...]
    }

    private func value() throws(ProgramError) -> String {
        switch self {
        case .variable(let name):
            guard let value = getenv(name) else {
                throw ProgramError(.usage, "the variable \(name) is not set in the environment")
            }
            guard value.pointee != 0 else { throw ProgramError(.usage, "the secret in \(name) is empty") }
            return String(cString: value)
        case .file(let path): return try Self.firstLine(of: path)
        }
    }

    private static func firstLine(of path: String) throws(ProgramError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ProgramError(.usage, "\(path), which has the secret, cannot be read: \(systemMessage(errno))")
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ProgramError(.usage, "\(path), which has the secret, is not a file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ProgramError(.usage, "others may read \(path), which has the secret: chmod 600 it")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        let line = bytes[..<max(0, count)].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else {
            throw ProgramError(.usage, "the first line of \(path), which has the secret, is empty")
        }
        guard !line.contains(0), let secret = String(validating: line, as: UTF8.self) else {
            throw ProgramError(.usage, "\(path), which has the secret, has a zero byte or is not UTF-8")
        }
        return secret
    }

    /// Escapes everything that has a meaning in a URL, except what is kept.
    static func encoded(_ text: Substring, keeping kept: String = "") -> String {
        text.utf8.reduce(into: "") { result, byte in
            let scalar = UnicodeScalar(byte)
            if byte < 128, Character(scalar).isLetter || Character(scalar).isNumber || "-._~\(kept)".utf8.contains(byte)
            {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
