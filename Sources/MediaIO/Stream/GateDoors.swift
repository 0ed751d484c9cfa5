/// The two doors of a ``SourceGate``, one behind the other.
struct GateDoors {
    /// Who opens and closes a door.
    enum Door { case source, stream }
    /// The position of a door; one that has ended stays so.
    enum Position { case closed, open, ended }

    private(set) var source = Position.closed
    /// Open unless there is a stream.
    private(set) var stream = Position.open
    /// The number of times the source's door was opened.
    private(set) var openings = 0

    /// The position of both together.
    var position: Position {
        if source == .ended || stream == .ended { return .ended }
        return source == .open && stream == .open ? .open : .closed
    }

    /// Moves a door, unless it has ended.
    mutating func move(_ door: Door, to position: Position) {
        switch door {
        case .source where source != .ended:
            source = position
            if position == .open { openings += 1 }
        case .stream where stream != .ended: stream = position
        case .source, .stream: break
        }
    }
}
