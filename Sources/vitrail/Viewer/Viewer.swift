import FFmpegMedia
import Logging
import MediaIO
import V4L2Capture
import VideoEffects
import VideoWall
import WallRendering
import WindowGL

/// The window with the wall in it, and its loop.
///
/// The loop sleeps until a stream has something new or the user does something; then it draws once, and only if
/// something on the wall has changed.
///
/// **Thread:** main.
final class Viewer {
    var window: any ViewerWindow
    let wall: Wall
    var screen: WindowOutput {
        didSet {
            early.limit.set(screen.renderer.maximumSide)
            if !oldValue.endEffects() { hasStuckThreads = true }
        }
    }
    /// Whether a thread is in the driver and does not come back.
    var hasStuckThreads = false
    let drawing: RendererOptions
    /// What the wall is, and was before.
    var history: WallHistory
    /// When the document was last edited.
    var lastEdit: ContinuousClock.Instant
    /// The document that was last shown.
    var shownDocument = WallDocument()
    /// What is shown of it.
    var shown: [WallInput.ID: ShownInput] = [:]
    /// Which stream each input with a substream plays.
    var choices: [WallInput.ID: StreamChoice] = [:]
    /// The inputs that were dropped on the window, instead of named on the command line.
    var dropped: Set<WallInput.ID> = []
    /// When a tour goes on; `nil` without one.
    var nextStop: ContinuousClock.Instant?
    /// How frames are shown.
    var style: PictureStyle
    /// How long tiles move to their new places.
    static let transitionTime = Duration.milliseconds(180)
    /// The window's title where neither the document nor its file has one.
    let title: String
    /// Whether the window has that title whatever the document says, because the command line says it.
    var hasFixedTitle = false
    /// Why ``drawing`` names its renderer; `nil` if the user chose it.
    let reason: String?
    let files: TemporaryFiles
    let logger: Logger
    let clock = ContinuousClock()
    /// The inputs on the wall.
    var inputs: [ViewerInput] = []
    /// The streams that are being closed.
    let closing = OpenCount()
    /// What is being done to the wall by hand.
    let hands = Hands()
    /// Moves the parameters of effects; `nil` on every wall but a demo of effects.
    var demo: EffectDemo?
    /// The statistics, while they are shown.
    var statistics: WallStatistics?
    /// What tiles say of their streams, while they say it.
    var tileDetails = TileDetails()
    /// When the statistics are next brought up to date.
    var nextStatistics: ContinuousClock.Instant
    /// Where statistics are written once a second; `nil` for nowhere.
    var statisticsFile: StatisticsFile?
    /// What was measured for it.
    var recorder = WallRecorder()
    /// Which moment is shown, and whether streams and time stand still.
    var past = WallPast()
    /// The same as it was last shown, and since when.
    var (shownPast, pastSince) = (WallPast(), MonotonicTime.now)
    /// What is said of it at the bottom of the wall, and whether tiles say something of it.
    var (strip, pastStrip, hasMarks) = (PastStrip.Content?.none, PastStrip(), false)
    /// When that is next brought up to date.
    var nextStrip = ContinuousClock.now
    /// The tiles whose sender's clock is wrong, as was logged, and when that is next looked at.
    var (wrongClocks, nextAlignment) = (Set<WallTile.ID>(), ContinuousClock.now)
    /// What was opened before there was a window, and what all streams share.
    let early: EarlyInputs
    /// Whether the window closes.
    var isDone = false
    /// Until when q closes a window whose wall is not saved.
    var mayQuitUntil = ContinuousClock.now
    let snapshots = SnapshotWriter()
    let clips = ClipWriter()
    /// What is recorded.
    let recordings: Recordings
    /// What is sent or written beside the window.
    var outputs: [ShownOutput] = []
    /// Whether one of them is not complete.
    var hasFailedOutput = false
    /// The lines of text over the wall.
    var overlay = ViewerOverlay()
    /// What an empty wall shows.
    var firstPage: FirstPage
    /// What is said on the demo wall at first.
    var welcome = WelcomeCard()
    /// The file with what was last opened.
    let recentFile = RecentFile()
    /// The last position of the mouse.
    var mouse: WindowEvent.MousePosition?
    /// Whether the pixel inspector is on.
    var isInspecting = false
    /// Whether the pixel must be inspected again, because the mouse has moved.
    var mustInspect = false
    /// Tells when the files of effects are saved; `nil` if the system refuses.
    private(set) var watcher: FileWatcher?
    /// Reads them again.
    let effectReader: EffectReader
    /// The lines on standard input, if they are commands.
    private(set) var control: ControlReader?
    /// The parameter that keys change.
    var knob = EffectKnob()
    /// The control that keys change.
    var cameraKnob = CameraKnob()
    /// The walls that were opened, by the numbers of ``WallHistory/origins``.
    private var origins: [Int: WallOrigin] = [:]
    /// Where the wall comes from.
    var origin: WallOrigin {
        get { origins[history.origin] ?? WallOrigin() }
        set { origins[history.origin] = newValue }
    }
    /// When it is looked whether the file of the wall, of which something was heard, is still there; `nil` for never.
    var nextFileCheck: ContinuousClock.Instant?
    /// Files that could not be used when the wall was last read.
    var missedFiles: Set<String> = []
    /// Where effects are saved.
    var presetPath = "vitrail-effects.json"
    /// The number of pictures that were drawn.
    private(set) var drawn = 0
    /// When the time for effects was last set.
    private var lastTime: ContinuousClock.Instant
    /// The tiles whose stall was logged, and how many frames each had received by then.
    var stalled: [WallTile.ID: Int] = [:]
    /// How many pictures of each input's first tile were left out, as far as it was logged.
    var omissions: [WallTile.ID: OmissionLog] = [:]
    /// When they are next looked at.
    var nextOmissions: ContinuousClock.Instant
    /// The last failure that was logged for each tile, and for the wall.
    var loggedFailures: [WallTile.ID: String] = [:]
    /// When the driver has reset the GPU.
    var resets: [ContinuousClock.Instant] = []

    /// Makes an empty wall in a window.
    init(
        _ window: any ViewerWindow, _ drawing: RendererOptions, because reason: String?, _ document: WallDocument,
        _ files: TemporaryFiles, _ early: EarlyInputs
    ) throws(RenderingError) {
        self.window = window
        self.drawing = drawing
        style = PictureStyle()
        history = WallHistory(document)
        wall = style.makeWall(document.wallLayout)
        wall.surround = Panel.surround
        screen = try window.makeOutput(drawing, nil, because: reason)
        early.limit.set(screen.renderer.maximumSide)
        self.reason = reason
        self.title = window.title
        self.files = files
        self.early = early
        logger = early.logger
        firstPage = FirstPage(recentFile.read())
        lastEdit = clock.now
        nextStatistics = clock.now
        nextOmissions = clock.now
        lastTime = clock.now
        let waker = window.waker
        recordings = Recordings(logger) { waker.wake() }
        effectReader = EffectReader { waker.wake() }
        do throws(EffectError) {
            watcher = try FileWatcher { waker.wake() }
        } catch {
            logger.warning("\(error.description)")
        }
    }

    var renderer: any WallRenderer { screen.renderer }

    /// Takes commands from standard input.
    func readControl() throws(StreamError) {
        let waker = window.waker
        control = try ControlReader { waker.wake() }
    }

    /// Shows the wall until the user closes it or the time has passed.
    ///
    /// - Parameter end: when to close it; `nil` for never.
    /// - Returns: the exit status; files dropped on the window and inputs that were removed do not count.
    /// - Throws: ``RenderingError`` if nothing can be drawn any more.
    func run(until end: ContinuousClock.Instant?) throws(RenderingError) -> ProgramError.Status {
        defer { close() }
        while !isDone {
            reloadEffects()
            useReadEffects()
            obeyControl()
            tellSnapshot()
            removeBrokenDrops()
            goOn()
            finishWaiting()
            updateRecordings()
            updatePast()
            updateAlignment()
            tellClip()
            hideRestingPointer()
            wall.isVisible = window.isVisible
            do throws(RenderingError) {
                if window.isVisible { try draw() }
                updateOutputs()
                chooseStreams()
            } catch {
                guard error.code == .contextLost else { throw error }
                try recover(from: error)
            }
            recordStatistics()
            for event in window.waitEvents(timeout: timeout(end)) {
                obey(event)
            }
            if end.map({ clock.now >= $0 }) ?? false || files.isInterrupted { isDone = true }
        }
        endRecordings()
        endOutputs()
        statisticsFile?.end()
        // A snapshot's result must be logged before the last line.
        finishSnapshot()
        finishClip()
        files.finishCompletion()
        let sum = WallStatistics.sum(wall.tiles.map(\.statistics))
        let latency = WallStatistics.sum(wall.tiles.map(\.latency))
        logger.info(
            "\(sum.received) frames received, \(sum.dropped) dropped, \(sum.omitted) omitted, \(sum.uploaded) uploaded\(sum.imported > 0 ? ", \(sum.imported) drawn without a copy" : ""), \(drawn) pictures drawn; \(WallStatistics.text(latency))."
        )
        return status
    }

    /// The exit status, from the outputs, and the inputs that were named on the command line and were not removed.
    private var status: ProgramError.Status {
        let named = inputs.filter { !$0.isDropped && !$0.tiles.isEmpty }
        let failed = named.count { input in
            input.stream.hasFailed || input.tiles.contains { $0.report.failure != nil }
        }
        guard failed > 0 else { return hasFailedOutput ? .failed : .done }
        return failed == named.count && !named.contains { $0.stream.hasDelivered } ? .cannotOpen : .failed
    }

    /// Draws what is new, and presents it.
    private func draw() throws(RenderingError) {
        let size = window.framebufferSize
        guard size.width > 0, size.height > 0 else { return }
        refreshStatistics()
        advanceTime()
        watchPictures()
        refreshTileLook()
        guard window.hasScreen else { return updateWall(size) }
        screen.target.size = size
        // Before taking the newest frames, since newer ones may arrive during the wait.
        if wall.hasChanges { window.pace() }
        let isDrawn = try renderer.render(wall, into: screen.target) { scene in
            refreshOverlay(scene)
            logStalls()
            logOmissions()
        }
        guard isDrawn else { return }
        let drawnAt = MonotonicTime.now
        window.present()
        // The ages of old pictures are no reason to keep the screen on.
        if wall.notePresented(drawnAt: drawnAt) || wall.isAnimated, !isPaused { window.postponeBlanking() }
        drawn += 1
        recorder.notePicture(at: clock.now)
        logFailures()
        // What the renderer has refused.
        noteRemovals()
    }

    /// Brings the wall up to date without drawing it.
    private func updateWall(_ size: VideoSize) {
        guard wall.hasChanges || wall.scene.size != size else { return }
        wall.update(size: size)
        logStalls()
        logOmissions()
        noteRemovals()
    }

    /// Time for effects passes unless the wall is paused.
    func advanceTime() {
        let now = clock.now
        if !isPaused {
            wall.time += lastTime.duration(to: now)
            if wall.isAnimated { wall.date = LocalDate.now }
            demo?.move(to: wall.time)
        }
        lastTime = now
    }

    /// How long to sleep if nothing happens: without limit, unless something is due.
    private func timeout(_ end: ContinuousClock.Instant?) -> Duration? {
        // In a hidden window, the lines are not updated.
        let lines = window.isVisible ? [statistics == nil ? nil : nextStatistics, overlay.end, welcome.end] : []
        let removal = inputs.lazy.compactMap(\.removal).min()
        let choice = isPaused ? nil : choices.values.lazy.compactMap(\.due).min()
        // Effects that change with time are drawn as often as a screen is refreshed. The demo moves slowly.
        let pause: Duration? = wall.isAnimated ? .milliseconds(16) : demo == nil ? nil : .milliseconds(40)
        let isSeen = window.isVisible || outputs.contains { $0.wall != nil }
        let animation = isSeen && !isPaused ? pause.map { lastTime + $0 } : nil
        let seen = window.isVisible ? wall : outputs.lazy.compactMap(\.wall).first
        let age = seen?.timeUntilChange.map { clock.now + $0 }
        let others = [
            end, animation, removal, choice, age, nextStop, nextFileCheck, hands.due, nextRecord, pointerEnd,
            recordings.due, stripDue, alignmentDue,
        ]
        return (lines + others).compactMap(\.self).min().map { max(.zero, clock.now.duration(to: $0)) }
    }

    /// Replaces the document by that of another wall; nothing is kept of walls that no undoing returns to.
    func replaceDocument(_ new: WallDocument, from origin: WallOrigin) {
        let number = (origins.keys.max() ?? 0) + 1
        history.edit(new, origin: number)
        origins[number] = origin
        let used = history.origins
        origins = origins.filter { used.contains($0.key) }
    }

    /// Says on the wall and in the log that something was done.
    func tell(_ result: String) {
        logger.notice("\(result).")
        overlay.show(result, now: clock.now)
    }

    /// Says on the wall and in the log that something has failed.
    func tell(failure: String) {
        logger.error("\(failure)")
        overlay.show(failure, for: .seconds(8), now: clock.now)
    }

    /// Closes all streams in parallel, but waits for one second at most.
    private func close() {
        // It retains the viewer.
        hands.prompt = nil
        endRecordings()
        endOutputs()
        for input in inputs { close(input.stream) }
        let end = clock.now + .seconds(1)
        while closing.count > 0, clock.now < end { _ = window.waitEvents(timeout: clock.now.duration(to: end)) }
        finishSnapshot()
        finishClip()
        files.finishCompletion()
        if !screen.endEffects() { hasStuckThreads = true }
    }
}
