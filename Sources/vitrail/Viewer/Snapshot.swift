import Glibc
import MediaIO
import VideoWall

/// Saves the wall as a PNG file in the current folder.
enum Snapshot {
    /// Draws the wall offscreen and saves it under an unused name.
    ///
    /// - Parameters:
    ///   - wall: the wall to save.
    ///   - renderer: draws it.
    ///   - size: the size of the picture.
    ///   - files: records the incomplete file.
    /// - Returns: the name of the file.
    /// - Throws: ``ProgramError``, `RenderingError`.
    static func save(
        _ wall: Wall, _ renderer: any WallRenderer, size: VideoSize, _ files: TemporaryFiles
    ) throws -> String {
        let picture = try renderer.makeOffscreenTarget(size: size)
        try renderer.render(wall, into: picture)
        var encoder = PictureEncoder()
        let bytes = try encoder.encode(picture)
        let path = name(at: time(nil)) { access($0, F_OK) == 0 }
        let file = try OutputFile(path, files)
        try file.write(bytes)
        try file.commit()
        return path
    }

    /// Returns `vitrail-YYYYMMDD-HHMMSS.png` in local time, with `-2`, `-3` … if that is in use.
    ///
    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - isTaken: whether a name is in use.
    /// - Returns: an unused name.
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
