import MediaIO
import VideoEffects

/// What a file that is dropped on the window is, by its name.
enum DroppedFile {
    case effect, table, preset, wall, input

    init(_ path: String) {
        self =
            switch pathExtension(path) {
            case "cube": .table
            case "json": .preset
            case "toml": .wall
            default:
                path.hasSuffix(EffectFile.suffix) || path.hasSuffix(EffectFile.shadertoySuffix) ? .effect : .input
            }
    }

    /// Whether it is a file with effects.
    var hasEffects: Bool { self != .wall && self != .input }
}
