import Logging
import VideoWall
import WallRendering
import WindowGL

/// What is done about failures: they are logged, and the wall goes on.
extension Viewer {
    /// Logs each new failure once: of a tile or of the wall, to draw a frame or a text, or to apply an effect.
    func logFailures() {
        if let failure = log(failure(of: wall.effects, wall.report), of: wall.id, prefix: "") {
            overlay.show(failure, for: .seconds(8), now: clock.now)
        }
        for tile in wall.tiles { log(failure(of: tile.effects, tile.report), of: tile.id, prefix: "\(tile.title): ") }
    }

    private func failure(of effects: EffectChain, _ report: TileReport) -> String? {
        report.failure ?? effects.bypassReason.map { "\($0); the key e switches it on again" }
            ?? report.effectFailure?.description
    }

    /// Logs a failure if it is new, and returns it then.
    @discardableResult
    private func log(_ failure: String?, of id: WallTile.ID, prefix: String) -> String? {
        guard loggedFailures[id] != failure else { return nil }
        loggedFailures[id] = failure
        if let failure { logger.error("\(prefix)\(failure)") }
        return failure
    }

    /// Opens the window again in a new context, without the effects that were being drawn.
    ///
    /// After three resets in a minute, or if the GPU cannot be used any more, the CPU draws.
    ///
    /// - Parameter loss: the error of the old context.
    /// - Throws: ``RenderingError`` if there is no new context, or the driver still fails when the CPU draws and
    ///   the driver only shows the picture.
    func recover(from loss: RenderingError) throws(RenderingError) {
        resets = resets.filter { $0.duration(to: clock.now) < .seconds(60) } + [clock.now]
        guard resets.count <= 5 else { throw loss }
        logger.error("\(loss.description)")
        bypassEffects(loss.suspect)
        do throws(WindowError) {
            window = try window.openedAgain()
        } catch {
            throw RenderingError(.device, error.description)
        }
        wall.overlay = nil
        if screen.kind == .gpu, resets.count < 3 {
            do throws(RenderingError) {
                screen = try window.makeOutput(drawing, nil, because: reason)
                return
            } catch {
                logger.error("\(error.description)")
            }
        }
        try useCPU()
    }

    /// Draws with the CPU from now on, and says so.
    private func useCPU() throws(RenderingError) {
        if screen.kind == .gpu {
            resets.removeAll()
            logger.warning("The GPU was lost: the CPU draws from now on.")
            overlay.show("The GPU was lost: the CPU draws.", now: clock.now)
        }
        screen = try window.makeOutput(
            drawing, .cpu, because: screen.kind == .gpu ? "the GPU was lost" : screen.reason)
    }

    /// Bypasses the effects of the suspect, a tile or the wall; if there is none, all effects that are not built in.
    private func bypassEffects(_ suspect: WallTile.ID?) {
        let suspects = wall.tiles.filter { $0.id == suspect && !$0.effects.isEmpty }
        let isKnown = !suspects.isEmpty || (suspect == wall.id && !wall.effects.isEmpty)
        for tile in isKnown ? suspects : wall.tiles { bypass(&tile.effects, isKnown) }
        if !isKnown || suspect == wall.id { bypass(&wall.effects, isKnown) }
    }

    private func bypass(_ chain: inout EffectChain, _ isKnown: Bool) {
        guard !chain.isEmpty, isKnown || chain.steps.contains(where: \.effect.isFile) else { return }
        let names = chain.steps.filter(\.isOn).map(\.effect.name).joined(separator: ", ")
        chain.bypassReason = "\(names): bypassed, because the driver reset the GPU while it was drawn"
    }
}
