import MediaIO
import VideoWall

/// The line about the pixel under the mouse.
enum PixelInspector {
    /// Describes a pixel: its position in the frame, its samples, its colour on a scale of 0 to 255.
    ///
    /// - Parameters:
    ///   - sample: the pixel, or `nil` outside all frames.
    ///   - name: the tile's name, or `nil` if there is only one.
    /// - Returns: one line.
    static func line(_ sample: PixelSample?, name: String? = nil) -> String {
        guard let sample else { return "nothing under the mouse" }
        let samples = sample.components.map { "\($0.name) \(number($0.value))" }.joined(separator: " ")
        let color = zip("RGB", [sample.red, sample.green, sample.blue]).map { "\($0) \(number(($1 * 255).rounded()))" }
        return (name.map { "\($0) " } ?? "") + "\(sample.x),\(sample.y) · \(sample.format.rawValue) \(samples) · drawn "
            + color.joined(separator: " ")
    }

    /// Formats a number: whole numbers without a decimal point, others with three digits after it.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e6 else { return "\(value)" }
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
