import FoundationEssentials
import VideoEffects
import VideoWall
import VitrailSupport

/// A line of JSON on standard input that changes the wall.
struct ControlCommand: Decodable, Hashable {
    /// The words of an action, as in `layout spotlight`; they may be about a tile.
    var `do`: String?
    /// The number of the tile, from 1; without it, all tiles and the wall.
    var tile: Int?
    /// Whether the wall's own effects are meant instead of those of tiles.
    var wall: Bool?
    /// Values by `NAME` or `EFFECT.NAME`.
    var set: [String: EffectText]?
    /// Another chain, as on the command line.
    var effects: String?
    /// Whether effects are applied.
    var on: Bool?
    /// The path of a preset to load.
    var preset: String?
    /// The path of a preset to save.
    var save: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case `do`, tile, wall, set, effects, on, preset, save }

    /// The keys of an object, whatever they are.
    private struct Keys: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let names: [String]

        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
    }

    /// Reads a line.
    ///
    /// - Throws: ``EffectError``, with what is wrong.
    init(_ line: String) throws(EffectError) {
        let (known, names): ([String], [String])
        do {
            try JSONText.checkDepth(line)
            let decoder = JSONDecoder()
            names = try decoder.decode(Keys.self, from: Data(line.utf8)).names
            self = try decoder.decode(ControlCommand.self, from: Data(line.utf8))
            known = CodingKeys.allCases.map(\.rawValue)
        } catch {
            throw EffectError(EffectPreset.words(error), file: "standard input")
        }
        if let other = names.sorted().first(where: { !known.contains($0) }) {
            throw EffectError("“\(other)” is not one of \(known.joined(separator: ", "))", file: "standard input")
        }
        if names.isEmpty {
            throw EffectError(
                "use one of do, set, effects, on, preset, save; with tile or wall", file: "standard input")
        }
        if tile != nil, wall == true {
            throw EffectError("use tile or wall, not both", file: "standard input")
        }
    }
}
