import MediaIO
import VideoWall

/// Inputs with a substream: each tile plays the one that fits its size.
extension Viewer {
    /// Connects to the other stream of the tiles whose size has changed, and closes those that it has replaced.
    func chooseStreams() {
        // What replaces a stream has nothing of the past.
        guard !choices.isEmpty, !isPaused, past.playhead == nil else { return }
        let tiles = wall.scene.tiles
        for (id, old) in choices {
            guard let entry = shown[id], let main = entry.specification, let substream = entry.substream else {
                continue
            }
            var choice = old
            if choice.pending != nil, finishSwitch(of: entry.tile) { choice.takeOver() }
            var area = tiles.first { $0.id == entry.tile.id && $0.isVisible }.map { shown in
                let scale = entry.tile.zoom?.scale ?? 1
                return Double(shown.rectangle.width * shown.rectangle.height) * scale * scale
            }
            // A recording has the main stream.
            if recordings.isWanted(entry.input, history.document.recording) { area = .infinity }
            switch choice.next(area: area, isFailing: entry.tile.mailbox.condition.isFailing, now: clock.now) {
            case .none: break
            case .connect(.main): connect(to: main, insteadOf: entry.tile)
            case .connect(.substream): connect(to: substream, insteadOf: entry.tile)
            case .cancel: release(entry.tile, from: \.incoming)
            }
            choices[id] = choice
        }
    }

    /// Connects to a stream, which replaces that of a tile at its first picture.
    private func connect(to specification: InputSpecification, insteadOf tile: WallTile) {
        let old = input(of: tile)?.stream
        if let connection = specification.connection,
            let index = inputs.firstIndex(where: { $0.connection == connection })
        {
            inputs[index].incoming.append(tile)
            return inputs[index].stream.add(tile.mailbox, specification, insteadOf: old)
        }
        let stream = ViewerStream(
            specification, [tile.mailbox], insteadOf: old, limit: early.limit, early.shared, logger)
        var input = ViewerInput(
            stream: stream, connection: specification.connection, tiles: [],
            isDropped: self.input(of: tile)?.isDropped ?? false)
        input.incoming = [tile]
        inputs.append(input)
        stream.open()
    }

    /// Ends the old stream of a tile, if the new one has replaced it.
    private func finishSwitch(of tile: WallTile) -> Bool {
        guard let new = inputs.firstIndex(where: { $0.incoming.contains { $0 === tile } }),
            inputs[new].stream.isShown(in: tile.mailbox)
        else { return false }
        // Releasing the old stream may remove its input, and so change the place of the new one.
        let stream = inputs[new].stream
        release(tile, from: \.tiles)
        for index in inputs.indices where inputs[index].stream === stream {
            inputs[index].incoming.removeAll { $0 === tile }
            inputs[index].tiles.append(tile)
        }
        return true
    }
}

extension SourceCondition {
    /// Whether the source has failed, or waits for its next try.
    fileprivate var isFailing: Bool {
        switch self {
        case .failed: true
        case .waiting(_, let retry, _): retry != nil
        case .live, .ended: false
        }
    }
}
