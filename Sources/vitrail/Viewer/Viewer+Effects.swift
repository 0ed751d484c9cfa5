import FFmpegMedia
import Logging
import MediaIO
import VideoEffects
import VideoWall
import WindowGL

/// Changing effects while they run.
extension Viewer {
    /// Reads effects again after their files were saved.
    func reloadEffects() {
        guard let watcher else { return }
        noteLoss(of: watcher.takeLost())
        checkWallFile()
        let files = watcher.takeSaved()
        if !files.isEmpty {
            let chains = wall.tiles.map(\.effects) + [wall.effects]
            effectReader.read(.saved(files, of: chains, wall: isWallFile(files) ? wallFile?.path : nil))
        }
    }

    /// Uses effects that were read on another thread.
    func useReadEffects() {
        for result in effectReader.take() {
            switch result {
            case .saved(let files, let saved):
                rereadWall(files)
                for tile in wall.tiles { tile.effects.reload(saved) }
                wall.effects.reload(saved)
                for error in saved.errors { logger.error("\(error.description)") }
                // They may include other files now.
                watchEffects()
            case .dropped(let paths, let tile): use(dropped: paths, on: tile)
            }
        }
    }

    /// Watches the files of the wall and of all effects on it.
    func watchEffects() {
        var files = wall.effects.files
        for tile in wall.tiles where !tile.effects.steps.isEmpty { files.formUnion(tile.effects.files) }
        if let wallFile { files.formUnion(wallFile.files.union(missedFiles)) }
        watcher?.watch(files)
    }

    /// Switches effects, or chooses or changes one of their parameters.
    ///
    /// The effects are those of the tile that the action is about; if it has none, those of the wall.
    func turn(_ turn: EffectKnob.Turn, _ words: ActionWords) throws(ProgramError) {
        if let tile = words.tile ?? pointedTile, !tile.effects.steps.isEmpty {
            let area = wall.scene.tiles.first { $0.id == tile.id }?.placement.destination
            var chain = tile.effects
            if turn == .toggle, try words.toggled(!chain.isEmpty) == !chain.isEmpty { return }
            let result = knob.perform(turn, on: &chain, mouse: area.flatMap { place(in: $0) })
            set(chain, of: tile, gesture: turn.gesture)
            overlay.show(result, over: tile, now: clock.now)
        } else {
            var chain = wall.effects
            if turn == .toggle, try words.toggled(!chain.isEmpty) == !chain.isEmpty, !chain.steps.isEmpty { return }
            let result = knob.perform(turn, on: &chain, mouse: place(in: wall.scene.bounds))
            set(chain, of: nil, gesture: turn.gesture)
            overlay.show(result, now: clock.now)
        }
    }

    /// Changes the effects of a tile, or of the wall for `nil`, by an edit of the document.
    func set(_ chain: EffectChain, of tile: WallTile?, gesture: String? = nil) {
        guard let tile else {
            edit(gesture: gesture.map { "wall \($0)" }) { $0.look.wallEffects = chain.text }
            // What the document does not say: that effects are no longer bypassed.
            wall.effects = chain
            return
        }
        if let id = inputID(of: tile) {
            edit(gesture: gesture.map { "\(id) \($0)" }) { document in
                if let index = document.index(of: id) { document.inputs[index].effects = chain.text }
            }
        }
        tile.effects = chain
    }

    private func place(in area: Rectangle) -> SIMD2<Float>? {
        guard let mouse, area.contains(x: mouse.x, y: mouse.y) else { return nil }
        return SIMD2(
            Float((mouse.x - Double(area.x)) / Double(area.width)),
            Float((mouse.y - Double(area.y)) / Double(area.height)))
    }

    /// Obeys the lines on standard input.
    func obeyControl() {
        for line in control?.take() ?? [] {
            do throws(EffectError) {
                try obey(line)
            } catch {
                logger.error("\(line.hidingSecrets(in: error.description))")
            }
        }
    }

    private func obey(_ line: ControlLine) throws(EffectError) {
        switch line {
        case .text(let text) where text.allSatisfy(\.isWhitespace): break
        case .text(let text): try obey(ControlCommand(text))
        case .tooLong:
            throw EffectError(
                "a line has more than \(LineSplitter.longest) bytes and was left out: send shorter ones",
                file: "standard input")
        }
    }

    private func obey(_ command: ControlCommand) throws(EffectError) {
        var notes: [String] = []
        defer { for note in notes { logger.warning("\(note)") } }
        if let path = command.preset { try load(path, notes: &notes) }
        if let line = command.do { return try obey(line, command.tile) }
        let numbers = command.tile.map { [$0] } ?? (command.wall == true ? [] : Array(1..<(wall.tiles.count + 1)))
        for number in numbers where number < 1 || number > wall.tiles.count {
            throw EffectError("there is no tile \(number): there are \(wall.tiles.count)", file: "standard input")
        }
        var count = 0
        for number in numbers {
            let tile = wall.tiles[number - 1]
            var chain = tile.effects
            count += try change(&chain, command, isExplicit: true, notes: &notes)
            if chain != tile.effects { set(chain, of: tile) }
        }
        if command.tile == nil {
            var chain = wall.effects
            count += try change(&chain, command, isExplicit: command.wall == true, notes: &notes)
            if chain != wall.effects { set(chain, of: nil) }
        }
        if command.set != nil, count == 0 {
            throw EffectError("no effect here has such a parameter", file: "standard input")
        }
        if let path = command.save { savePreset(path) }
        watchEffects()
    }

    /// Obeys the words of a command.
    private func obey(_ line: String, _ number: Int?) throws(EffectError) {
        let tiles = wall.tiles
        if let number, !tiles.indices.contains(number - 1) {
            throw EffectError("there is no tile \(number): there are \(tiles.count)", file: "standard input")
        }
        do throws(ProgramError) {
            try obey(line, tile: number.map { tiles[$0 - 1] })
        } catch {
            throw EffectError(error.description, file: "standard input")
        }
    }

    /// Changes one chain.
    ///
    /// - Parameters:
    ///   - chain: the chain.
    ///   - command: what to change.
    ///   - isExplicit: whether the command names the chain, so that it may be replaced.
    ///   - notes: sentences about values out of range are appended.
    /// - Returns: the number of parameters that were set.
    /// - Throws: ``EffectError`` if something cannot be used; the chain is then as it was.
    private func change(
        _ chain: inout EffectChain, _ command: ControlCommand, isExplicit: Bool, notes: inout [String]
    ) throws(EffectError) -> Int {
        var new = chain
        if let text = command.effects, isExplicit { new = try EffectChain(text, notes: &notes) }
        if let on = command.on {
            for step in new.steps.indices { new.steps[step].isOn = on }
            new.bypassReason = nil
        }
        var count = 0
        for (name, value) in (command.set ?? [:]).sorted(by: { $0.key < $1.key }) {
            count += try EffectSetting(name: name, value: value.text).apply(to: &new, notes: &notes)
        }
        if count > 0 { new.bypassReason = nil }
        chain = new
        return count
    }

    func load(_ path: String, notes: inout [String]) throws(EffectError) {
        let preset = try EffectPreset.chains(ofFileAt: path, notes: &notes)
        for (tile, chain) in zip(wall.tiles, preset.tiles) { set(chain, of: tile, gesture: "preset") }
        set(preset.wall, of: nil, gesture: "preset")
    }

    /// Saves the effects of the wall.
    func savePreset(_ path: String) {
        let preset = EffectPreset(tiles: wall.tiles.map(\.effects), wall: wall.effects)
        do throws(ProgramError) {
            let file = try OutputFile(path, files)
            try file.write(preset.json)
            try file.commit()
            tell("\(MediaLocation.hidingSecrets(in: path)) saved")
        } catch {
            tell(failure: error.description)
        }
    }
}
