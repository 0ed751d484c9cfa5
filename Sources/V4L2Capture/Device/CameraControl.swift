/// A control of a camera, such as its brightness.
public struct CameraControl: Hashable, Sendable {
    /// The kind of value.
    public enum Kind: Hashable, Sendable {
        /// A number in ``range``.
        case number
        /// Off or on, 0 or 1.
        case toggle
        /// One of ``choices``.
        case menu
        /// Something that happens when a value is set.
        case button
        /// Bits that are off or on.
        case bits
    }

    /// The kernel's number: `V4L2_CID_…`.
    public let id: UInt32
    /// The name to set it by: `white_balance_automatic`.
    public let key: String
    /// The driver's name.
    public let name: String
    /// The kind of value.
    public let kind: Kind
    /// The values that can be set.
    public let range: ClosedRange<Int>
    /// The difference between one value and the next.
    public let step: Int
    /// The value after the camera was connected.
    public let defaultValue: Int
    /// The value; `nil` for a button, and if the camera does not report one.
    public let value: Int?
    /// The choices of a menu, by their values.
    public let choices: [Int: String]
    /// Whether it can be set.
    public let isReadOnly: Bool
    /// Whether it has no effect at present, because another control is on: the exposure while it is automatic.
    public let isInactive: Bool

    /// The value, for people.
    public var valueText: String { value.map { text(of: $0) } ?? "" }

    /// A value of this control, for people.
    public func text(of value: Int) -> String {
        switch kind {
        case .toggle: value == 0 ? "off" : "on"
        case .menu: choices[value] ?? "\(value)"
        case .number, .button: "\(value)"
        case .bits: "0x\(String(value, radix: 16))"
        }
    }

    /// Describes the control after it was set: `brightness = 140`, and why it may not be as wanted.
    ///
    /// - Parameter wanted: the value that was set.
    /// - Returns: a line for people.
    package func description(after wanted: Int? = nil) -> String {
        guard kind != .button else { return "\(key) = press" }
        var notes: [String] = []
        if let wanted, let value, value != wanted { notes.append("\(text(of: wanted)) was wanted") }
        if isInactive { notes.append("no effect while another control is automatic") }
        return "\(key) = \(valueText)" + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    /// Finds the value that a text means.
    ///
    /// - Parameter text: a number, `on` or `off`, a choice of a menu in any case, or `default`.
    /// - Returns: the value, in the range; `nil` if the text means none.
    public func value(of text: String) -> Int? {
        if text == "default" { return defaultValue }
        switch kind {
        case .toggle:
            return ["off": 0, "no": 0, "0": 0, "false": 0, "on": 1, "yes": 1, "1": 1, "true": 1][text.lowercased()]
        case .menu:
            // Names of choices come first: they are what people see, and they may be numbers themselves.
            let same = choices.filter { $0.value.lowercased() == text.lowercased() }
            return same.keys.min() ?? Int(text).flatMap { choices[$0] == nil ? nil : $0 }
        case .number: return Int(text).flatMap { range.contains($0) ? $0 : nil }
        case .button: return 1
        case .bits:
            let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
            return number.flatMap { range.contains($0) && $0 & ~range.upperBound == 0 ? $0 : nil }
        }
    }

    /// The value that a key sets.
    ///
    /// - Parameter direction: 1 for more, -1 for less.
    /// - Returns: a number a twentieth of the range away, in whole steps and not beyond its ends; the next choice of a
    ///   menu, wrapping around; the other value of a toggle. `nil` for bits, and for a control without a known value.
    func value(after direction: Int) -> Int? {
        if kind == .button { return 1 }
        guard let value else { return nil }
        switch kind {
        case .toggle: return 1 - value
        case .menu:
            let values = choices.keys.sorted()
            guard let place = values.firstIndex(of: value) else { return values.first }
            return values[(place + direction + values.count) % values.count]
        case .number:
            let step = max(step, 1)
            let jump = max((range.upperBound - range.lowerBound) / 20 / step, 1) * step
            return min(max(value + direction * jump, range.lowerBound), range.upperBound)
        case .bits, .button: return nil
        }
    }

    /// The values that can be set, for people.
    public var valuesText: String {
        switch kind {
        case .toggle: "on, off"
        case .menu: choices.sorted { $0.key < $1.key }.map { "\($0.value) (\($0.key))" }.joined(separator: ", ")
        case .number:
            step > 1
                ? "\(range.lowerBound) to \(range.upperBound) in steps of \(step)"
                : "\(range.lowerBound) to \(range.upperBound)"
        case .button: "any"
        case .bits: "bits of 0x\(String(range.upperBound, radix: 16))"
        }
    }

    /// Turns a name into a key: lower case, with an underscore in place of other characters than letters and digits.
    static func key(of name: String) -> String {
        var key = ""
        for character in name.lowercased() {
            if character.isLetter || character.isNumber {
                key.append(character)
            } else if key.last != "_", !key.isEmpty {
                key.append("_")
            }
        }
        while key.last == "_" { key.removeLast() }
        return key
    }
}
