import FFmpegMedia
import Glibc
import Logging
import MediaIO
import VideoWall
import WindowGL

/// The inputs of a wall, opened while its window is still being made.
///
/// A driver of OpenGL takes a quarter of a second to load, on one thread: meanwhile the others decode the first pictures.
///
/// **Thread:** main.
final class EarlyInputs {
    /// An input that is being opened.
    struct Input {
        let stream: ViewerStream
        /// That of its tile.
        let mailbox: FrameMailbox
    }

    /// Wakes the window, once there is one.
    let waker: Waker
    /// What the decoders of all streams have in common.
    private(set) var shared: SharedDecoding
    /// Whether streams that are opened from now on show the same instant.
    private(set) var alignment: AlignmentPlan
    /// The largest frame that can be drawn, once there is a renderer.
    let limit = SizeLimit()
    /// The log of the viewer.
    let logger: Logger
    private var inputs: [InputSpecification: [Input]] = [:]

    /// Begins with no input.
    ///
    /// - Parameters:
    ///   - shared: what the decoders of all inputs have in common, without slots.
    ///   - history: what of live streams is kept in memory.
    ///   - alignment: whether they show the same instant.
    ///   - followsClock: whether inputs show what the machine's clock says.
    ///   - logger: the log of the viewer.
    /// - Throws: ``WindowError/Code/tooManyFiles``.
    init(
        _ shared: SharedDecoding, _ history: HistoryPlan, _ alignment: AlignmentPlan, followsClock: Bool,
        _ logger: Logger
    ) throws(WindowError) {
        (waker, self.logger) = (try Waker(), logger)
        (self.shared, self.alignment) = (shared, .off)
        (self.shared.slots, self.shared.followsClock) = (DecodingSlots(), followsClock)
        self.shared.rings = history.rings
        align(alignment)
    }

    /// Has streams that are opened from now on show the same instant, or not.
    ///
    /// - Returns: whether those that are open must be opened again for it.
    @discardableResult
    func align(_ plan: AlignmentPlan) -> Bool {
        guard plan != alignment else { return false }
        alignment = plan
        // By the clock, all show the same instant already.
        guard !shared.followsClock else { return false }
        shared.alignment = plan.alignment
        return true
    }

    /// Begins to open the inputs of a document, as the viewer would.
    ///
    /// - Parameters:
    ///   - document: the wall.
    ///   - needsDisplay: whether there will be a window.
    func open(_ document: WallDocument, needsDisplay: Bool) {
        // Without a display there will be no window, and nothing of the inputs is worth saying.
        guard !needsDisplay || getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return }
        var connections: Set<InputSpecification.Connection> = []
        for input in document.inputs {
            guard let specification = (try? input.substreamSpecification()) ?? (try? InputSpecification(input)),
                !specification.kind.isGenerated, specification.kind != .standardInput,
                specification.connection.map({ connections.insert($0).inserted }) ?? true
            else { continue }
            let mailbox = makeMailbox()
            let stream = ViewerStream(specification, [mailbox], limit: limit, shared, logger)
            stream.open()
            inputs[specification, default: []].append(Input(stream: stream, mailbox: mailbox))
        }
    }

    /// Makes a mailbox that wakes the window.
    func makeMailbox() -> FrameMailbox {
        let waker = waker
        return FrameMailbox { waker.wake() }
    }

    /// Hands an input over, which is then no longer kept here; `nil` if it was not opened.
    func take(_ specification: InputSpecification) -> Input? { inputs[specification]?.popLast() }
}
