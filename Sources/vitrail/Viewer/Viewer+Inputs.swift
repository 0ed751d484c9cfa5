import FFmpegMedia
import Logging
import MediaIO
import VideoWall
import WindowGL

/// Putting inputs on the wall.
extension Viewer {
    /// Puts an input on the wall and begins to open it.
    ///
    /// A network stream or camera that is on the wall already is not connected to once more.
    ///
    /// - Parameters:
    ///   - specification: the input.
    ///   - substream: the substream that is opened at first; `nil` for the input itself.
    ///   - isDropped: whether it was dropped on the window, instead of named on the command line.
    /// - Returns: its tile.
    func open(
        _ specification: InputSpecification, _ substream: InputSpecification? = nil, isDropped: Bool
    ) -> WallTile {
        let playing = substream ?? specification
        if let opened = early.take(playing) {
            let tile = style.makeTile(specification, opened.mailbox)
            add(opened.stream, playing, on: [tile], isDropped: isDropped)
            return tile
        }
        let tile = style.makeTile(specification, early.makeMailbox())
        let specification = playing
        guard let connection = specification.connection,
            let index = inputs.firstIndex(where: { $0.connection == connection })
        else {
            add(specification, on: [tile], isDropped: isDropped)
            return tile
        }
        wall.insert(tile)
        inputs[index].tiles.append(tile)
        inputs[index].stream.add(tile.mailbox, specification)
        return tile
    }

    /// Puts an input on the wall in many tiles, each with one effect, and begins to open it.
    func add(_ specification: InputSpecification, _ effects: [EffectChain.Step]) throws(EffectError) {
        let demo = try EffectDemo(effects) { style.makeTile(specification, early.makeMailbox()) }
        self.demo = demo
        add(specification, on: demo.tiles, isDropped: false)
    }

    private func add(_ specification: InputSpecification, on tiles: [WallTile], isDropped: Bool) {
        let stream = ViewerStream(
            specification, tiles.map(\.mailbox), limit: early.limit, early.shared, logger)
        add(stream, specification, on: tiles, isDropped: isDropped)
        stream.open()
    }

    private func add(
        _ stream: ViewerStream, _ specification: InputSpecification, on tiles: [WallTile], isDropped: Bool
    ) {
        for tile in tiles { wall.insert(tile) }
        inputs.append(
            ViewerInput(
                stream: stream, connection: specification.connection, tiles: tiles, isDropped: isDropped))
        if isPaused { stream.setPaused(true) }
    }

    /// The input that a tile shows.
    func input(of tile: WallTile) -> ViewerInput? {
        inputs.first { $0.tiles.contains { $0 === tile } }
    }

    /// Removes a tile by hand.
    func remove(_ tile: WallTile) {
        remove([tile])
        overlay.show("\(tile.title) removed", now: clock.now)
    }

    /// Removes dropped files that could not be shown, some time after their tile has begun to say why.
    func removeBrokenDrops() {
        noteRemovals()
        var broken: [WallTile] = []
        for index in inputs.indices {
            guard let removal = inputs[index].removal, clock.now >= removal else { continue }
            broken += inputs[index].tiles
        }
        if !broken.isEmpty { remove(broken) }
    }

    /// Notes which of the dropped files cannot be shown, and when they are removed.
    func noteRemovals() {
        for index in inputs.indices { inputs[index].noteRemoval(now: clock.now) }
    }

    /// Removes tiles; those of the document by an edit of it.
    private func remove(_ tiles: [WallTile]) {
        let ids = tiles.map { inputID(of: $0) }
        edit { document in for case let id? in ids { document.remove(id) } }
        for (tile, id) in zip(tiles, ids) where id == nil { removeTile(tile) }
    }

    /// Takes a tile off the wall, and closes its stream if no other tile shows it.
    func removeTile(_ tile: WallTile) {
        wall.remove(tile)
        (loggedFailures[tile.id], stalled[tile.id], omissions[tile.id]) = (nil, nil, nil)
        wrongClocks.remove(tile.id)
        release(tile, from: \.tiles)
        release(tile, from: \.incoming)
    }

    /// Takes a tile off its stream, and closes the stream if no other tile needs it.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - tiles: whether it is the stream that the tile shows, or the one that it waits for.
    func release(_ tile: WallTile, from tiles: WritableKeyPath<ViewerInput, [WallTile]>) {
        guard let index = inputs.firstIndex(where: { $0[keyPath: tiles].contains { $0 === tile } }) else { return }
        inputs[index][keyPath: tiles].removeAll { $0 === tile }
        if inputs[index].isUnused {
            close(inputs.remove(at: index).stream)
        } else {
            inputs[index].stream.remove(tile.mailbox)
        }
    }

    /// Closes a stream on a thread of its own, since that may take time.
    func close(_ stream: ViewerStream) {
        let (waker, closing) = (window.waker, closing)
        closing.increase()
        let close: @Sendable () -> Void = {
            stream.close()
            closing.decrease()
            waker.wake()
        }
        do throws(StreamError) {
            try SystemThread(for: "closing", run: close).detach()
        } catch {
            close()
        }
    }
}

extension WallTile {
    /// What a user calls it.
    var title: String { label ?? name }
}
