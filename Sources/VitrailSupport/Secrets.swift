/// Finds passwords, keys and tokens in texts that people are shown.
///
/// **Thread:** any.
package enum Secrets {
    /// Returns a URL for display: without user information, and with `***` for the value of each secret parameter.
    ///
    /// User information is everything up to the last `@`, even with an unescaped `/`, `?`, `#` or `@` in it. Parameters
    /// are also found in the path and the fragment, where some cameras and servers put them. When in doubt, too much is
    /// hidden: the result is for people, not for opening. Text without `://` is not a URL, but may be meant as one:
    /// there `NAME:PASSWORD@` is hidden. In a GStreamer pipeline, which follows a `gst:`, each word is treated so, and the
    /// values of properties with secret names are hidden.
    ///
    /// **Cost:** in proportion to the length of the text, which may come from a stranger.
    /// - Parameter text: a URL, whether it is valid or not.
    /// - Returns: `text` itself if there is nothing to hide.
    package static func hidden(in text: String) -> String {
        var shown = ""
        var position = text.startIndex
        for (range, sign, _) in hiddenParts(of: text[...]) {
            // Parts may overlap: user information extends to the last @, even one in a secret value.
            guard range.upperBound > position else { continue }
            shown += text[position..<max(position, range.lowerBound)] + sign
            position = range.upperBound
        }
        return shown + text[position...]
    }

    /// A piece of a text for display: `***` if it is a part of a secret, or has one.
    ///
    /// - Parameters:
    ///   - piece: from the text.
    ///   - shown: the text, ``hidden(in:)``.
    /// - Returns: the piece, or `***`.
    package static func shown(_ piece: Substring, of shown: String) -> Substring {
        shown.contains(piece) ? piece : "***"
    }

    /// The secrets of a text, as ``hidden(in:)`` finds them.
    package static func all(in text: String) -> [Substring] {
        hiddenParts(of: text[...]).map { part in
            let secret = text[part.range]
            // If a password follows, the user's name is not a secret.
            guard part.isUser, let colon = secret.firstIndex(of: ":") else { return secret }
            return secret[secret.index(after: colon)...]
        }
        .map { $0.hasSuffix("@") ? $0.dropLast() : $0 }
        .filter { !$0.isEmpty }
    }

    private typealias HiddenPart = (range: Range<String.Index>, sign: String, isUser: Bool)

    /// The parts of a text to hide, in order of their beginning; parts may overlap.
    private static func hiddenParts(of text: Substring) -> [HiddenPart] {
        guard let pipeline = text.firstRange(of: "gst:") else { return urlParts(of: text) }
        return urlParts(of: text[..<pipeline.lowerBound]) + pipelineParts(of: text[pipeline.upperBound...])
    }

    private static func urlParts(of text: Substring) -> [HiddenPart] {
        guard let scheme = text.firstRange(of: "://") else {
            return bareUserInfo(of: text).map { [($0, "***@", true)] } ?? []
        }
        var parts: [HiddenPart] = secretValues(of: text[scheme.upperBound...]).map { ($0, "***", false) }
        parts += (pathSecrets(of: text) + webTokens(of: text[scheme.upperBound...])).map { ($0, "***", false) }
        if let (range, sign) = userInfo(of: text) { parts.append((range, sign, true)) }
        return parts.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: User information

    /// Whether a URL has a name or a password for its host.
    package static func hasUserInformation(_ url: String) -> Bool { userInfo(of: url[...]) != nil }

    /// The range of `NAME:PASSWORD@` in a text without `://`; the last `@` ends it.
    private static func bareUserInfo(of text: Substring) -> Range<String.Index>? {
        guard let at = text.lastIndex(of: "@") else { return nil }
        for part in text[..<at].split(whereSeparator: { $0 == "/" || $0 == "@" }) {
            guard let colon = part.dropFirst().firstIndex(of: ":"), text.index(after: colon) < at else { continue }
            return part.startIndex..<text.index(after: at)
        }
        return nil
    }

    /// The range of a possible name and password, which follows a `://`, and the text to show instead.
    private static func userInfo(of text: Substring) -> (range: Range<String.Index>, sign: String)? {
        let last = text.lastIndex(of: "@")
        for start in text.ranges(of: "://").map(\.upperBound) {
            let authority = text[start...].prefix { !"/?#".contains($0) }
            guard let at = last, at >= start else {
                // Some programs treat an escaped @ as a plain one.
                guard let escaped = authority.ranges(of: "%40").last else { continue }
                return (start..<escaped.upperBound, "")
            }
            let colon = authority.hasPrefix("[") ? nil : authority.firstIndex(of: ":")
            // FFmpeg and VLC write multicast as udp://@239.0.0.1:1234, without a user name.
            guard at != start, authority.contains("@") || colon != nil else { continue }
            if let colon, !authority.contains("@"), isPort(authority[colon...].dropFirst()) {
                // host:8080/a@b, or the beginning of a password. The host stays visible.
                return (text.index(after: colon)..<at, "***")
            }
            return (start..<text.index(after: at), "")
        }
        return nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    // MARK: Paths

    /// The ranges of secrets in paths.
    ///
    /// - `rtmp://HOST/APPLICATION/KEY`: with the key, anybody can send to the stream.
    /// - `http://HOST/live/USER/PASSWORD/NUMBER.ts`, the form of IPTV panels; also with `movie` and `series`.
    ///
    /// Something else may precede the scheme, such as `--preset=`.
    private static func pathSecrets(of text: Substring) -> [Range<String.Index>] {
        var secrets: [Range<String.Index>] = []
        // A path that contains another one ends as that does: of each kind, the first says all.
        var (keysEnd, accountsEnd) = (text.startIndex, text.startIndex)
        for separator in text.ranges(of: "://") {
            let letters = text[..<separator.lowerBound].reversed().prefix { $0.isLetter }
            let scheme = String(letters.reversed()).lowercased()
            let isKey = scheme.hasPrefix("rtmp")
            guard isKey || scheme.hasPrefix("http"), separator.lowerBound >= (isKey ? keysEnd : accountsEnd) else {
                continue
            }
            var path = text[separator.upperBound...].prefix { $0 != "?" && $0 != "#" }
            if isKey { keysEnd = path.endIndex } else { accountsEnd = path.endIndex }
            while path.last == "/" { path.removeLast() }
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            secrets += (isKey ? streamKey(parts) : panelAccount(parts)).map { $0.startIndex..<$0.endIndex }
        }
        return secrets
    }

    private static func streamKey(_ parts: [Substring]) -> ArraySlice<Substring> {
        // The application alone is no secret.
        parts.count >= 3 ? parts.suffix(1) : []
    }

    private static func panelAccount(_ parts: [Substring]) -> ArraySlice<Substring> {
        let names = parts.suffix(4)
        guard parts.count >= 5, let kind = names.first, ["live", "movie", "series"].contains(kind),
            let file = names.last, file.prefix(while: { $0 != "." }).allSatisfy(\.isNumber)
        else { return [] }
        return names.dropFirst().dropLast()
    }

    /// The ranges of JSON Web Tokens (RFC 7519), wherever they are: three parts, of which the first begins with `{"`.
    private static func webTokens(of text: Substring) -> [Range<String.Index>] {
        text.split { "/?&#=;,:".contains($0) }.filter { word in
            word.hasPrefix("eyJ") && word.count { $0 == "." } == 2
        }.map { $0.startIndex..<$0.endIndex }
    }

    // MARK: Pipelines

    /// The secrets of a pipeline, in the notation of gst-launch-1.0: those of its words, and values such as those of
    /// `user-pw=VALUE`, which may have spaces around the `=`, and within quotation marks.
    private static func pipelineParts(of text: Substring) -> [HiddenPart] {
        var parts = text.split(whereSeparator: \.isWhitespace).filter { $0.contains("://") }.flatMap(urlParts)
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let before = rest[..<equals].reversed().drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            let name = String(before.reversed())
            rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            guard meansSecret(name[...]) else { continue }
            let quote = rest.first.flatMap { "\"'".contains($0) ? $0 : nil }
            // What follows a quotation mark belongs to the value until the next one.
            let body = quote == nil ? rest : rest.dropFirst()
            let end = body.firstIndex { quote == nil ? $0.isWhitespace : $0 == quote } ?? rest.endIndex
            parts.append((rest.startIndex..<end, "***", false))
            rest = rest[end...]
        }
        return parts.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Parameters

    /// The ranges of all values in `NAME=VALUE` that are secret by their name or by their content.
    private static func secretValues(of text: Substring) -> [Range<String.Index>] {
        var values: [Range<String.Index>] = []
        var rest = text
        // A value that contains others has been searched with them.
        var searched = text.startIndex
        while let equals = rest.firstIndex(of: "=") {
            let before = rest[..<equals]
            let name = before.lastIndex(where: "/?&;#,:@~! ".contains).map { before[$0...].dropFirst() } ?? before
            rest = rest[rest.index(after: equals)...]
            var isSecret = meansSecret(name)
            if !isSecret, rest.startIndex >= searched {
                let value = rest.prefix { $0 != "&" }
                isSecret = leadsToSecret(value)
                searched = value.endIndex
            }
            guard isSecret else { continue }
            let end = endOfValue(rest)
            values.append(rest.startIndex..<end)
            rest = rest[end...]
        }
        return values
    }

    /// The end of a value: an `&` that is followed by `NAME=`, because any other may belong to a password.
    private static func endOfValue(_ text: Substring) -> String.Index {
        text.indices.first { index in
            guard text[index] == "&" else { return false }
            let next = text[text.index(after: index)...].prefix { $0 != "&" }
            return next.contains("=")
        } ?? text.endIndex
    }

    /// Whether a value is a percent-encoded URL that contains secrets.
    private static func leadsToSecret(_ value: Substring) -> Bool {
        guard value.contains("%"), let url = percentDecoded(value, isLenient: true) else { return false }
        return hidden(in: url) != url
    }

    /// Whether a parameter of this name is a secret.
    private static func meansSecret(_ name: Substring) -> Bool {
        let name = percentDecoded(name) ?? String(name)
        let parts = [
            "passw", "passphrase", "userpas", "loginpas", "pwd", "pswd", "token", "bearer", "secret", "signature",
            "credential", "session", "streamid", "md5", "sha1", "sha256", "oauth", "nonce", "cookie", "playpath",
        ]
        let whole = name.lowercased()
        if parts.contains(where: whole.contains) || whole.hasSuffix("key") { return true }
        // Short names only as whole words: keyframes, author and compass are not secrets.
        let words: Set = [
            "ak", "auth", "authorization", "code", "cred", "creds", "digest", "hash", "hdnea", "hdntl", "hdnts", "hmac",
            "jwt", "key", "login", "mac", "otp", "p", "pass", "passcode", "pin", "policy", "psk", "psw", "pw", "sas",
            "sid", "sig", "sign", "sk", "st", "ticket", "tk", "verify",
        ]
        // accessKeyId is access, key, id.
        let spaced = name.replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2)" }
        return spaced.split { !$0.isLetter }.contains { words.contains($0.lowercased()) }
    }

    /// Decodes `%20` and the like.
    ///
    /// - Parameters:
    ///   - text: what is decoded.
    ///   - isLenient: whether broken escapes are kept as they are, and what is not text is replaced.
    /// - Returns: the text; `nil` if an escape is broken or the result is not text.
    package static func percentDecoded(_ text: Substring, isLenient: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(digit)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else if byte == UInt8(ascii: "%"), !isLenient {
                return nil
            } else {
                bytes.append(byte)
            }
        }
        return isLenient ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
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
