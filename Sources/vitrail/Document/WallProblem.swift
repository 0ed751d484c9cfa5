import VitrailSupport

/// What is wrong in a wall file, and where.
struct WallProblem: Error, CustomStringConvertible {
    /// The keys and indices that lead to the place.
    let path: [String]
    /// What is wrong, and what to do, in one line.
    let message: String
    /// Whether the place is the key, and not its value.
    var isOfKey = false

    /// Describes a problem at a place.
    init(_ message: String, at path: [any CodingKey], key: String? = nil, isOfKey: Bool = false) {
        self.path = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue } + (key.map { [$0] } ?? [])
        self.message = message
        self.isOfKey = isOfKey
    }

    /// The same problem, found by another path.
    init(_ problem: WallProblem, at path: [String]) {
        (self.path, message, isOfKey) = (path, problem.message, problem.isOfKey)
    }

    var description: String {
        let place = path.reduce(into: "") { place, part in
            place += Int(part).map { "[\($0 + 1)]" } ?? (place.isEmpty ? part : ".\(part)")
        }
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

/// Any key, by its name.
struct WallKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Reads a table of a wall file; what is missing keeps its default, and what is unknown is a problem.
struct WallTable {
    private let container: KeyedDecodingContainer<WallKey>
    private let path: [any CodingKey]

    /// Opens a table.
    ///
    /// - Parameters:
    ///   - decoder: where the table is.
    ///   - name: what the table is, for errors.
    ///   - keys: the names that it may have.
    /// - Throws: ``WallProblem`` for another name, with those that are similar.
    init(_ decoder: any Decoder, _ name: String, keys: [String]) throws {
        path = decoder.codingPath
        guard let container = try? decoder.container(keyedBy: WallKey.self) else {
            throw WallProblem("\(name) must be a table", at: path)
        }
        self.container = container
        for key in container.allKeys.map(\.stringValue).sorted() where !keys.contains(key) {
            throw WallProblem(
                "there is no “\(key)” in \(name)\(Self.suggestion(for: key, among: keys))", at: path, key: key,
                isOfKey: true)
        }
    }

    /// Names that are similar to a wrong one, or else all, as the end of a sentence.
    static func suggestion(for name: String, among names: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let close = SimilarNames.names(similarTo: name, among: names)
        return close.isEmpty
            ? "; there are \(names.joined(separator: ", "))" : "; did you mean \(close.joined(separator: " or "))?"
    }

    /// Whether it has a value of this name.
    func has(_ key: String) -> Bool { container.contains(WallKey(key)) }

    /// The names of its values.
    var keys: [String] { container.allKeys.map(\.stringValue) }

    /// A problem with one of its values.
    func problem(_ key: String, _ message: String) -> WallProblem { WallProblem(message, at: path, key: key) }

    /// Reads a value; `nil` if it is missing.
    func value<Value: Decodable>(_ key: String, as kind: String, _ type: Value.Type = Value.self) throws -> Value? {
        guard has(key) else { return nil }
        do {
            return try container.decode(Value.self, forKey: WallKey(key))
        } catch let error as WallProblem {
            throw error
        } catch {
            // Not always a DecodingError: a number that does not fit the type is an error of Foundation's own.
            throw problem(key, "“\(key)” must be \(kind)")
        }
    }

    /// Reads a text.
    func text(_ key: String) throws -> String? {
        let text: String? = try value(key, as: "a text in quotation marks")
        guard text?.utf8.contains(0) != true else { throw problem(key, "“\(key)” contains a zero") }
        return text
    }

    /// Reads true or false.
    func flag(_ key: String, _ value: inout Bool) throws {
        if let read: Bool = try self.value(key, as: "true or false") { value = read }
    }

    /// Reads a whole number.
    func number(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        let kind = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number: Int = try value(key, as: kind) else { return nil }
        guard range.contains(number) else { throw problem(key, "“\(key)” must be \(kind), not \(number)") }
        return number
    }

    /// Reads a number.
    func number(_ key: String, in range: ClosedRange<Double>) throws -> Double? {
        let kind = "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
        guard let number: Double = try value(key, as: kind) else { return nil }
        guard range.contains(number) else { throw problem(key, "“\(key)” must be \(kind), not \(number)") }
        return number
    }

    /// Reads one of some names.
    func choice<Value: CaseIterable & RawRepresentable<String>>(_ key: String, _ value: inout Value) throws {
        guard let name = try text(key) else { return }
        guard let read = Value(rawValue: name) else {
            let names = Value.allCases.map(\.rawValue)
            throw problem(
                key, "“\(name)” is not a value of \(key)\(Self.suggestion(for: name, among: names))")
        }
        value = read
    }

    private static func short(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }
}

/// Writes a table of a wall file; what has its default is left out.
struct WallTableEncoder {
    /// Set in an encoder if defaults are written, too.
    static let isComplete = CodingUserInfoKey(rawValue: "vitrail.complete")

    private var container: KeyedEncodingContainer<WallKey>
    private let isComplete: Bool

    init(_ encoder: any Encoder) {
        container = encoder.container(keyedBy: WallKey.self)
        isComplete = Self.isComplete.map { encoder.userInfo[$0] as? Bool == true } ?? false
    }

    /// Writes a value, unless it is the default.
    mutating func put<Value: Encodable & Equatable>(_ key: String, _ value: Value, unless usual: Value) throws {
        if isComplete || value != usual { try container.encode(value, forKey: WallKey(key)) }
    }

    /// Writes a value, if there is one.
    mutating func put(_ key: String, _ value: (some Encodable)?) throws {
        if let value { try container.encode(value, forKey: WallKey(key)) }
    }

    /// Writes the name of a choice, unless it is the default.
    mutating func put<Value: RawRepresentable<String> & Equatable>(
        _ key: String, choice: Value, unless usual: Value
    ) throws {
        if isComplete || choice != usual { try container.encode(choice.rawValue, forKey: WallKey(key)) }
    }
}
