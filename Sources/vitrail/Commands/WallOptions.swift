import ArgumentParser
import Logging
import MediaIO
import VideoWall

/// The options that `view` and `render` share: the inputs, and how the wall is divided.
struct WallOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Stream to show, see vitrail --help; or a wall file (.toml, .json) or the name of a saved wall; by default four moving test patterns.",
            valueName: "input"), completion: .file())
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "How the wall is divided: grid (by default), spotlight, strip, pip or free.", valueName: "kind"))
    var layout: LayoutSettings.Kind?

    @Option(help: ArgumentHelp("Rows and columns of the grid, as in 2x3.", valueName: "RxC"))
    var grid: Grid?

    @Option(help: ArgumentHelp("Gap between two tiles; by default 2.", valueName: "pixels"))
    var gap: Int?

    @Option(help: ArgumentHelp("Margin around all tiles; by default 0.", valueName: "pixels"))
    var margin: Int?

    @Option(help: ArgumentHelp("Show so many tiles at once, on several pages.", valueName: "tiles"))
    var pageSize: Int?

    @Option(help: ArgumentHelp("Content mode of the tiles: fit, fill or stretch.", valueName: "mode"))
    var content: ContentMode?

    @Option(
        help: ArgumentHelp(
            "Scaling filter: auto, nearest, bilinear, catmull-rom, mitchell or lanczos; auto is bilinear, with antialiasing where a frame is reduced (without a GPU, where that is slow, to less than two thirds).",
            valueName: "name"))
    var filter: ScalingFilter?

    @Flag(help: "Scale in linear light: more accurate, but slower.")
    var linearLight = false

    @Option(
        help: ArgumentHelp(
            "Conversion to the screen's colours (sRGB): auto (only HDR and wide gamut, as players do), exact (all that differ) or off.",
            valueName: "mode"))
    var color: ColorConversionMode?

    @OptionGroup var effects: EffectOptions

    @Flag(help: "Also log informational messages.")
    var verbose = false

    /// The four test patterns that are shown if no input is named.
    static let demo = ["bars", "gradient", "zoneplate", "clock"].map { "test:\($0)?size=960x540" }

    func validate() throws {
        for (name, value) in [("gap", gap), ("margin", margin)] {
            guard let value, !(0...1000).contains(value) else { continue }
            throw ValidationError("The value of --\(name) must be a number of pixels from 0 to 1000, not \(value).")
        }
        if let pageSize, !(1...1000).contains(pageSize) {
            throw ValidationError("The value of --page-size must be a number of tiles from 1 to 1000, not \(pageSize).")
        }
        if let layout, layout != .grid, grid != nil {
            throw ValidationError("--grid is for --layout grid, not \(layout.rawValue): omit one of them.")
        }
    }

    /// Whether no input is named.
    var isDemo: Bool { inputs.isEmpty }

    /// The wall that the command line describes.
    struct Wall {
        /// The wall.
        var document: WallDocument
        /// The file that it was read from; `nil` without one.
        var file: WallFile?
        /// The inputs as they were typed; empty on the demo wall.
        var inputs: [String]
        /// Applies the rest of the command line to another version of the file.
        var commandLine: (inout WallDocument) throws(ProgramError) -> Void

        /// What of it is recent from now on.
        var opened: [RecentList.Entry?] {
            [document.inputs.isEmpty ? nil : file.map { .init(wallFile: $0.path) }]
                + inputs.prefix(RecentList.mostEntries).map { .init(typed: $0) }
        }
    }

    /// The wall that the command line describes.
    ///
    /// - Throws: ``ProgramError/Status/usage``, or ``ProgramError/Status/cannotOpen`` for a wall file.
    func wall() throws(ProgramError) -> Wall {
        var (paths, rest): ([String], [String]) = ([], [])
        for input in inputs {
            if let path = WallNames.path(of: input) { paths.append(path) } else { rest.append(input) }
        }
        guard paths.count <= 1 else {
            throw ProgramError(
                .usage, "\(paths[0]) and \(paths[1]) are walls: show one of them, or include one in the other.")
        }
        var file: WallFile?
        if let path = paths.first {
            do throws(WallFileError) { file = try WallFile.read(path) } catch { throw error.programError }
            for note in file?.notes ?? [] { logger.warning("\(note)") }
        }
        let others = isDemo ? Self.demo : rest
        var wall = Wall(document: file?.document ?? WallDocument(), file: file, inputs: rest) {
            [self] document throws(ProgramError) in
            try apply(others, to: &document)
        }
        try wall.commandLine(&wall.document)
        return wall
    }

    /// Applies inputs and options of the command line to a wall.
    private func apply(_ inputs: [String], to document: inout WallDocument) throws(ProgramError) {
        for text in inputs {
            for specification in try AddressList.inputs(text) {
                for note in specification.notes { logger.notice("\(note)") }
                document.add(WallInput(specification))
            }
        }
        document.layout.kind = layout ?? (grid == nil ? document.layout.kind : .grid)
        if let grid { (document.layout.rows, document.layout.columns) = (grid.rows, grid.columns) }
        document.layout.gap = gap ?? document.layout.gap
        document.layout.margin = margin ?? document.layout.margin
        document.pages.size = pageSize ?? document.pages.size
        document.look.content = content ?? document.look.content
        document.look.filter = filter ?? document.look.filter
        document.look.color = color ?? document.look.color
        if linearLight { document.look.linearLight = true }
        try effects.apply(to: &document, logger)
        if let grid, document.pages.size == nil, grid.rows * grid.columns < document.inputs.count {
            throw ProgramError(
                .usage,
                "A grid of \(grid.rows)x\(grid.columns) has no room for \(document.inputs.count) inputs; make it larger, or show pages with --page-size \(grid.rows * grid.columns)."
            )
        }
    }

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

extension LayoutSettings.Kind: ExpressibleByArgument {}
