import ArgumentParser
import MediaIO
import VideoWall

/// Which part of the wall is shown, where several screens show it together.
struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Show a part of the wall only: columns and rows of all screens, column and row of this one from 0. 2x2+1+0 is \
            the upper right of four.
            """, valueName: "CxR+X+Y"))
    var part: WallPart?

    @Option(
        help: ArgumentHelp(
            "With --part: the pixels of the wall that the frames between two screens hide; by default 0.",
            valueName: "pixels"))
    var bezel: Int?

    func validate() throws {
        guard let bezel else { return }
        guard (0...WallPart.maximumBezel).contains(bezel) else {
            throw ValidationError(
                "The value of --bezel must be a number of pixels from 0 to \(WallPart.maximumBezel), not \(bezel).")
        }
        if part == nil { throw ValidationError("--bezel is for one of several screens: add --part, as in 2x2+1+0.") }
    }

    /// The part.
    var wallPart: WallPart {
        var part = part ?? .whole
        part.bezel = bezel ?? 0
        return part
    }
}
