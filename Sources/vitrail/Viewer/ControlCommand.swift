import FoundationEssentials
import VideoEffects
import VideoWall

/// A line of JSON on standard input that changes effects while they run.
struct ControlCommand: Decodable, Hashable {
    /// A value of a parameter: a number, a truth value or text.
    struct Value: Decodable, Hashable {
        /// In the form of the command line.
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let isOn = try? container.decode(Bool.self) {
                text = "\(isOn)"
            } else if let number = try? container.decode(Int.self) {
                text = "\(number)"
            } else if let number = try? container.decode(Double.self) {
                text = "\(number)"
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    /// The number of the tile, from 1; without it, all tiles and the wall.
    var tile: Int?
    /// Whether the wall's own effects are meant instead of those of tiles.
    var wall: Bool?
    /// Values by `NAME` or `EFFECT.NAME`.
    var set: [String: Value]?
    /// Another chain, as on the command line.
    var effects: String?
    /// Whether effects are applied.
    var on: Bool?
    /// The path of a preset to load.
    var preset: String?
    /// The path of a preset to save.
    var save: String?

    /// Reads a line.
    ///
    /// - Throws: ``EffectError``, with what is wrong.
    init(_ line: String) throws(EffectError) {
        do {
            self = try JSONDecoder().decode(ControlCommand.self, from: Data(line.utf8))
        } catch {
            throw EffectError(EffectPreset.words(error), file: "standard input")
        }
        if tile == nil, wall == nil, set == nil, effects == nil, on == nil, preset == nil, save == nil {
            throw EffectError("use one of set, effects, on, preset, save; with tile or wall", file: "standard input")
        }
    }
}
