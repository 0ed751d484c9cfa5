import GL
import Logging
import MediaIO
import VideoRendering
import WindowGL

/// The window with the wall in it, and its loop.
///
/// The loop sleeps until a stream has something new or the user does something; then it draws once, and only if
/// something on the wall has changed.
///
/// **Thread:** main.
final class Viewer {
    let window: Window
    let wall: WallRenderer
    private let style: PictureStyle
    private let title: String
    private let files: TemporaryFiles
    let logger: Logger
    let clock = ContinuousClock()
    private var streams: [ViewerStream] = []
    private var focus = Focus()
    private var statistics: WallStatistics?
    private var nextStatistics: ContinuousClock.Instant
    private var isPaused = false
    private var isDone = false
    var mustDraw = true
    /// What is written over the wall.
    var overlay = WallOverlay()
    /// Where the mouse was seen last.
    var mouse: WindowEvent.MousePosition?
    /// Whether the pixel under the mouse is told.
    var isInspecting = false
    /// Whether the mouse has moved since it was.
    var mustInspect = false
    private var drawn = 0
    private var toldUploads: Set<ObjectIdentifier> = []

    /// Makes an empty wall in a window.
    init(
        _ window: Window, layout: GridLayout, style: PictureStyle, _ files: TemporaryFiles, _ logger: Logger
    ) throws(RenderingError) {
        self.window = window
        self.wall = try style.makeWall(window.context, layout)
        self.style = style
        self.title = window.title
        self.files = files
        self.logger = logger
        nextStatistics = clock.now
    }

    /// Puts an input on the wall and begins to open it.
    func add(_ specification: InputSpecification) {
        let waker = window.waker
        let limit = window.context.information.maximumTextureSize
        let stream = ViewerStream(specification, limit: limit, logger) { waker.wake() }
        wall.add(style.makeTile(specification, stream.mailbox))
        streams.append(stream)
        if isPaused { stream.setPaused(true) }
        stream.open()
    }

    /// Shows the wall until the user closes it or the time is over.
    ///
    /// - Parameter end: when to close it; `nil` for never.
    /// - Returns: how many streams could not be opened or broke off.
    /// - Throws: ``RenderingError`` when the context is lost.
    func run(until end: ContinuousClock.Instant?) throws(RenderingError) -> Int {
        defer { close() }
        while !isDone {
            if window.isVisible {
                refreshStatistics()
                let isNew = try wall.update()
                refreshOverlay(isNew)
                if isNew || mustDraw { try draw() }
                tellUploads()
            }
            for event in window.waitEvents(timeout: timeout(end)) {
                if let action = ViewerAction(event) { perform(action) }
            }
            if let end, clock.now >= end { isDone = true }
        }
        let sum = WallStatistics.sum(wall.tiles.map(\.statistics))
        logger.info(
            "\(sum.received) frames received, \(sum.dropped) dropped, \(sum.uploaded) uploaded, \(drawn) pictures drawn."
        )
        return streams.count(where: \.hasFailed) + wall.tiles.count { $0.uploadFailure != nil }
    }

    /// Tells once of each stream that its picture does not fit.
    private func tellUploads() {
        for tile in wall.tiles where tile.statistics.failed > 0 && toldUploads.insert(ObjectIdentifier(tile)).inserted {
            if let failure = tile.uploadFailure { logger.error("\(tile.name): \(failure)") }
        }
    }

    /// Shows or hides the line with numbers.
    func toggleStatistics() {
        statistics = statistics == nil ? WallStatistics() : nil
        nextStatistics = clock.now
        overlay.statistics = nil
    }

    private func draw() throws(RenderingError) {
        let size = window.framebufferSize
        guard size.width > 0, size.height > 0 else { return }
        try wall.drawToWindow(size: VideoSize(width: size.width, height: size.height))
        window.present()
        mustDraw = false
        drawn += 1
    }

    /// How long to sleep when nothing happens: for ever, unless something is due.
    private func timeout(_ end: ContinuousClock.Instant?) -> Duration? {
        // Of a window that is not seen, the lines are not brought up to date.
        let lines = window.isVisible ? [statistics == nil ? nil : nextStatistics, overlay.end] : []
        let due = (lines + [end]).compactMap(\.self).min()
        return due.map { max(.zero, clock.now.duration(to: $0)) }
    }

    private func refreshStatistics() {
        guard statistics != nil, clock.now >= nextStatistics else { return }
        let now = clock.now
        nextStatistics = now + .seconds(1)
        let shown = focus.index.map { [wall.tiles[$0]] } ?? wall.tiles
        overlay.statistics = statistics?.line(
            shown.map(\.statistics), drawn: drawn, renderer: window.context.information.renderer, now: now)
    }

    private func perform(_ action: ViewerAction) {
        switch action {
        case .quit: isDone = true
        case .toggleFullscreen: window.isFullscreen.toggle()
        case .togglePause: togglePause()
        case .snapshot: snapshot()
        case .toggleStatistics: toggleStatistics()
        case .focus(let index): changeFocus { $0.toggle(index, of: $1) }
        case .moveFocus(let step): changeFocus { $0.move(step, of: $1) }
        case .showAll: changeFocus { focus, _ in focus.clear() }
        case .focusAt(let place):
            let tile = wall.tile(atX: place.x, y: place.y)
            changeFocus { $0.toggle(tile, of: $1) }
        case .turn(let knob): turn(knob)
        case .toggleInspector: toggleInspector()
        case .pointAt(let place): point(at: place)
        case .add(let paths): add(paths: paths)
        case .redraw: mustDraw = true
        }
    }

    private func changeFocus(_ change: (inout Focus, _ count: Int) -> Void) {
        change(&focus, wall.tiles.count)
        wall.focus = focus.index
        // Its rates are of other streams from here on.
        if statistics != nil { statistics = WallStatistics() }
    }

    private func togglePause() {
        isPaused.toggle()
        window.title = isPaused ? "\(title) (paused)" : title
        for stream in streams { stream.setPaused(isPaused) }
    }

    /// Adds dropped files; one that cannot be shown becomes a tile that says why.
    private func add(paths: [String]) {
        changeFocus { focus, _ in focus.clear() }
        for path in paths {
            guard wall.tiles.count < capacity else {
                logger.error("\(path) has no room on a grid of that size: leave --grid out, or make it larger.")
                continue
            }
            do throws(ProgramError) {
                add(try InputSpecification(path))
            } catch {
                logger.error("\(error.description)")
                let mailbox = FrameMailbox()
                mailbox.sourceDidChange(.failed(error.description))
                wall.add(StreamTile(name: path, mailbox: mailbox))
            }
        }
    }

    private var capacity: Int {
        guard let rows = wall.layout.rows, let columns = wall.layout.columns else { return .max }
        return rows * columns
    }

    private func snapshot() {
        let size = window.framebufferSize
        guard size.width > 0, size.height > 0 else { return }
        do throws(ProgramError) {
            let path = try Snapshot.save(wall, size: VideoSize(width: size.width, height: size.height), files)
            logger.notice("\(path) saved.")
        } catch {
            logger.error("\(error.description)")
        }
        // What was new is in the picture now, and not yet on the window.
        mustDraw = true
    }

    /// Lets go of the streams, each in its own time, but waits no longer than a user does.
    private func close() {
        let waker = window.waker
        let open = OpenCount(streams.count)
        for stream in streams {
            let close: @Sendable () -> Void = {
                stream.close()
                open.decrease()
                waker.wake()
            }
            do throws(StreamError) {
                try SystemThread(for: "closing", run: close).detach()
            } catch {
                close()
            }
        }
        let end = clock.now + .seconds(1)
        while open.count > 0, clock.now < end { _ = window.waitEvents(timeout: clock.now.duration(to: end)) }
    }
}
