import ArgumentParser
import Logging
import MediaIO
import VideoWall

/// The options that `view` and `render` share: the inputs, and how the wall is divided.
struct WallOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Stream to show, see vitrail --help; by default four moving test patterns.", valueName: "input"))
    var inputs: [String] = []

    @Option(help: ArgumentHelp("Rows and columns of the wall, as in 2x3.", valueName: "RxC"))
    var grid: Grid?

    @Option(help: ArgumentHelp("Content mode of the tiles: fit, fill or stretch.", valueName: "mode"))
    var content: ContentMode = .fit

    @Option(
        help: ArgumentHelp(
            "Scaling filter: auto, nearest, bilinear, catmull-rom, mitchell or lanczos; auto is bilinear, with antialiasing where a frame is reduced (without a GPU, where that is slow, to less than two thirds).",
            valueName: "name"))
    var filter: ScalingFilter = .automatic

    @Flag(help: "Scale in linear light: more accurate, but slower.")
    var linearLight = false

    @Option(
        help: ArgumentHelp(
            "Conversion to the screen's colours (sRGB): auto (only HDR and wide gamut, as players do), exact (all that differ) or off.",
            valueName: "mode"))
    var color: ColorConversionMode = .auto

    @OptionGroup var effects: EffectOptions

    @Flag(help: "Also log informational messages.")
    var verbose = false

    /// The four test patterns that are shown if no input is named.
    static let demo = ["bars", "gradient", "zoneplate", "clock"].map { "test:\($0)?size=960x540" }

    /// The parsed inputs, and how frames are shown.
    ///
    /// - Throws: ``ProgramError/Status/usage``.
    func parsed() throws(ProgramError) -> (inputs: [InputSpecification], style: PictureStyle) {
        var inputs = try specifications()
        let chains = try effects.chains(for: &inputs, logger)
        let style = PictureStyle(
            contentMode: content, filter: filter, scalesInLinearLight: linearLight, colorConversion: color,
            effects: chains)
        return (inputs, style)
    }

    private func specifications() throws(ProgramError) -> [InputSpecification] {
        var all: [InputSpecification] = []
        for text in inputs.isEmpty ? Self.demo : inputs { all += try AddressList.inputs(text) }
        guard all.count(where: { $0.kind == .standardInput }) <= 1 else {
            throw ProgramError(.usage, "Standard input (-) can be used once only; name files for the other inputs.")
        }
        if let grid, grid.rows * grid.columns < all.count {
            throw ProgramError(
                .usage, "A grid of \(grid.rows)x\(grid.columns) has no room for \(all.count) inputs; make it larger.")
        }
        return all
    }

    /// The requested layout.
    var layout: GridLayout { GridLayout(rows: grid?.rows, columns: grid?.columns, gap: 2) }

    /// The program's log.
    var logger: Logger { LineLogHandler.logger(level: verbose ? .info : .notice) }
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
