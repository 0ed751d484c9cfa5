extension MediaLocation {
    /// A URL as it may be shown: without user information, and with `***` for the value of each secret parameter.
    ///
    /// User information is all up to the last `@`, also where it has an unescaped `/`, `?`, `#` or `@` in it. Parameters
    /// are looked for in the path and the fragment, too, where some cameras and servers have them. When in doubt too much
    /// is hidden: this is a name for people, no address. Text without `://` is no URL and stays as it is.
    ///
    /// - Parameter text: a URL, whether it is valid or not.
    /// - Returns: `text` itself when there is nothing to hide.
    public static func hidingSecrets(in text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        var hidden = secretValues(of: text[scheme.upperBound...]).map { (range: $0, sign: "***") }
        if let userInfo = userInfo(of: text) { hidden.append(userInfo) }
        var shown = ""
        var position = text.startIndex
        for (range, sign) in hidden.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            // An @ in a secret value ends the user information, to be safe, and begins nothing that may be shown.
            guard range.upperBound > position else { continue }
            shown += text[position..<max(position, range.lowerBound)] + sign
            position = range.upperBound
        }
        return shown + text[position...]
    }

    // MARK: User information

    /// What may be a name and a password, from behind the first `://` that it follows, and what is shown instead.
    private static func userInfo(of text: String) -> (range: Range<String.Index>, sign: String)? {
        for start in text.ranges(of: "://").map(\.upperBound) {
            let authority = text[start...].prefix { !"/?#".contains($0) }
            guard let at = text[start...].lastIndex(of: "@") else {
                // Other programs read an escaped @ as the user meant it.
                guard let escaped = authority.ranges(of: "%40").last else { continue }
                return (start..<escaped.upperBound, "")
            }
            let colon = authority.hasPrefix("[") ? nil : authority.firstIndex(of: ":")
            // udp://@239.0.0.1:1234 is how FFmpeg and VLC write multicast: there is nobody's name in it.
            guard at != start, authority.contains("@") || colon != nil else { continue }
            if let colon, !authority.contains("@"), isPort(authority[colon...].dropFirst()) {
                // host:8080/a@b, or the beginning of a password. The host is worth showing.
                return (text.index(after: colon)..<at, "***")
            }
            return (start..<text.index(after: at), "")
        }
        return nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    // MARK: Parameters

    /// The values of all `NAME=VALUE` whose name means a secret.
    private static func secretValues(of text: Substring) -> [Range<String.Index>] {
        var values: [Range<String.Index>] = []
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let before = rest[..<equals]
            let name = before.lastIndex(where: "/?&;#,:@~! ".contains).map { before[$0...].dropFirst() } ?? before
            rest = rest[rest.index(after: equals)...]
            let end = endOfValue(rest)
            if meansSecret(name) || leadsToSecret(rest.prefix { $0 != "&" }) {
                values.append(rest.startIndex..<end)
                rest = rest[end...]
            }
        }
        return values
    }

    /// The `&` that ends a value: one that `NAME=` follows, since another may belong to a password.
    private static func endOfValue(_ text: Substring) -> String.Index {
        text.indices.first { index in
            guard text[index] == "&" else { return false }
            let next = text[text.index(after: index)...].prefix { $0 != "&" }
            return next.contains("=")
        } ?? text.endIndex
    }

    /// Whether a value is an escaped URL with something to hide.
    private static func leadsToSecret(_ value: Substring) -> Bool {
        guard value.contains("%"), let url = percentDecoded(value) else { return false }
        return hidingSecrets(in: url) != url
    }

    /// Whether what has this name is not for everybody's eyes.
    private static func meansSecret(_ name: Substring) -> Bool {
        let name = percentDecoded(name) ?? String(name)
        let parts = ["passw", "passphrase", "token", "secret", "signature", "credential", "session", "streamid", "md5"]
        let whole = name.lowercased()
        if parts.contains(where: whole.contains) || whole.hasSuffix("key") { return true }
        // Short ones only as words: keyframes, author and compass are no secrets.
        let words: Set = [
            "auth", "authorization", "hash", "hdnea", "hdntl", "hdnts", "hmac", "jwt", "key", "pass", "passcode", "pin",
            "psk", "pw", "pwd", "sid", "sig", "sign", "ticket",
        ]
        // accessKeyId is access, key, id.
        let spaced = name.replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2)" }
        return spaced.split { !$0.isLetter }.contains { words.contains($0.lowercased()) }
    }

    /// Text with `%20` and its like turned into what they stand for; `nil` when one is broken or the result is no text.
    package static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
