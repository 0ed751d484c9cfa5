import FFmpegMedia
import Logging
import MediaIO
import VideoWall
import WindowGL

/// Putting inputs on the wall.
extension Viewer {
    /// Puts an input on the wall and begins to open it.
    func add(_ specification: InputSpecification) {
        add(specification, on: [style.makeTile(specification, makeMailbox())])
    }

    /// Puts an input on the wall with one effect in each of many tiles, and begins to open it.
    func add(_ specification: InputSpecification, _ effects: [EffectChain.Step]) throws(EffectError) {
        let demo = try EffectDemo(effects) { style.makeTile(specification, makeMailbox()) }
        self.demo = demo
        add(specification, on: demo.tiles)
    }

    private func add(_ specification: InputSpecification, on tiles: [WallTile]) {
        let limit = renderer.maximumSide
        let stream = ViewerStream(specification, tiles.map(\.mailbox), limit: limit, slots, logger)
        for tile in tiles { wall.insert(tile) }
        streams.append(stream)
        self.tiles.append(tiles)
        if isPaused { stream.setPaused(true) }
        stream.open()
    }

    /// Makes a mailbox that wakes the loop.
    private func makeMailbox() -> FrameMailbox {
        let waker = window.waker
        return FrameMailbox { waker.wake() }
    }

    /// Adds dropped files; one that cannot be shown becomes a tile with the reason.
    func add(paths: [String]) {
        setFocus(nil)
        for path in paths {
            guard wall.tiles.count < wall.layout.capacity ?? .max else {
                logger.error(
                    "\(MediaLocation.hidingSecrets(in: path)) does not fit in the grid: omit --grid, or make it larger."
                )
                continue
            }
            do throws(ProgramError) {
                add(try InputSpecification(path))
            } catch {
                logger.error("\(error.description)")
                let mailbox = FrameMailbox()
                mailbox.sourceDidChange(.failed(error.description))
                wall.addTile(named: MediaLocation.hidingSecrets(in: path), mailbox: mailbox)
            }
        }
        watchEffects()
    }
}
