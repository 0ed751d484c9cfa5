import VideoWall

/// Bringing the changes of a file to a wall that was changed by hand meanwhile.
extension WallDocument {
    /// Applies what differs between two versions of the wall's file; all else stays as it is.
    ///
    /// - Parameters:
    ///   - old: the file as it was read before.
    ///   - new: the file as it is now.
    mutating func apply(changesFrom old: WallDocument, to new: WallDocument) {
        take(\.title, old, new)
        take(\.focus, old, new)
        take(\.output, old, new)
        take(\.recording.folder, old, new)
        take(\.recording.names, old, new)
        take(\.recording.part, old, new)
        take(\.recording.before, old, new)
        take(\.recording.reserve, old, new)
        take(\.recording.deletesOldest, old, new)
        take(\.recording.hasSound, old, new)
        take(\.recording.isOfAll, old, new)
        take(\.history.seconds, old, new)
        take(\.history.memory, old, new)
        take(\.alignment, old, new)
        take(\.layout.kind, old, new)
        take(\.layout.rows, old, new)
        take(\.layout.columns, old, new)
        take(\.layout.gap, old, new)
        take(\.layout.margin, old, new)
        take(\.layout.share, old, new)
        take(\.layout.columnShares, old, new)
        take(\.layout.rowShares, old, new)
        take(\.layout.edge, old, new)
        take(\.layout.corner, old, new)
        take(\.pages.size, old, new)
        take(\.pages.page, old, new)
        take(\.pages.tour, old, new)
        take(\.look.content, old, new)
        take(\.look.filter, old, new)
        take(\.look.linearLight, old, new)
        take(\.look.color, old, new)
        take(\.look.animation, old, new)
        take(\.look.names, old, new)
        take(\.look.clock, old, new)
        take(\.look.effects, old, new)
        take(\.look.wallEffects, old, new)
        applyInputs(old, new)
        if let focus, index(of: focus) == nil { self.focus = nil }
    }

    private mutating func take<Value: Equatable>(
        _ part: WritableKeyPath<WallDocument, Value>, _ old: WallDocument, _ new: WallDocument
    ) {
        if new[keyPath: part] != old[keyPath: part] { self[keyPath: part] = new[keyPath: part] }
    }

    private mutating func applyInputs(_ old: WallDocument, _ new: WallDocument) {
        let before = Dictionary(old.inputs.map { ($0.id, $0) }) { first, _ in first }
        let after = Dictionary(new.inputs.map { ($0.id, $0) }) { first, _ in first }
        inputs.removeAll { before[$0.id] != nil && after[$0.id] == nil }
        for index in inputs.indices {
            guard let was = before[inputs[index].id], let now = after[inputs[index].id] else { continue }
            inputs[index].apply(changesFrom: was, to: now)
        }
        for (index, input) in new.inputs.enumerated() where before[input.id] == nil {
            if let present = self.index(of: input.id) {
                inputs[present] = input
            } else {
                // After the one that it follows in the file, if that is still on the wall.
                let previous = new.inputs[..<index].last { self.index(of: $0.id) != nil }
                inputs.insert(input, at: previous.flatMap { self.index(of: $0.id) }.map { $0 + 1 } ?? 0)
            }
        }
        let common = old.inputs.map(\.id).filter { after[$0] != nil }
        guard common != new.inputs.map(\.id).filter({ before[$0] != nil }) else { return }
        // The file has another order: it counts, and what is only on the wall follows.
        let order = Dictionary(new.inputs.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let known = inputs.filter { order[$0.id] != nil }.sorted { order[$0.id] ?? 0 < order[$1.id] ?? 0 }
        inputs = known + inputs.filter { order[$0.id] == nil }
    }
}

extension WallInput {
    /// Applies what differs between two versions of an input.
    fileprivate mutating func apply(changesFrom old: WallInput, to new: WallInput) {
        take(\.name, old, new)
        take(\.address, old, new)
        take(\.secret, old, new)
        take(\.substream, old, new)
        take(\.effects, old, new)
        take(\.place, old, new)
        take(\.zoom, old, new)
        for option in InputOption.allCases { take(\.settings[option], old, new) }
    }

    private mutating func take<Value: Equatable>(
        _ part: WritableKeyPath<WallInput, Value>, _ old: WallInput, _ new: WallInput
    ) {
        if new[keyPath: part] != old[keyPath: part] { self[keyPath: part] = new[keyPath: part] }
    }
}
