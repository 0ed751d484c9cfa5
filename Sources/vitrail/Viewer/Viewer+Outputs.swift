import FFmpegMedia
import Logging
import MediaIO
import VideoWall
import WindowGL

/// An output beside the window, and the wall in its size.
struct ShownOutput {
    /// Has the tiles of the window's wall; `nil` once the output takes no more pictures.
    var wall: Wall?
    let output: LiveOutput
    /// Whether somebody has ended it.
    var isEnded = false
}

/// What is sent or written beside the window.
extension Viewer {
    /// Begins an output.
    ///
    /// - Throws: ``ProgramError/Status/usage`` for one that is there already, or is an input; and what ``LiveOutput``
    ///   throws.
    func begin(_ specification: LiveOutputSpecification) throws(ProgramError) {
        for shown in outputs where shown.output.specification.isSame(as: specification) {
            guard shown.output.report.state == .failed else {
                throw ProgramError(.usage, "\(specification.name) is an output already: end it first.")
            }
        }
        for entry in shown.values {
            for input in [entry.specification, entry.substream].compactMap(\.self) {
                try specification.check(isNot: input)
            }
        }
        let wake = { @Sendable [waker = window.waker] in waker.wake() }
        let output = try LiveOutput(
            specification, drawing, files, logger, logsTiles: !window.hasScreen, wake: wake)
        files.completeFirst(begin: wake)
        outputs.removeAll { $0.output.specification.isSame(as: specification) && $0.output.isGone }
        let copy = style.makeWall(wall.layout)
        copy.colorTarget = specification.encoding.colorTarget
        outputs.append(ShownOutput(wall: copy, output: output))
    }

    /// Begins an output that was typed.
    func beginOutput(_ words: ActionWords) throws(ProgramError) {
        if try asks(for: words, "An output: a file, or the address of a server", "") { return }
        let specification = try LiveOutputSpecification(words.text)
        if case .pipeline(let description) = specification.form, !early.shared.pipelines.allow(description) {
            throw ProgramError(
                .usage,
                "\(specification.name) is not run: a pipeline can do whatever you can. Start vitrail with --pipelines.")
        }
        try begin(specification)
    }

    /// Completes an output, or all, in the background.
    func endOutput(_ words: ActionWords) throws(ProgramError) {
        let running = outputs.filter { !$0.isEnded }
        guard !running.isEmpty else { throw ProgramError(.usage, "There is no output: also OUTPUT begins one.") }
        let names = running.map(\.output.specification.name).joined(separator: ", ")
        if try asks(for: words, "Which output: \(names), or all", running.count == 1 ? names : "all") { return }
        let isAll = words.words == ["all"]
        // With or without its options.
        let wanted = isAll ? nil : try LiveOutputSpecification(words.text)
        func isWanted(_ shown: ShownOutput) -> Bool { wanted.map(shown.output.specification.isSame) ?? true }
        guard running.contains(where: isWanted) else {
            throw ProgramError(
                .usage, "There is no output \(MediaLocation.hidingSecrets(in: words.text)): there is \(names).")
        }
        for index in outputs.indices where isWanted(outputs[index]) {
            outputs[index].output.end()
            (outputs[index].wall, outputs[index].isEnded) = (nil, true)
        }
    }

    /// Gives the outputs what is new on the wall, also while its window is hidden.
    func updateOutputs() {
        guard !outputs.isEmpty else { return }
        noteCrashes()
        forgetEndedOutputs()
        endIfUnseen()
        if !window.isVisible {
            advanceTime()
            watchPictures()
            refreshTileLook()
        }
        for index in outputs.indices {
            let output = outputs[index].output
            if output.report.state == .failed { outputs[index].wall = nil }
            guard let copy = outputs[index].wall else { continue }
            copy.follow(wall)
            var look = wall.tileLook
            look.scale = 1
            if copy.tileLook != look { copy.tileLook = look }
            copy.takenScene = output.takenScene
            guard copy.hasChanges || copy.scene.number == 0 else { continue }
            if copy.update(size: output.specification.size) {
                output.show(copy.scene, isContinued: copy.hasWaitingFrames)
            }
        }
    }

    /// Ends the program if nobody can see the wall any more, or begin another output.
    private func endIfUnseen() {
        guard !window.hasScreen, control == nil else { return }
        if outputs.allSatisfy({ $0.output.report.state == .failed }) { isDone = true }
    }

    /// Ends the outputs on whose threads the driver has crashed: what the driver does at the end of the program would wait
    /// for these threads.
    private func noteCrashes() {
        for shown in outputs where shown.output.endIfCrashed() { (hasStuckThreads, hasFailedOutput) = (true, true) }
    }

    /// Forgets the outputs that were ended by hand and are complete, or have failed.
    private func forgetEndedOutputs() {
        outputs.removeAll { shown in
            guard shown.isEnded, shown.output.isGone else { return false }
            if shown.output.report.state == .failed { hasFailedOutput = true }
            return true
        }
    }

    /// Completes the outputs, as long as a slow disk may take.
    func endOutputs() {
        for shown in outputs { shown.output.end() }
        noteCrashes()
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
    }
}
