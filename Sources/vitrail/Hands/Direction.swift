import WindowGL

/// A direction on the wall.
enum Direction: String {
    case left, right, up, down

    var isHorizontal: Bool { self == .left || self == .right }

    /// A step in this direction, y downwards.
    var step: (x: Double, y: Double) {
        switch self {
        case .left: (-1, 0)
        case .right: (1, 0)
        case .up: (0, -1)
        case .down: (0, 1)
        }
    }
}

extension ActionTable {
    /// The four arrow keys, each with its direction.
    static func arrows(_ modifiers: KeyModifiers) -> [ViewerAction.Binding] {
        [
            .init(.key(.left, modifiers), "left"), .init(.key(.right, modifiers), "right"),
            .init(.key(.up, modifiers), "up"), .init(.key(.down, modifiers), "down"),
        ]
    }
}
