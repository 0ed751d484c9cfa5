import MediaIO

/// The longest side of a frame that can be drawn, which is known once there is a renderer.
///
/// **Thread:** any.
final class SizeLimit: Sendable, ExpressibleByIntegerLiteral {
    /// What every driver of OpenGL 3.3 draws: it need not be known whether a smaller frame can be drawn.
    static let certain = 4096
    private let known: Monitor<Int?>

    /// A limit; `nil` if it is not known yet.
    init(_ limit: Int? = nil) { known = Monitor(limit) }

    convenience init(integerLiteral limit: Int) { self.init(limit) }

    /// Makes the limit known.
    func set(_ limit: Int) { known.change { $0 = limit } }

    /// The limit that a size exceeds.
    ///
    /// For a large size, it waits until the limit is known.
    ///
    /// - Returns: `nil` if there is none.
    func exceeded(by size: VideoSize) -> Int? {
        let side = max(size.width, size.height)
        guard side > Self.certain || known.withLock({ $0.map { side > $0 } ?? false }) else { return nil }
        guard let limit = known.wait({ $0 }), side > limit else { return nil }
        return limit
    }
}
