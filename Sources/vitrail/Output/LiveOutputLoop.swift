import HeadlessGL
import Logging
import MediaIO
import VideoWall
import VitrailGL
import WallRendering

/// The work of the thread of a ``LiveOutput``, which owns its renderer and its encoder.
struct LiveOutputLoop {
    private let specification: LiveOutputSpecification
    private let writer: LiveWriter
    private let drawing: RendererOptions
    private let control: Monitor<LiveOutput.Control>
    private let logger: Logger
    private let pool = PixelBufferPool()

    private var chosen: ChosenRenderer?
    private var target: (any OffscreenTarget)?
    /// What was drawn last.
    private var picture: PixelBuffer?
    /// The pictures that were encoded, and the numbers that passed without one.
    private var numbers = (encoded: 0, missed: 0)
    private var problem: String?
    private let logsTiles: Bool
    private let crash: UnsafeMutablePointer<Int32>
    private let wake: @Sendable () -> Void
    /// The last failure that was logged for each tile.
    private var failures: [WallTile.ID: String] = [:]

    init(
        _ specification: LiveOutputSpecification, _ writer: LiveWriter, _ drawing: RendererOptions,
        _ control: Monitor<LiveOutput.Control>, _ logger: Logger, logsTiles: Bool, crash: UnsafeMutablePointer<Int32>,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.specification, self.writer, self.drawing) = (specification, writer, drawing)
        (self.control, self.logger, self.logsTiles) = (control, logger, logsTiles)
        (self.crash, self.wake) = (crash, wake)
    }

    /// Encodes a picture at each tick, until the output ends or cannot be written any more.
    ///
    /// - Returns: whether it is complete.
    mutating func run() -> Bool {
        guard waitForScene(until: nil) else { return writer.finish(numbers) }
        let begin = MonotonicTime.now
        let interval = Duration.seconds(1 / specification.frameRate.value)
        var number: Int64 = 0
        do {
            repeat {
                draw(before: .now + interval / 2)
                if let picture {
                    try writer.write(picture, at: number)
                    numbers.encoded += 1
                }
                // What was not ready in time is left out: the picture before is shown for longer.
                let next = max(number + 1, Int64((MonotonicTime.now - begin) / interval))
                numbers.missed += Int(next - number - 1)
                number = next
                report()
                // A receiver that cannot take this stream is not tried again.
                if writer.state == .failed { return false }
            } while waitForTick(begin + interval * Double(number), interval)
        } catch {
            // The wall goes on without it; an incomplete file is removed.
            logger.error("\(error)")
            return false
        }
        return writer.finish(numbers)
    }

    private func report() {
        let report = LiveOutput.Report(
            state: numbers.encoded > 0 ? writer.state : .connecting, pictures: numbers.encoded, missed: numbers.missed,
            omitted: writer.omitted)
        control.withLock { $0.report = report }
    }

    /// Logs each new failure to draw a tile or its effects once, where no window does.
    private mutating func logFailures(of scene: WallScene, _ renderer: any WallRenderer) {
        guard logsTiles else { return }
        for tile in scene.tiles {
            let report = renderer.report(on: tile.id)
            let failure = report.failure ?? report.effectFailure?.description
            guard failures[tile.id] != failure else { continue }
            failures[tile.id] = failure
            if let failure { logger.error("\(specification.name): \(failure)") }
        }
    }

    /// Releases what draws, which the driver may have to wait for.
    mutating func releaseRenderer() {
        let turn = SoftwareTurn.take()
        (chosen, target) = (nil, nil)
        turn?.end()
    }

    /// Waits until the next picture is due.
    ///
    /// A stream of the same rate has its pictures at about the same time in each interval, a little earlier or later. If
    /// that is the time of the ticks, one tick would show the same picture twice, and the next one skip one. So a tick
    /// waits for a picture for half an interval.
    ///
    /// - Returns: false at the end.
    private func waitForTick(_ due: MonotonicTime, _ interval: Duration) -> Bool {
        let hasEnded = control.wait(until: due) { $0.hasEnded ? true : nil } ?? false
        return !hasEnded && (waitForScene(until: due + interval / 2) || !control.withLock { $0.hasEnded })
    }

    /// Waits for a scene that was not drawn yet.
    ///
    /// - Returns: whether there is one; false at the end.
    private func waitForScene(until deadline: MonotonicTime?) -> Bool {
        control.wait(until: deadline) { control -> Bool? in
            control.hasEnded ? false : control.scene != nil ? true : nil
        } ?? false
    }

    /// Draws the newest scene, unless the last picture shows it.
    ///
    /// - Parameter deadline: until when it waits for other threads on a driver without a GPU; then the last picture is
    ///   repeated, and the scene is drawn later.
    private mutating func draw(before deadline: MonotonicTime) {
        var turn: SoftwareTurn?
        defer { turn?.end() }
        // On a GPU, all threads may draw; the CPU needs the driver for effects only.
        let hasGPU = chosen?.context.map { !$0.information.isSoftware } ?? false
        let isGL = chosen?.kind != .cpu
        guard let needsDriver = control.withLock({ $0.scene.map { isGL || $0.needsShaders } }) else { return }
        if needsDriver, !hasGPU {
            turn = SoftwareTurn.take(until: deadline)
            guard turn != nil else { return }
        }
        let next = control.withLock { control -> (scene: WallScene, isContinued: Bool)? in
            // One that has come meanwhile may need the driver, too.
            guard let scene = control.scene, turn != nil || hasGPU || !scene.needsShaders else { return nil }
            (control.scene, control.takenScene) = (nil, scene.number)
            return (scene, control.isContinued)
        }
        guard let (scene, isContinued) = next else { return }
        if isContinued { wake() }
        if scene.needsShaders {
            control.withLock { $0.turn = turn }
            DriverGuard.begin(crash)
        }
        do {
            let chosen = try chosen ?? drawing.make(softwareDisplay: SoftwareTurn.display)
            self.chosen = chosen
            let renderer = chosen.renderer
            let target =
                try target
                ?? renderer.makeOffscreenTarget(
                    size: specification.size, format: PictureFormat(for: writer.format))
            self.target = target
            if try renderer.render(scene, into: target) || picture == nil {
                picture = try target.readPlanes(as: writer.format, colorSpace: writer.colorSpace, pool: pool)
            }
            DriverGuard.end()
            problem = nil
            logFailures(of: scene, renderer)
        } catch {
            DriverGuard.end()
            // The next scene makes a renderer anew.
            (chosen, target) = (nil, nil)
            if problem != "\(error)" { logger.error("\(specification.name): \(error)") }
            problem = "\(error)"
        }
    }
}

extension PictureFormat {
    /// The format to draw in for planes of a format that are read back.
    init(for planes: PixelFormat) { self = planes.layout.depth > 8 ? .rgb10a2 : .rgba8 }
}
