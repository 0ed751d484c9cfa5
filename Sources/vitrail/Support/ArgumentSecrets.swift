import FFmpegMedia
import VitrailSupport

/// Hides the secrets in the program's arguments, such as passwords in URLs, from all that the program prints.
///
/// Messages may quote parts of an argument: an effect chain `rtsp://me:secret@door`, for example, is split at colons.
enum ArgumentSecrets {
    /// Replaces each secret of the arguments, and each word of three or more characters in a secret, by `***`.
    ///
    /// - Parameters:
    ///   - text: what is to be printed.
    ///   - arguments: the arguments of the command line.
    /// - Returns: `text` itself if it contains no secret.
    static func hide(in text: String, _ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> String {
        var secrets: Set<String> = []
        for argument in arguments {
            for secret in Secrets.all(in: argument) {
                for form in [String(secret), Secrets.percentDecoded(secret) ?? ""] where !form.isEmpty {
                    secrets.insert(form)
                    let parts = form.split { !$0.isLetter && !$0.isNumber }
                    // A shorter part occurs in many texts by chance, and reveals little.
                    secrets.formUnion(parts.filter { $0.count >= 3 }.map(String.init))
                }
            }
        }
        // The longest first, because a shorter one may be a part of it.
        return secrets.sorted { ($0.count, $0) > ($1.count, $1) }.reduce(text, replace)
    }

    /// Replaces a secret by `***` wherever it is not a part of a longer word.
    private static func replace(in text: String, _ secret: String) -> String {
        var result = ""
        var position = text.startIndex
        for range in text.ranges(of: secret) where range.lowerBound >= position {
            let before = text[..<range.lowerBound].last
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
            guard !joins(before, secret.first), !joins(secret.last, after) else { continue }
            result += text[position..<range.lowerBound] + "***"
            position = range.upperBound
        }
        return result + text[position...]
    }

    /// Whether two characters belong to one word.
    private static func joins(_ left: Character?, _ right: Character?) -> Bool {
        guard let left, let right else { return false }
        return (left.isLetter || left.isNumber) && (right.isLetter || right.isNumber)
    }
}
