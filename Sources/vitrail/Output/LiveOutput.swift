import HeadlessGL
import Logging
import MediaIO
import VideoWall
import WallRendering

/// An output of a wall beside its window: it draws, encodes and delivers pictures at a constant rate, whatever the window
/// does.
///
/// It works on a thread of its own, from the newest scene. While none comes, the last picture is repeated.
///
/// **Thread:** any.
final class LiveOutput: Sendable {
    /// How it is.
    enum State: String, Encodable, Sendable {
        /// Nothing was drawn or sent yet.
        case connecting
        /// It is written or sent.
        case running
        /// Its receiver is tried again.
        case waiting
        /// It takes no more pictures.
        case failed
    }

    /// How it is, and what it has done.
    struct Report: Hashable, Sendable {
        var state = State.connecting
        /// The pictures that were encoded.
        var pictures = 0
        /// The times at which no picture was ready: the one before was shown for longer.
        var missed = 0
        /// The pictures that were encoded but not sent.
        var omitted = 0
    }

    /// What its thread is to do, and has done.
    struct Control {
        /// The newest scene that was not drawn yet.
        var scene: WallScene?
        /// Whether the wall has another scene as soon as that one is taken.
        var isContinued = false
        /// The number of the scene that was taken last.
        var takenScene = 0
        var hasEnded = false
        var report = Report()
        /// Whether the output is complete; `nil` until it has ended.
        var result: Bool?
        /// Whether its thread uses the driver no more.
        var isGone = false
        /// Its turn with the driver, which others wait for.
        var turn: SoftwareTurn?
    }

    /// What is written, and how.
    let specification: LiveOutputSpecification
    private let control = Monitor(Control())
    private let logger: Logger
    /// Used by its thread, until that ends or the driver stops it.
    private nonisolated(unsafe) let writer: LiveWriter
    /// The signal at which the driver has crashed on its thread, in memory that a thread that has stopped keeps.
    private nonisolated(unsafe) let crash: UnsafeMutablePointer<Int32>

    /// Opens the encoder, and the file if it is one, and starts the thread.
    ///
    /// - Parameters:
    ///   - specification: what is written, and how.
    ///   - drawing: the options of the renderer.
    ///   - files: records incomplete files.
    ///   - logger: told what becomes of it.
    ///   - logsTiles: whether it logs tiles that cannot be drawn.
    ///   - wake: called on another thread when it has ended, or failed, or the wall has another scene for it.
    /// - Throws: ``ProgramError/Status/cannotCreate`` for a file that cannot be written; ``ProgramError/Status/usage`` for
    ///   an encoding that is not possible; ``ProgramError/Status/failed`` if there can be no more threads.
    init(
        _ specification: LiveOutputSpecification, _ drawing: RendererOptions, _ files: TemporaryFiles, _ logger: Logger,
        logsTiles: Bool, wake: @escaping @Sendable () -> Void
    ) throws(ProgramError) {
        (self.specification, self.logger) = (specification, logger)
        writer = try LiveWriter(specification, files, logger)
        let crash = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        crash.initialize(to: 0)
        self.crash = crash
        let (control, writer) = (control, writer)
        // What shows and receives comes first.
        do throws(StreamError) {
            nonisolated(unsafe) let (writer, crash) = (writer, crash)
            try SystemThread(for: specification.name, niceness: 10) {
                DriverGuard.run {
                    var loop = LiveOutputLoop(
                        specification, writer, drawing, control, logger, logsTiles: logsTiles, crash: crash, wake: wake)
                    let isComplete = loop.run()
                    control.change { control in
                        control.result = isComplete
                        if !isComplete { control.report.state = .failed }
                    }
                    loop.releaseRenderer()
                }
                control.change { control in
                    control.isGone = true
                    crash.deallocate()
                }
                wake()
            }.detach()
        } catch {
            throw ProgramError(.failed, error.description)
        }
    }

    /// Draws another scene from now on.
    ///
    /// - Parameters:
    ///   - scene: a scene of the output's size.
    ///   - isContinued: whether the wall has another one as soon as this one is taken.
    func show(_ scene: WallScene, isContinued: Bool) {
        control.change { ($0.scene, $0.isContinued) = (scene, isContinued) }
    }

    /// The number of the scene that was drawn last, or is being drawn.
    var takenScene: Int { control.withLock { $0.takenScene } }

    /// How it is, and what it has done.
    var report: Report { control.withLock { $0.report } }

    /// Whether its thread has ended, or the driver has stopped it.
    var isGone: Bool { control.withLock { $0.isGone || crash.pointee != 0 } }

    /// Whether the driver has crashed on its thread, which then stands still.
    private var hasCrashed: Bool { control.withLock { !$0.isGone && crash.pointee != 0 } }

    /// Ends the output if the driver has crashed while it drew an effect; what was written until then remains.
    ///
    /// - Returns: whether it has crashed; its thread then stands still in the driver until the program ends.
    func endIfCrashed() -> Bool {
        guard hasCrashed else { return false }
        guard control.withLock({ $0.result == nil && $0.report.state != .failed }) else { return true }
        let numbers = control.withLock { control in
            control.report.state = .failed
            // Others wait for it.
            control.turn?.end()
            return (control.report.pictures, control.report.missed)
        }
        logger.error("\(specification.name) has ended: the driver crashed while it drew an effect.")
        nonisolated(unsafe) let writer = writer
        let control = control
        let finish = { @Sendable in
            _ = writer.finish(numbers)
            control.change { $0.result = false }
        }
        // A disk may be slow.
        guard let thread = try? SystemThread(for: specification.name, niceness: 10, run: finish) else {
            finish()
            return true
        }
        thread.detach()
        return true
    }

    /// Completes the output.
    func end() { control.change { $0.hasEnded = true } }

    /// Waits until it has ended.
    ///
    /// - Returns: whether it is complete; `nil` if it has not ended by then.
    func finish(until deadline: MonotonicTime) -> Bool? { control.wait(until: deadline) { $0.result } }

    /// Waits until its thread uses the driver no more, after ``end()``.
    ///
    /// - Returns: false if it still does: the program must then end by `_exit`, since what the driver does at its end would
    ///   meet what the thread does.
    func leaveDriver(until deadline: MonotonicTime) -> Bool {
        control.wait(until: deadline) { $0.isGone ? true : nil } ?? false
    }
}
