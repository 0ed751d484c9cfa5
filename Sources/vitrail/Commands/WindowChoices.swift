import ArgumentParser
import Glibc
import HeadlessGL
import Logging
import MediaIO
import VideoWall
import VitrailGL
import WallRendering
import WindowGL

/// The options of a window with a wall in it.
struct WindowChoices: ParsableArguments {
    @Option(help: ArgumentHelp("Window title.", valueName: "text"))
    var title: String?

    @Flag(help: "Start in fullscreen.")
    var fullscreen = false

    @Option(
        help: ArgumentHelp(
            "Open on this monitor, by its name or its number from 1 at the left; with --fullscreen, fill it.",
            valueName: "monitor"))
    var monitor: String?

    @Flag(help: "Start with the statistics shown.")
    var statistics = false

    @Flag(name: .customLong("no-vsync"), help: "Do not wait for vertical sync.")
    var noVSync = false

    @OptionGroup var drawing: RendererOptions

    @OptionGroup var decoding: DecodingOptions

    @Option(
        help: ArgumentHelp(
            """
            Effects that take longer for a picture are drawn smaller, then less often, then not at all, until there is \
            time again; 0 for never; by default 33.
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

    /// Opens the window and shows a wall in it until it is closed.
    ///
    /// - Parameters:
    ///   - document: the wall; if all its inputs are files and none exists, no window opens.
    ///   - arguments: the inputs on the command line.
    ///   - demo: an input that `fill` puts on the wall; `nil` for none.
    ///   - size: the size of the window.
    ///   - reason: why the renderer is chosen; `nil` if the user chose it, or nobody did.
    ///   - isHeadless: whether there is no window.
    ///   - followsClock: whether inputs show what the machine's clock says.
    ///   - files: records incomplete files.
    ///   - logger: the program's log.
    ///   - fill: prepares the viewer.
    /// - Throws: ``ProgramError``, or an exit status if everything is already logged.
    func show(
        _ document: WallDocument, _ arguments: [String], demonstrating demo: InputSpecification? = nil, size: VideoSize,
        because reason: String? = nil, isHeadless: Bool = false, followsClock: Bool = false, _ files: TemporaryFiles,
        _ logger: Logger, fill: (Viewer) throws -> Void
    ) throws {
        let specifications = try document.specifications() + (demo.map { [$0] } ?? [])
        try checkFiles(specifications, logger)
        let early: EarlyInputs
        do throws(WindowError) {
            early = try EarlyInputs(
                decoding.shared(arguments), document.history, document.alignment, followsClock: followsClock,
                LineLogHandler.logger(level: logger.logLevel, isTimed: true))
        } catch {
            throw ProgramError(.failed, error.description)
        }
        early.open(document, needsDisplay: !isHeadless)
        let viewer = try makeViewer(document, specifications, isHeadless, size, reason, files, early)
        try fill(viewer)
        viewer.showDocument()
        viewer.watchEffects()
        if statistics { viewer.setStatistics(true) }
        let clock = ContinuousClock()
        let status = try viewer.run(until: quitAfter.map { clock.now + .seconds($0) })
        if viewer.hasStuckThreads {
            // The driver's own end would wait for them.
            fflush(nil)
            _exit(status.rawValue)
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Only the viewer retains its window, so that it can replace it.
    private func makeViewer(
        _ document: WallDocument, _ specifications: [InputSpecification], _ isHeadless: Bool, _ size: VideoSize,
        _ reason: String?, _ files: TemporaryFiles, _ early: EarlyInputs
    ) throws -> Viewer {
        DriverGuard.install()
        let window: any ViewerWindow =
            isHeadless
            ? NoWindow(size: size, waker: early.waker) : try open(document, specifications, size, early.waker)
        let viewer = try Viewer(window, drawing, because: reason, document, files, early)
        viewer.logger.info("drawn by \(viewer.renderer.summary(viewer.screen.reason))")
        for specification in specifications { try specification.checkSize(viewer.renderer.maximumSide) }
        let budget = effectBudget ?? 33
        viewer.wall.effectBudget = budget > 0 ? .milliseconds(budget) : nil
        return viewer
    }

    /// Throws if all inputs are files and none of them exists, so that no window opens.
    private func checkFiles(_ specifications: [InputSpecification], _ logger: Logger) throws {
        let missing = specifications.compactMap(\.path).filter { !InputSpecification.fileExists($0) }
        guard !missing.isEmpty, missing.count == specifications.count else { return }
        var failures = InputFailures(of: missing.count, logger)
        for (index, path) in missing.enumerated() {
            failures.add(StreamError(.cannotOpen, WallNames.reason(whyMissing: path)), of: index)
        }
        try failures.checkAny()
    }

    private func open(
        _ document: WallDocument, _ specifications: [InputSpecification], _ size: VideoSize, _ waker: Waker
    ) throws(ProgramError) -> Window {
        var options = WindowOptions()
        options.waker = waker
        options.isFullscreen = fullscreen
        options.screen = monitor
        options.isVSyncOn = !noVSync
        options.applicationID = "vitrail"
        let name =
            specifications.count == 1 ? specifications.first.map { "\($0.options.label ?? $0.name) – Vitrail" } : nil
        do throws(WindowError) {
            let window = try Window(title: title ?? document.title ?? name ?? "Vitrail", size: size, options: options)
            WindowIcon.set(on: window)
            return window
        } catch {
            switch error.code {
            case .badSize, .noScreen: throw ProgramError(.usage, error.description)
            case .noDisplay, .noOpenGL: throw ProgramError(.unavailable, error.description)
            default: throw ProgramError(.failed, error.description)
            }
        }
    }
}
