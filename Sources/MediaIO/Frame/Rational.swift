import VitrailSupport

/// A positive fraction: a frame rate (frames per second) or a pixel aspect ratio (width to height).
public struct Rational: Hashable, Sendable, CustomStringConvertible {
    /// The numerator, at least 1.
    public let numerator: Int
    /// The denominator, at least 1.
    public let denominator: Int

    /// Creates a fraction without reducing it.
    ///
    /// - Parameters:
    ///   - numerator: 1…2³¹−1.
    ///   - denominator: 1…2³¹−1.
    public init(_ numerator: Int, _ denominator: Int = 1) {
        require(
            (1...Int(Int32.max)).contains(numerator) && (1...Int(Int32.max)).contains(denominator),
            "A Rational's numerator and denominator must be 1...2147483647: check them first.")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// A fraction close to a positive number: in 65,536ths or, for very large and very small numbers, with a numerator
    /// or denominator of 1.
    package init(closeTo value: Double) {
        let limit = Double(Int32.max)
        if value < 1.0 / 32_768 {
            self.init(1, Int(min(1 / value, limit)))
        } else if value < 32_767 {
            self.init(Int((value * 65_536).rounded()), 65_536)
        } else {
            self.init(Int(min(value, limit)))
        }
    }

    /// One to one.
    public static let one = Rational(1)

    /// The fraction as a floating-point number.
    public var value: Double { Double(numerator) / Double(denominator) }

    /// The time of frame `index` at this rate, rounded down to the nanosecond.
    public func time(ofFrame index: Int) -> Duration {
        // In 128 bits, because both factors may come from a file's header.
        let (seconds, rest) = (Int128(index) * Int128(denominator)).quotientAndRemainder(dividingBy: Int128(numerator))
        // The remainder is below 2³¹, so nanoseconds fit; the last digits of a rate such as 30000/1001 do not matter.
        return .seconds(Int64(clamping: seconds)) + .nanoseconds(Int64(rest * 1_000_000_000 / Int128(numerator)))
    }

    /// The index of the frame that is shown at `time`, which is not negative: the last one whose ``time(ofFrame:)`` is
    /// not after it.
    package func frame(at time: Duration) -> Int {
        let (seconds, attoseconds) = max(time, .zero).components
        // Frame times are rounded down to the nanosecond, so this looks for the last frame whose exact time is less
        // than one nanosecond after `time`; the 1 that is subtracted below makes the comparison strict.
        let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000) + 1
        return Int(clamping: (nanoseconds * Int128(numerator) - 1) / (Int128(denominator) * 1_000_000_000))
    }

    /// The command-line form: `30` or `30000/1001`.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Rational {
    /// Reads `N`, `N/D` or `N:D`, digits only and both at least 1; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "/" || $0 == ":" }
        guard parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let first = Int32(parts[0]), let second = parts.count == 2 ? Int32(parts[1]) : 1, first > 0, second > 0
        else { return nil }
        self.init(Int(first), Int(second))
    }
}
