import VideoEffects
public import VideoWall

/// The form of an input in a wall file: `[[input]]` in TOML.
extension WallInput: Codable {
    /// The names in the table besides those of the options.
    static let ownKeys = ["id", "name", "url", "secret", "substream", "effect", "place", "zoom"]
    /// The options of the command line that have the same name in the table.
    static let options = InputOption.allCases.filter { $0 != .label && $0 != .effect }
    /// The names in the table.
    static let keys = ownKeys + options.map(\.rawValue)

    init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "[[input]]", keys: Self.keys)
        guard let text = try table.text("url") else { throw table.problem("url", "an input needs a “url”") }
        do throws(ProgramError) { self = try WallInput(text, isComplete: false) } catch {
            throw table.problem("url", error.description)
        }
        if let id = try table.text("id") { self.id = id }
        name = try table.text("name") ?? name
        secret = try table.text("secret")
        substream = try table.text("substream")
        effects = try table.effects("effect") ?? effects
        place = try table.value("place", as: "a table with x, y, width and height")
        zoom = try table.value("zoom", as: "a table with scale, x and y")
        for option in Self.options where table.has(option.rawValue) {
            settings[option] = try Self.text(of: option, table)
        }
        try check(table)
    }

    /// The value of an option as on the command line; it may be a text, a number, or true and false.
    private static func text(of option: InputOption, _ table: WallTable) throws -> String {
        let value: EffectText? = try table.value(option.rawValue, as: "a text or a number")
        let text = value?.text ?? ""
        return switch (option.isSwitch, text) {
        case (true, "true"): "yes"
        case (true, "false"): "no"
        default: text
        }
    }

    /// Has the options checked one by one, so that the wrong one is named, and the address.
    private func check(_ table: WallTable) throws {
        if let name, name.isEmpty { throw table.problem("name", "“name” is empty: leave it out") }
        do throws(ProgramError) { _ = try addressWithSecret() } catch {
            throw table.problem("secret", error.description)
        }
        for option in Self.options where settings[option] != nil {
            var alone = self
            alone.settings = settings.filter { $0.key == option || $0.key == .size }
            do throws(ProgramError) { _ = try InputSpecification(alone) } catch {
                throw table.problem(table.has(option.rawValue) ? option.rawValue : "url", error.description)
            }
        }
        do throws(ProgramError) { _ = try InputSpecification(self) } catch {
            throw table.problem("url", error.description)
        }
        do throws(ProgramError) { _ = try substreamSpecification() } catch {
            throw table.problem("substream", error.description)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        // An identity from the address follows from the order of the inputs.
        try table.put("id", hasDerivedID ? nil : id)
        try table.put("name", name)
        try table.put("url", spelling)
        try table.put("secret", secret)
        try table.put("substream", substream)
        for option in Self.options {
            guard let text = settings[option] else { continue }
            if option.isSwitch {
                try table.put(option.rawValue, text == "yes")
            } else if let number = Int(text), "\(number)" == text {
                try table.put(option.rawValue, number)
            } else {
                try table.put(option.rawValue, text)
            }
        }
        try table.put("effect", effects)
        try table.put("place", place)
        try table.put("zoom", zoom)
    }
}

extension WallInput {
    /// Whether the identity is the address, or that with the number of those that have the same.
    var hasDerivedID: Bool {
        guard id.hasPrefix(address) else { return false }
        let rest = id.utf8.dropFirst(address.utf8.count)
        guard let mark = rest.first else { return true }
        let number = rest.dropFirst()
        return mark == UInt8(ascii: "#") && !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The address as a text that is read as this address, though it may look as if it had options.
    fileprivate var spelling: String {
        if let read = try? WallInput(address, isComplete: false), read == WallInput(address: address) { return address }
        if address.contains("://") { return address + "#" }
        let escaped = SecretReference.encoded(WallFilePaths.absolute(address)[...], keeping: "/")
        return "file://" + escaped
    }
}

extension WallTable {
    /// Reads a chain of effects as on the command line, and has it checked.
    func effects(_ key: String) throws -> String? {
        guard let chain = try text(key) else { return nil }
        var notes: [String] = []
        do throws(EffectError) {
            _ = try EffectChain(chain, notes: &notes)
        } catch {
            throw problem(key, error.description)
        }
        return chain
    }
}

extension FreeLayout.Place: Codable {
    /// Reads a table with all four numbers.
    public init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "place", keys: ["x", "y", "width", "height"])
        func number(_ key: String) throws -> Double {
            guard let number = try table.number(key, in: 0.0...1.0) else {
                throw table.problem(key, "a place needs x, y, width and height, each a part of the wall from 0 to 1")
            }
            return number
        }
        self.init(x: try number("x"), y: try number("y"), width: try number("width"), height: try number("height"))
        guard width > 0, height > 0 else { throw table.problem("width", "a place must not be empty") }
    }

    /// Writes a table of four numbers.
    public func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        try table.put("x", x)
        try table.put("y", y)
        try table.put("width", width)
        try table.put("height", height)
    }
}

extension TileZoom: Codable {
    /// How many times a picture may be enlarged.
    static let scales = 1.0...64.0

    /// Reads a table with scale, x and y.
    public init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "zoom", keys: ["scale", "x", "y"])
        self.init(
            scale: try table.number("scale", in: Self.scales) ?? 1, x: try table.number("x", in: 0.0...1.0) ?? 0.5,
            y: try table.number("y", in: 0.0...1.0) ?? 0.5)
    }

    /// Writes a table with scale, x and y.
    public func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        try table.put("scale", scale)
        try table.put("x", x)
        try table.put("y", y)
    }
}
