/// What PipeWire, which has the cameras and screens of a desktop, is asked for.
public enum PipeWireInput: Hashable, Sendable, CustomStringConvertible {
    /// A camera, or another program's pictures: a node by its name, its serial number or its description.
    case node(String)
    /// The camera that the desktop prefers, after its user has allowed it, where the desktop asks.
    case camera
    /// A screen or a window, which the user of the desktop chooses; needs a portal (xdg-desktop-portal).
    case screen

    /// Reads `camera`, `screen` or the name of a node; `nil` if there is nothing.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self =
            switch text {
            case "camera": .camera
            case "screen": .screen
            default: .node(text)
            }
    }

    /// As in `pipewire:screen`.
    public var description: String {
        switch self {
        case .node(let name): "pipewire:\(name)"
        case .camera: "pipewire:camera"
        case .screen: "pipewire:screen"
        }
    }
}
