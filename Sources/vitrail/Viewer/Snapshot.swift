import Glibc
import MediaIO
import VideoWall

/// Saves what is on the wall as a PNG file in the current folder.
enum Snapshot {
    /// Draws the wall once more, into memory, and saves it under a name that is free.
    ///
    /// - Parameters:
    ///   - wall: what to save.
    ///   - renderer: draws it.
    ///   - size: of the picture.
    ///   - files: where files under way are noted.
    /// - Returns: the name of the file.
    /// - Throws: ``ProgramError``.
    static func save(_ wall: Wall, _ renderer: any WallRenderer, size: VideoSize, _ files: TemporaryFiles)
        throws(ProgramError) -> String
    {
        let picture: any OffscreenTarget
        do throws(RenderingError) {
            picture = try renderer.makeOffscreenTarget(size: size)
            try renderer.render(wall, into: picture)
        } catch {
            throw ProgramError(error)
        }
        var encoder = PictureEncoder()
        let bytes = try encoder.encode(picture)
        let path = name(at: time(nil)) { access($0, F_OK) == 0 }
        let file = try OutputFile(path, files)
        try file.write(bytes)
        try file.commit()
        return path
    }

    /// `vitrail-YYYYMMDD-HHMMSS.png` in local time, with `-2`, `-3` … where that is taken.
    ///
    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - isTaken: whether a name is.
    /// - Returns: a name that is free.
    static func name(at seconds: Int, isTaken: (String) -> Bool) -> String {
        var (seconds, parts) = (seconds, tm())
        localtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2)
        let clock = digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2)
        let stem = "vitrail-\(day)-\(clock)"
        var name = stem + ".png"
        var number = 2
        while isTaken(name) {
            name = "\(stem)-\(number).png"
            number += 1
        }
        return name
    }
}
