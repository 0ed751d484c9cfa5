import FFmpegMedia
import Glibc
import MediaIO
import VitrailSupport

/// A wall that another program has saved: a list of addresses, cctv-viewer's presets, a playlist of GridPlayer.
struct ForeignWall {
    /// The most bytes of a file.
    static let maximumBytes = 1 << 20

    /// The same wall here.
    let document: WallDocument
    /// What of it cannot be kept, a line for each kind.
    let notes: [String]
    /// Whether an address in it has a password.
    let hasPassword: Bool

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - wall: which of its walls, from 1; `nil` for the one that was shown last.
    /// - Throws: ``ProgramError/Status/cannotOpen``, with the line if there is one.
    init(path: String, wall: Int? = nil) throws(ProgramError) {
        let name = MediaLocation.hidingSecrets(in: path)
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        let resolved = realpath(String(parent), nil)
        defer { free(resolved) }
        let folder = resolved.map { String(cString: $0) } ?? String(parent)
        do throws(ConversionProblem) {
            try self.init(try Self.bytes(of: path), path: path, folder: folder == "/" ? "" : folder, wall: wall)
        } catch {
            let place = error.line.map { "\(name), line \($0)" } ?? name
            throw ProgramError(error.isUsage ? .usage : .cannotOpen, "\(place): \(error.message)")
        }
    }

    /// Reads what is in a file: which format it is, its content says first, then the ending of its name.
    ///
    /// - Parameters:
    ///   - bytes: all of the file.
    ///   - path: the path of the file.
    ///   - folder: from which relative paths start, without a slash at the end.
    ///   - wall: which of its walls, from 1; `nil` for the one that was shown last.
    /// - Throws: ``ConversionProblem``.
    init(_ bytes: [UInt8], path: String, folder: String, wall: Int? = nil) throws(ConversionProblem) {
        let text = String(String(decoding: bytes, as: UTF8.self).trimmingPrefix("\u{FEFF}"))
        let number = wall
        var wall = WallConversion(folder: folder)
        let start = text.drop(while: \.isWhitespace)
        let ending = pathExtension(path) ?? ""
        if Self.isJSON(start) {
            let json = try JSONValue(text, "it")
            if json["presets"] != .null || json.list != nil || (json["items"] != .null && json["size"] != .null) {
                try CCTVViewerFile(export: json).convert(number, into: &wall)
            } else if json["format"].text == "gridplayer-playlist" || json["videos"] != .null {
                try Self.checkOnly(number)
                try GridPlayerFile(json: json).convert(into: &wall)
            } else {
                throw Self.unknown
            }
        } else if M3U.lines(of: String(start.prefix { !$0.isNewline })) == [GridPlayerFile.mark] {
            try Self.checkOnly(number)
            try GridPlayerFile(lines: text).convert(into: &wall)
        } else if start.hasPrefix("#EXT") || ["m3u", "m3u8"].contains(ending) {
            try Self.checkOnly(number)
            guard let list = M3U(text) else {
                throw ConversionProblem("it is one stream (HLS), and no list: open it with vitrail FILE.")
            }
            try list.convert(into: &wall)
        } else {
            let settings = QtSettings(bytes)
            guard CCTVViewerFile.matches(settings) else {
                guard ending != "gpls" else {
                    throw ConversionProblem("the first line of a playlist must be \(GridPlayerFile.mark).", line: 1)
                }
                throw Self.unknown
            }
            try CCTVViewerFile(settings).convert(number, into: &wall)
        }
        (document, notes, hasPassword) = (wall.document, wall.notes.lines, wall.hasPassword)
    }

    /// Whether a text begins as JSON does; the `[` of a group in an INI file has a name after it.
    private static func isJSON(_ start: Substring) -> Bool {
        guard start.first == "[" else { return start.first == "{" }
        return ["{", "]"].contains(start.dropFirst().first { !$0.isWhitespace })
    }

    private static var unknown: ConversionProblem {
        ConversionProblem(
            "it is no list (.m3u), no configuration or presets of cctv-viewer and no playlist of GridPlayer (.gpls).")
    }

    private static func checkOnly(_ number: Int?) throws(ConversionProblem) {
        if let number, number != 1 { throw .missing(number: number, count: 1) }
    }

    private static func bytes(of path: String) throws(ConversionProblem) -> [UInt8] {
        do throws(SmallFile.Problem) {
            return try SmallFile.bytes(at: path, limit: maximumBytes)
        } catch {
            let reason =
                switch error {
                case .cannotOpen(let number): ReadableFile.cannotOpen("it", number).description
                case .folder: ReadableFile.cannotOpen("it", EISDIR).description
                case .notRegular: "it is not a regular file."
                case .tooLarge: "it has more than \(maximumBytes >> 20) MiB, so it is no list of streams."
                case .cannotRead(let number): "it cannot be read: \(systemMessage(number))."
                }
            throw ConversionProblem(reason)
        }
    }
}

extension ConversionProblem {
    /// There is no wall of a number.
    static func missing(number: Int, count: Int) -> ConversionProblem {
        let walls = count == 1 ? "There is 1 wall" : "There are \(count) walls"
        return ConversionProblem("\(walls) in it, so --wall \(number) is none of them.", isUsage: true)
    }
}
