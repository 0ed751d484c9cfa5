import FFmpegMedia
import MediaIO

/// The form of the output, from the extension of `--output`.
enum OutputSpecification: Hashable, Sendable {
    /// One picture.
    case picture(path: String)
    /// One picture per frame, each with its number in its name.
    case series(PictureSeries)
    /// Raw video in a file.
    case y4m(path: String)
    /// Raw video on standard output.
    case standardOutput
    /// Encoded video in a file.
    case encoded(path: String, MediaContainer)

    /// Whether it is encoded.
    var isEncoded: Bool { if case .encoded = self { true } else { false } }

    /// Reads the value of `--output`.
    ///
    /// - Throws: ``ProgramError/Status/usage``, naming the supported extensions.
    init(_ text: String) throws(ProgramError) {
        let ending = pathExtension(text)
        if text == "-" {
            self = .standardOutput
        } else if ending == "y4m" {
            self = .y4m(path: text)
        } else if ending == "png" {
            self = try PictureSeries(text).map { .series($0) } ?? .picture(path: text)
        } else if let container = MediaContainer(path: text) {
            self = .encoded(path: text, container)
        } else {
            throw ProgramError(
                .usage,
                "The output “\(MediaLocation.hidingSecrets(in: text))” has an unknown extension: use .png (one picture), -%04d.png (a series), .mp4, .mov, .mkv, .webm or .ts (encoded) or .y4m (raw video), or - for Y4M on standard output."
            )
        }
    }
}

/// File names with a number in them.
///
/// `wall-%04d.png` gives `wall-0000.png`, `wall-0001.png` and so on.
struct PictureSeries: Hashable, Sendable {
    private let before: String
    private let digits: Int
    private let after: String

    /// Reads a name with `%d` or `%04d` in it; `nil` if it has neither.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if it has more than one, or more than 18 digits.
    init?(_ text: String) throws(ProgramError) {
        let marks = text.matches(of: /%(?:0([0-9]+))?d/)
        guard let mark = marks.first else { return nil }
        let digits = mark.output.1.map { Int($0) ?? .max } ?? 1
        guard marks.count == 1, digits <= 18 else {
            throw ProgramError(
                .usage,
                "The output “\(MediaLocation.hidingSecrets(in: text))” can have only one number, of at most 18 digits: write it once, as in wall-%04d.png."
            )
        }
        self.before = String(text[..<mark.range.lowerBound])
        self.digits = digits
        self.after = String(text[mark.range.upperBound...])
    }

    /// The name of picture `index`, which counts from 0.
    func path(_ index: Int) -> String {
        let number = "\(index)"
        return before + String(repeating: "0", count: max(0, digits - number.count)) + number + after
    }
}
