internal import FoundationEssentials
public import VideoWall
internal import VitrailSupport

/// The effects of a wall, as stored in a JSON file.
public struct EffectPreset: Codable, Hashable, Sendable {
    /// One effect of a chain.
    public struct Item: Codable, Hashable, Sendable {
        /// The name of a built-in effect, or the path of a file.
        public var effect: String
        /// Whether the file is a Shadertoy image shader; if this is missing, the name of the file decides.
        public var isShadertoy: Bool?
        /// Whether the effect is applied; if this is missing, it is.
        public var isOn: Bool?
        /// The values of parameters, in the form of the command line; missing ones have their defaults.
        public var values: [String: EffectText]?

        /// Describes a step of a chain.
        public init(_ step: EffectChain.Step) {
            effect = step.effect.isFile ? step.effect.file : step.effect.name
            isShadertoy = step.effect.dialect == .shadertoy ? true : nil
            isOn = step.isOn
            values = [:]
            for (parameter, value) in zip(step.effect.parameters, step.values) {
                values?[parameter.name] = EffectText(parameter.text(of: value))
            }
        }
    }

    /// The effects of the tiles, in their order on the wall.
    public var tiles: [[Item]]
    /// The effects on the wall as a whole.
    public var wall: [Item]?

    /// Describes the effects of a wall.
    public init(tiles: [EffectChain], wall: EffectChain) {
        self.tiles = tiles.map { $0.steps.map { Item($0) } }
        self.wall = wall.steps.map { Item($0) }
    }

    /// Reads a file.
    ///
    /// - Throws: `EffectError` if it cannot be read, or is no preset.
    public init(contentsOf path: String) throws(EffectError) {
        let text = try EffectFile.text(ofFileAt: path, named: path)
        do {
            try JSONText.checkDepth(text)
            self = try JSONDecoder().decode(EffectPreset.self, from: Data(text.utf8))
        } catch {
            throw EffectError("this is not a preset: \(Self.words(error))", file: path)
        }
    }

    /// Reads a file and makes the chains that it describes.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - notes: a sentence is appended for each value that was out of range and clamped.
    /// - Returns: the chains of the tiles, in their order, and that of the wall.
    /// - Throws: `EffectError`, which names the file.
    public static func chains(
        ofFileAt path: String, notes: inout [String]
    ) throws(EffectError) -> (tiles: [EffectChain], wall: EffectChain) {
        let preset = try EffectPreset(contentsOf: path)
        guard preset.tiles.count <= EffectLimits.presetTiles else {
            throw EffectError("a preset has at most \(EffectLimits.presetTiles) tiles: leave some out", file: path)
        }
        var tiles: [EffectChain] = []
        do throws(EffectError) {
            for items in preset.tiles { tiles.append(try chain(items, notes: &notes)) }
            return (tiles, try chain(preset.wall ?? [], notes: &notes))
        } catch {
            throw EffectError(error.description, file: path)
        }
    }

    /// The content of a file.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings and truth values can always be encoded.
        let data = (try? encoder.encode(self)) ?? Data()
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Makes the chain of some items.
    ///
    /// - Parameters:
    ///   - items: the effects of a tile or of the wall.
    ///   - notes: a sentence is appended for each value that was out of range and clamped.
    /// - Returns: the chain.
    /// - Throws: `EffectError` if an effect or a value cannot be used.
    public static func chain(_ items: [Item], notes: inout [String]) throws(EffectError) -> EffectChain {
        var chain = EffectChain()
        for item in items {
            try chain.checkLength(before: item.effect)
            let effect =
                item.isShadertoy == true
                ? try EffectFile.read(item.effect, .shadertoy) : try EffectChain.effect(item.effect)
            var step = EffectChain.Step(effect)
            step.isOn = item.isOn ?? true
            for (name, value) in (item.values ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let note = try step.set(name, text: value.text) { notes.append(note) }
            }
            try chain.append(step)
        }
        return chain
    }

    /// Describes what is wrong with JSON, in words for users.
    public static func words(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): "\(place(context))“\(key.stringValue)” is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            "\(place(context))\(name(type)) is expected"
        // On Linux, the decoder does not say where the error is.
        case .dataCorrupted: "this is not JSON: check its brackets, commas and quotation marks"
        default: "\(error)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        var path = ""
        for key in context.codingPath {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return path.isEmpty ? "" : path + ": "
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is Int.Type: "a whole number"
        case is Bool.Type: "true or false"
        case is String.Type: "a text, a number, true or false"
        case is [Any].Type: "a list"
        default: "an object in curly brackets"
        }
    }
}
