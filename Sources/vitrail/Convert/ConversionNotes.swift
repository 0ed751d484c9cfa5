/// What a wall file cannot hold of another program's file: one line for each kind, with counts.
///
/// No line quotes a value of the file, because any of them may be a password.
struct ConversionNotes {
    /// The kinds of what is lost or changed, in the order of their lines.
    enum Kind: Int, CaseIterable {
        /// Addresses that Vitrail cannot open, by reason.
        case addresses
        /// Tiles beyond the most that are converted.
        case excess
        /// Addresses in cells that a larger tile covers.
        case covered
        /// Videos that no cell of the grid names.
        case loose
        /// Second smaller pictures of the same camera.
        case streams
        /// Volumes above 0.
        case volume
        /// Speeds of playing.
        case rate
        /// Crops in pixels from the edges, which need the size of the picture.
        case crop
        /// Parts of a video that are repeated.
        case section
        /// Videos that are followed by the others of their folder.
        case folder
        /// Qualities of a web video.
        case quality
        /// Colours of the border.
        case color
        /// Cameras with encryption that nobody verifies.
        case trust
        /// Options of FFmpeg, by name.
        case mediaOptions
        /// Options of a player in comments of a list, by name.
        case playerOptions
        /// Values that are not understood, by name.
        case values
        /// Lines that are not understood, by number.
        case lines
    }

    private var counts: [Kind: [String: Int]] = [:]
    private var remarks: [String] = []

    /// Counts something.
    ///
    /// - Parameters:
    ///   - kind: what it is.
    ///   - detail: which of its kind; never a value from the file.
    mutating func add(_ kind: Kind, _ detail: String = "") { counts[kind, default: [:]][detail, default: 0] += 1 }

    /// Adds a line of its own.
    mutating func remark(_ line: String) { remarks.append(line) }

    /// The lines.
    var lines: [String] {
        remarks
            + Kind.allCases.compactMap { kind in
                counts[kind].map { Self.line(kind, $0.values.reduce(0, +), Self.list($0)) }
            }
    }

    private static func line(_ kind: Kind, _ count: Int, _ details: String) -> String {
        let tiles = count == 1 ? "1 tile" : "\(count) tiles"
        let (have, need, are) = count == 1 ? ("has", "needs", "is") : ("have", "need", "are")
        return switch kind {
        case .addresses: "Addresses that Vitrail cannot open are left out: \(details)."
        case .excess: "\(tiles) \(are) left out: \(WallConversion.mostInputs) are the most on a wall."
        case .covered: "\(tiles) \(are) left out, which a larger one covers."
        case .loose: "\(tiles) \(have) no cell in the grid, and so no place."
        case .streams: "\(tiles) \(have) a third stream, which is not kept: a wall has one smaller stream (substream)."
        case .volume: "The volume of \(tiles) is not kept: Vitrail plays no sound."
        case .rate: "The speed of \(tiles) is not kept: Vitrail plays at the video's own."
        case .crop:
            "The crop of \(tiles) is not kept, because the size of the picture is not known: set crop to WxH+X+Y."
        case .section: "The part that repeats of \(tiles) is not kept: Vitrail repeats whole files."
        case .folder: "\(tiles) would go on with the next file of the folder, which Vitrail does not."
        case .quality: "The quality of \(tiles) is not kept: it is for addresses of web pages."
        case .color: "The colour of \(tiles) is not kept."
        case .trust:
            "\(tiles) with rtsps:// \(need) tls set to insecure, if you trust the network: FFmpeg cannot verify such servers."
        case .mediaOptions: "Options of FFmpeg are not kept: \(details)."
        case .playerOptions: "Options for other players are not kept: \(details)."
        case .values: "Values that are not understood are not kept: \(details)."
        case .lines: "What is not understood is not kept: \(details)."
        }
    }

    /// The most details in a line.
    private static let mostDetails = 8

    private static func list(_ counts: [String: Int]) -> String {
        let all = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = all.prefix(mostDetails).map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value))" }
        return shown.joined(separator: ", ") + (all.count > mostDetails ? " and \(all.count - mostDetails) more" : "")
    }

    /// A name from a file as it may stand in a line: without anything that is not usual in names.
    static func name(_ text: String) -> String {
        let isUsual = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "_-+.".utf8.contains(byte)
        }
        return isUsual && (1...40).contains(text.utf8.count) ? text : "another"
    }
}

/// Why a file of another program cannot be converted.
struct ConversionProblem: Error {
    /// What is wrong, and what to do.
    let message: String
    /// The line of the file, from 1.
    var line: Int?
    /// Whether the command line is wrong, and not the file.
    var isUsage = false

    init(_ message: String, line: Int? = nil, isUsage: Bool = false) {
        (self.message, self.line, self.isUsage) = (message, line, isUsage)
    }
}
