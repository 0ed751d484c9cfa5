import Logging
import MediaIO
import VideoWall
import WindowGL

/// An output beside the window, and the wall in its size.
struct ShownOutput {
    /// Has the tiles of the window's wall.
    let wall: Wall
    let output: LiveOutput
}

/// What is sent or written beside the window.
extension Viewer {
    /// Begins an output.
    ///
    /// - Throws: what ``LiveOutput`` throws.
    func begin(_ specification: LiveOutputSpecification) throws(ProgramError) {
        let output = try LiveOutput(specification, drawing, files, logger)
        files.completeFirst { [waker = window.waker] in waker.wake() }
        outputs.append(ShownOutput(wall: style.makeWall(wall.layout), output: output))
    }

    /// Gives the outputs what is new on the wall, also while its window is hidden.
    func updateOutputs() {
        guard !outputs.isEmpty else { return }
        if !window.isVisible {
            advanceTime()
            watchPictures()
            refreshTileLook()
        }
        for shown in outputs {
            shown.wall.follow(wall)
            var look = wall.tileLook
            look.scale = 1
            if shown.wall.tileLook != look { shown.wall.tileLook = look }
            guard shown.wall.hasChanges || shown.wall.scene.number == 0 else { continue }
            if shown.wall.update(size: shown.output.specification.size) { shown.output.show(shown.wall.scene) }
        }
    }

    /// Completes the outputs, as long as a slow disk may take.
    func endOutputs() {
        for shown in outputs { shown.output.end() }
        let deadline = MonotonicTime.now + .seconds(10)
        for shown in outputs {
            let isComplete = shown.output.finish(until: deadline)
            if isComplete == nil {
                logger.error("\(shown.output.specification.name) is not complete: its disk or receiver takes too long.")
            }
            if isComplete != true { hasFailedOutput = true }
        }
        let last = MonotonicTime.now + .milliseconds(500)
        for shown in outputs where !shown.output.leaveDriver(until: last) { hasStuckThreads = true }
        outputs = []
        files.finishCompletion()
    }
}
