import ArgumentParser
import MediaIO
import VideoWall
import VitrailGL
import WindowGL

/// `vitrail view`: the wall in a window.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show the wall in a window (the default command).",
        discussion: """
            vitrail a.mp4 b.mkv 'c.y4m?loop'     three files, the last one looped
            vitrail a.mp4 'b.mp4?rotate=90&label=Back%20door'
            ffmpeg … -f yuv4mpegpipe - | vitrail -

            Keys and mouse
              Esc, q        close                f        fullscreen on, off
              Space         pause, resume        s        save a PNG here
              1 … 9         only that tile; the same digit again: all
              Left, Right   the previous or next tile; Up, Down, 0: all
              double click  only that tile; again: all
              i             statistics
              p             the pixel under the mouse: its samples, its colour
              e             effects on, off for the only visible tile, or else
                            under the mouse, or else the wall; [ and ] choose a
                            parameter, - and + change it; w saves all effects in
                            vitrail-effects.json, or the file of --preset
              m, r, c, u    other colours for the only visible tile, or else under
                            the mouse: matrix, range, chroma siting, U and V
                            swapped; Backspace: as at first
            Files dropped on the window are added to the wall.

            A saved effect file is read again at once. With --control, each line of
            standard input is a JSON object that changes effects:
              {"set": {"blur.radius": 8}, "tile": 2}      without tile: everywhere
              {"effects": "blur,grayscale", "tile": 1}    or "wall": true
              {"on": false}  {"preset": "a.json"}  {"save": "a.json"}

            If an input cannot be opened, its tile says why; the others continue.
            A live network stream that is lost, and any that is not available yet,
            is retried after 1, 2, 4 … 30 seconds; a live one resumes at the
            present moment after a pause.
            If none of the named files exists, no window opens. The exit status is
            66 if no input could be opened, and 1 if one could not or failed later.
            A live stream that was shown and lost does not count, nor do files
            dropped on the window.
            """)

    @OptionGroup var wall: WallOptions

    @Option(help: ArgumentHelp("Window size; by default 1280x720.", valueName: "WxH"))
    var size = VideoSize(width: 1280, height: 720)

    @Option(help: ArgumentHelp("Window title.", valueName: "text"))
    var title: String?

    @Flag(help: "Start in fullscreen.")
    var fullscreen = false

    @Flag(help: "Start with the statistics shown.")
    var statistics = false

    @Flag(name: .customLong("no-vsync"), help: "Do not wait for vertical sync.")
    var noVSync = false

    @Flag(help: "Read JSON lines from standard input that change effects.")
    var control = false

    @Option(
        help: ArgumentHelp(
            """
            Effects that take longer for a picture are bypassed until e is pressed; 0 for never; by default 100, \
            without a GPU 1000.
            """, valueName: "milliseconds"))
    var effectBudget: Double?

    @Option(help: ArgumentHelp("Close the window after this time.", valueName: "seconds"))
    var quitAfter: Double?

    func validate() throws {
        if let effectBudget, !(0...1e9).contains(effectBudget) {
            throw ValidationError(
                "The value of --effect-budget must be a number of milliseconds, 0 or more, not \(effectBudget).")
        }
        if let quitAfter, !(0...1e9).contains(quitAfter) {
            throw ValidationError("The value of --quit-after must be a number of seconds, 0 or more, not \(quitAfter).")
        }
    }

    func run() throws {
        let (specifications, style) = try wall.parsed()
        try checkFiles(specifications)
        let files = TemporaryFiles()
        try files.removeOnSignals()
        let viewer = try makeViewer(specifications, style, files)
        for specification in specifications { viewer.add(specification) }
        if let preset = wall.effects.preset { viewer.presetPath = preset }
        viewer.watchEffects()
        if control { try readControl(viewer, specifications) }
        if statistics { viewer.toggleStatistics() }
        let clock = ContinuousClock()
        let status = try viewer.run(until: quitAfter.map { clock.now + .seconds($0) })
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Only the viewer retains its window, so that it can replace it.
    private func makeViewer(
        _ specifications: [InputSpecification], _ style: PictureStyle, _ files: TemporaryFiles
    ) throws -> Viewer {
        let window = try openWindow(specifications)
        let information = window.context.information
        for specification in specifications { try specification.checkSize(information.maximumTextureSize) }
        let viewer = try Viewer(window, layout: wall.layout, style: style, files, wall.logger)
        let budget = effectBudget ?? (information.isSoftware ? 1000 : 100)
        viewer.wall.effectBudget = budget > 0 ? .milliseconds(budget) : nil
        return viewer
    }

    private func readControl(_ viewer: Viewer, _ specifications: [InputSpecification]) throws(ProgramError) {
        guard !specifications.contains(where: { $0.kind == .standardInput }) else {
            throw ProgramError(.usage, "Standard input cannot be both an input (-) and --control; use one of them.")
        }
        do throws(StreamError) { try viewer.readControl() } catch { throw ProgramError(.failed, error.description) }
    }

    /// Throws if all inputs are files and none of them exists, so that no window opens.
    private func checkFiles(_ specifications: [InputSpecification]) throws {
        let missing = specifications.compactMap(\.path).filter { !InputSpecification.fileExists($0) }
        guard missing.count == specifications.count else { return }
        var failures = InputFailures(of: missing.count, wall.logger)
        for (index, path) in missing.enumerated() {
            failures.add(StreamError(.cannotOpen, "\(path) does not exist: check the path."), of: index)
        }
        try failures.checkAny()
    }

    private func openWindow(_ specifications: [InputSpecification]) throws(ProgramError) -> Window {
        var options = WindowOptions()
        options.isFullscreen = fullscreen
        options.isVSyncOn = !noVSync
        let name = specifications.count == 1 ? specifications.first.map { "\($0.name) – Vitrail" } : nil
        do throws(WindowError) {
            return try Window(
                title: title ?? name ?? "Vitrail", size: size,
                options: options)
        } catch {
            switch error.code {
            case .badSize: throw ProgramError(.usage, error.description)
            case .noDisplay, .noOpenGL: throw ProgramError(.unavailable, error.description)
            default: throw ProgramError(.failed, error.description)
            }
        }
    }
}
