import ArgumentParser
import Logging
import MediaIO
import VideoWall

/// What `view` and `render` have in common: what is on the wall, and how it is divided.
struct WallOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What to show; see vitrail --help. Without any: four moving test patterns.", valueName: "input"))
    var inputs: [String] = []

    @Option(help: ArgumentHelp("Divide the wall into rows and columns, as in 2x3.", valueName: "RxC"))
    var grid: Grid?

    @Option(help: ArgumentHelp("How pictures fill their tiles: fit, fill or stretch.", valueName: "mode"))
    var content: ContentMode = .fit

    @Option(
        help: ArgumentHelp(
            "How pictures are scaled: auto, nearest, bilinear, catmull-rom, mitchell or lanczos. By itself: bilinear, and without false patterns where a picture is made much smaller.",
            valueName: "name"))
    var filter: ScalingFilter = .automatic

    @Flag(help: "Scale by averaging light instead of code values: truer, and slower.")
    var linearLight = false

    @Option(
        help: ArgumentHelp(
            "Which colours are converted to the screen's (sRGB): auto (HDR and wide gamut; plain video as it is, as players do), exact (all that differ) or off.",
            valueName: "mode"))
    var color: ColorConversionMode = .auto

    @Flag(help: "Tell on standard error what goes well, too.")
    var verbose = false

    /// The four pictures of the wall that is shown when no input is named.
    static let demo = ["bars", "gradient", "zoneplate", "clock"].map { "test:\($0)?size=960x540" }

    /// The inputs, read.
    ///
    /// - Throws: ``ProgramError/Status/usage``.
    func specifications() throws(ProgramError) -> [InputSpecification] {
        var all: [InputSpecification] = []
        for text in inputs.isEmpty ? Self.demo : inputs { all.append(try InputSpecification(text)) }
        guard all.count(where: { $0.kind == .standardInput }) <= 1 else {
            throw ProgramError(.usage, "Standard input (-) can be one input only; give the others as files.")
        }
        if let grid, grid.rows * grid.columns < all.count {
            throw ProgramError(
                .usage, "A grid of \(grid.rows)x\(grid.columns) has no room for \(all.count) inputs; make it larger.")
        }
        return all
    }

    /// The layout that was asked for.
    var layout: GridLayout { GridLayout(rows: grid?.rows, columns: grid?.columns, gap: 2) }

    /// How pictures are shown.
    var style: PictureStyle {
        PictureStyle(
            contentMode: content, filter: filter, scalesInLinearLight: linearLight, colorConversion: color)
    }

    /// Where the program says what it does.
    var logger: Logger { LineLogHandler.logger(verbose: verbose) }
}

/// Rows and columns, as in `2x3`.
struct Grid: Hashable, ExpressibleByArgument {
    let rows: Int
    let columns: Int

    init?(argument: String) {
        guard let size = VideoSize(argument), size.width <= 1000, size.height <= 1000 else { return nil }
        (rows, columns) = (size.width, size.height)
    }
}
