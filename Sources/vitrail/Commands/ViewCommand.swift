import ArgumentParser
import MediaIO
import VideoWall
import VitrailGL
import WindowGL

/// `vitrail view`: the wall in a window.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Shows the wall in a window; the command when none is named.",
        discussion: """
            vitrail a.mp4 b.mkv 'c.y4m?loop'     three files, the last over and over
            vitrail a.mp4 'b.mp4?rotate=90&label=Back%20door'
            ffmpeg … -f yuv4mpegpipe - | vitrail -

            In the window
              Esc, q        close                f        fullscreen and back
              Space         pause, go on         s        save a PNG here
              1 … 9         one tile alone, the same digit again: all
              Left, Right   the tile before and after; Up, Down, 0: all
              double click  that tile alone, again: all
              i             how the streams are doing
              p             the pixel under the mouse: its samples, its colour
              m, r, c, u    other colours for the tile shown alone, or else under
                            the mouse: matrix, range, place of chroma, U and V
                            swapped; Backspace: as the picture says
            Files that are dropped on the window are added to the wall.

            An input that cannot be opened says so on its tile; the others go on.
            A network stream that is lost or not there yet is tried again, after
            1, 2, 4 … 30 seconds; a live one shows what is now when it goes on
            after a pause.
            When none of the files named is there, no window opens. The exit status
            is 66 when no input could be opened, and 1 when some could not or broke
            off; files dropped on the window do not count.
            """)

    @OptionGroup var wall: WallOptions

    @Option(help: ArgumentHelp("Of the window; by default 1280x720.", valueName: "WxH"))
    var size = VideoSize(width: 1280, height: 720)

    @Option(help: ArgumentHelp("Of the window.", valueName: "text"))
    var title: String?

    @Flag(help: "Fill the screen from the beginning.")
    var fullscreen = false

    @Flag(help: "Show how the streams are doing from the beginning.")
    var statistics = false

    @Flag(name: .customLong("no-vsync"), help: "Do not wait for the screen.")
    var noVSync = false

    @Option(help: ArgumentHelp("Close the window after so long.", valueName: "seconds"))
    var quitAfter: Double?

    func validate() throws {
        if let quitAfter, !(0...1e9).contains(quitAfter) {
            throw ValidationError("The value of --quit-after is a number of seconds, 0 or more, not \(quitAfter).")
        }
    }

    func run() throws {
        let specifications = try wall.specifications()
        try checkFiles(specifications)
        let files = TemporaryFiles()
        try files.removeOnSignals()
        let window = try openWindow(specifications)
        let limit = window.context.information.maximumTextureSize
        for specification in specifications { try specification.checkSize(limit) }
        let viewer = try Viewer(window, layout: wall.layout, style: wall.style, files, wall.logger)
        for specification in specifications { viewer.add(specification) }
        if statistics { viewer.toggleStatistics() }
        let clock = ContinuousClock()
        let status = try viewer.run(until: quitAfter.map { clock.now + .seconds($0) })
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Opens no window for files of which none is there.
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
                title: title ?? name ?? "Vitrail", size: PixelSize(width: size.width, height: size.height),
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
