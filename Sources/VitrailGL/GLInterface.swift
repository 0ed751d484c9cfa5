/// A family of OpenGL.
public enum GLInterface: Hashable, Sendable, CaseIterable {
    /// OpenGL 3.3 and newer.
    case desktop
    /// OpenGL ES 3.0 and newer, of small computers, phones and ANGLE.
    case embedded

    /// Its name.
    public var name: String {
        switch self {
        case .desktop: "OpenGL 3.3"
        case .embedded: "OpenGL ES 3.0"
        }
    }
}
