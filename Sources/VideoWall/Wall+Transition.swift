public import MediaIO

/// Tiles that move to new places.
extension Wall {
    /// A transition from one arrangement of the tiles to another.
    struct Transition {
        let start: MonotonicTime
        let duration: Duration

        /// How far the tiles have come, 0…1: fast at the beginning, slow at the end.
        func progress(at now: MonotonicTime) -> Double {
            let rest = 1 - min(max((now - start) / duration, 0), 1)
            return 1 - rest * rest * rest
        }
    }

    /// Whether tiles are moving to new places, which takes ``transitionTime``: draw continuously until it is false.
    ///
    /// A tile that is visible before and after moves, over all others. One that becomes hidden stays where it is, under
    /// all others, until the end; one that becomes visible is at its new place at once. Another change begins a new
    /// transition from where the tiles then are. What sources should deliver (`VideoSinkWants`) changes at the
    /// beginning.
    public var isInTransition: Bool { transition != nil }

    /// Where each of ``tiles`` is, or will be at the end of a transition; an empty rectangle is hidden.
    ///
    /// In pixels, as in the ``scene``, as of the last update.
    public var destinations: [Rectangle] { entries.map(\.target) }

    /// Where each of ``tiles`` is, also those that this ``part`` of the wall does not show.
    ///
    /// In pixels, as in the ``scene``, as of the last update.
    package var rectangles: [Rectangle] { entries.map(\.shown) }

    /// Begins a transition from where the tiles are to their targets, if any of them has to move.
    func beginTransition(_ now: MonotonicTime) {
        transition = nil
        guard transitionTime > .zero else { return }
        for index in entries.indices {
            entries[index].origin = entries[index].shown
            if isMoving(index) { transition = Transition(start: now, duration: transitionTime) }
        }
    }

    /// Whether a tile moves in a transition: it is visible before and after, but not at the same place.
    private func isMoving(_ index: Int) -> Bool {
        let (origin, target) = (entries[index].origin, entries[index].target)
        return !origin.isEmpty && !target.isEmpty && origin != target
    }

    /// The drawing order during a transition.
    ///
    /// - Parameter order: the order after it.
    /// - Returns: the tiles that are hidden after it, then those that are at their places, then those that move. A tile
    ///   that is at its place is above them nevertheless if it lies over one of them afterwards.
    func transitionOrder(_ order: [Int]) -> [Int] {
        var (hidden, placed, moving, upper): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
        for index in order {
            let target = clipped(entries[index].target)
            if entries[index].target.isEmpty {
                hidden.append(index)
            } else if isMoving(index) {
                moving.append(index)
            } else if (moving + upper).contains(where: { clipped(entries[$0].target).intersects(target) }) {
                upper.append(index)
            } else {
                placed.append(index)
            }
        }
        return hidden + placed + moving + upper
    }

    /// Moves the tiles to where they are at a time.
    ///
    /// **Cost:** every frame; nothing without a transition.
    func advanceTransition(_ now: MonotonicTime) {
        guard let transition else { return }
        let progress = transition.progress(at: now)
        guard progress < 1 else { return endTransition() }
        for index in entries.indices {
            let (origin, target) = (entries[index].origin, entries[index].target)
            let rectangle = isMoving(index) ? origin.moved(towards: target, progress) : target.isEmpty ? origin : target
            show(index, in: rectangle, isMoving: true)
        }
    }

    private func endTransition() {
        transition = nil
        for index in entries.indices { show(index, in: entries[index].target, isMoving: true) }
        // The order changes, and with it whatever overlaps.
        scene.order = layout.order(ofTiles: entries.count)
        addChange(scene.bounds)
    }
}

extension Rectangle {
    /// A rectangle between this one and another: each edge goes straight from one to the other.
    ///
    /// So it always contains what lies in both.
    func moved(towards other: Rectangle, _ progress: Double) -> Rectangle {
        func edge(_ from: Double, _ to: Double) -> Int {
            // Sums of what a custom layout returns may be larger than any number.
            // Rounded down, so that the parts of a wall, each with coordinates of its own, agree on it.
            Int((min(max(from + (to - from) * progress, -0x1p51), 0x1p51) + 0.5).rounded(.down))
        }
        func span(_ start: Int, _ length: Int, _ newStart: Int, _ newLength: Int) -> (Int, Int) {
            let first = edge(Double(start), Double(newStart))
            return (first, edge(Double(start) + Double(length), Double(newStart) + Double(newLength)) - first)
        }
        let (left, newWidth) = span(x, width, other.x, other.width)
        let (top, newHeight) = span(y, height, other.y, other.height)
        return Rectangle(x: left, y: top, width: newWidth, height: newHeight)
    }
}
