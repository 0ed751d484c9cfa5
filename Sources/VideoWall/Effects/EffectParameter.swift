/// A parameter of an effect, as its header declares it.
public struct EffectParameter: Hashable, Sendable {
    /// The type of the values, and their range.
    public enum Kind: Hashable, Sendable {
        /// Numbers in a range.
        case float(ClosedRange<Float>)
        /// Whole numbers in a range.
        case int(ClosedRange<Int>)
        /// On or off.
        case bool
        /// A colour.
        case color
        /// A position.
        case point
        /// One of these names.
        case choice([String])
        /// Another tile of the wall.
        case tile
        /// A table of colours from a `.cube` file.
        case lut

        /// The word for this type in an effect's header.
        public var name: String {
            switch self {
            case .float: "float"
            case .int: "int"
            case .bool: "bool"
            case .color: "color"
            case .point: "point"
            case .choice: "choice"
            case .tile: "tile"
            case .lut: "lut"
            }
        }
    }

    /// The name in GLSL and on the command line.
    public var name: String
    /// The type and range.
    public var kind: Kind
    /// The value until another one is set.
    public var defaultValue: EffectValue
    /// The name that users see.
    public var label: String

    /// Whether it is a length in pixels, because its label says so; it shrinks with the picture.
    package var isLength: Bool { label.contains("pixels") }

    /// The accepted values, for help and errors.
    public var values: String {
        switch kind {
        case .float(let range): "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .int(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .bool: "true, false"
        case .color: "RRGGBB"
        case .point: "X/Y, each 0 to 1"
        case .choice(let names): names.joined(separator: ", ")
        case .tile: "the number of a tile, from 1"
        case .lut: "the path of a .cube file"
        }
    }

    /// A value as text, in the form that ``value(_:)`` reads.
    public func text(of value: EffectValue) -> String {
        switch value {
        case .float(let number): Self.text(number)
        case .int(let number), .tile(let number): "\(number)"
        case .bool(let isOn): "\(isOn)"
        case .color(let color): Self.hexadecimal(color)
        case .point(let point): "\(Self.text(point.x))/\(Self.text(point.y))"
        case .choice(let index): if case .choice(let names) = kind { names[index] } else { "\(index)" }
        case .lut(let table): table?.name ?? "none"
        }
    }

    /// Parses a value; `nil` if it has another type, or if it is the path of a table, which the caller reads.
    ///
    /// Numbers may be out of range: see ``clamped(_:)``.
    public func value(_ text: String) -> EffectValue? {
        switch kind {
        case .float: Self.number(text).map { .float($0) }
        case .int: Self.integer(text).map { .int($0) }
        case .bool:
            ["true": true, "false": false, "yes": true, "no": false, "1": true, "0": false][text].map { .bool($0) }
        case .color: Self.color(text).map { .color($0) }
        case .point: Self.point(text).map { .point($0) }
        case .choice(let names): names.firstIndex(of: text).map { .choice($0) }
        case .tile: Self.integer(text).map { .tile($0) }
        case .lut: text == "none" ? .lut(nil) : nil
        }
    }

    /// The nearest value in range.
    public func clamped(_ value: EffectValue) -> EffectValue {
        switch (kind, value) {
        case (.float(let range), .float(let number)):
            .float(min(max(number, range.lowerBound), range.upperBound))
        case (.int(let range), .int(let number)): .int(min(max(number, range.lowerBound), range.upperBound))
        case (_, .point(let point)): .point(point.clamped(lowerBound: .zero, upperBound: .one))
        case (_, .color(let color)): .color(color.clamped(lowerBound: .zero, upperBound: .one))
        case (_, .tile(let number)): .tile(max(1, number))
        default: value
        }
    }

    /// Whether a value is of the parameter's type.
    func accepts(_ value: EffectValue) -> Bool {
        switch (kind, value) {
        case (.float, .float(let number)): number.isFinite
        case (.choice(let names), .choice(let index)): names.indices.contains(index)
        case (.int, .int), (.bool, .bool), (.color, .color), (.point, .point), (.tile, .tile), (.lut, .lut): true
        default: false
        }
    }

    // MARK: Text

    static func number(_ text: some StringProtocol) -> Float? {
        // Swift also parses "nan", "inf" and hexadecimal numbers, which are rejected here.
        let isDecimal =
            !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || ".-+eE".utf8.contains($0) }
        guard isDecimal, let number = Float(text), number.isFinite else { return nil }
        return number
    }

    static func integer(_ text: some StringProtocol) -> Int? { Int32(text).map { Int($0) } }

    static func color(_ text: some StringProtocol) -> SIMD3<Float>? {
        let digits = text.hasPrefix("#") ? String(text.dropFirst()) : String(text)
        guard digits.utf8.count == 6, !digits.hasPrefix("+"), !digits.hasPrefix("-"),
            let code = UInt32(digits, radix: 16)
        else { return nil }
        return SIMD3(Float(code >> 16), Float(code >> 8 & 255), Float(code & 255)) / 255
    }

    static func point(_ text: some StringProtocol) -> SIMD2<Float>? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let x = number(parts[0]), let y = number(parts[1]) else { return nil }
        return SIMD2(x, y)
    }

    /// A number as text, without a trailing ".0".
    private static func text(_ number: Float) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func hexadecimal(_ color: SIMD3<Float>) -> String {
        (0..<3).map { index in
            let text = String(Int((min(1, max(0, color[index])) * 255).rounded()), radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
