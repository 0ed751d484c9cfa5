import Foundation
import TestSupport

/// What colour effects do to one colour, a second time, in `Double`, written to be obvious.
enum ColorEffectReference {
    typealias Color = SIMD3<Double>

    static func grayscale(_ color: Color) -> Color { Color(repeating: Rec709(color).y) }

    static func invert(_ color: Color, amount: Double) -> Color { (1 - amount) * color + amount * (1 - color) }

    /// W3C Filter Effects Module Level 1, the equivalent of sepia().
    static func sepia(_ color: Color, amount: Double) -> Color {
        let rest = 1 - amount
        return Color(
            (0.393 + 0.607 * rest) * color.x + (0.769 - 0.769 * rest) * color.y + (0.189 - 0.189 * rest) * color.z,
            (0.349 - 0.349 * rest) * color.x + (0.686 + 0.314 * rest) * color.y + (0.168 - 0.168 * rest) * color.z,
            (0.272 - 0.272 * rest) * color.x + (0.534 - 0.534 * rest) * color.y + (0.131 + 0.869 * rest) * color.z)
    }

    /// Chroma as an arrow: saturation is its length, hue its angle.
    static func adjust(
        _ color: Color, brightness: Double, contrast: Double, saturation: Double, hue: Double
    ) -> Color {
        var parts = Rec709(color)
        let length = hypot(parts.cb, parts.cr) * saturation
        let angle = atan2(parts.cr, parts.cb) + hue * .pi / 180
        parts.cb = length * cos(angle)
        parts.cr = length * sin(angle)
        parts.y = 0.5 + (parts.y - 0.5) * contrast + brightness
        parts.cb *= contrast
        parts.cr *= contrast
        return parts.color
    }

    static func posterize(_ color: Color, levels: Int) -> Color {
        func level(_ value: Double) -> Double {
            // The highest limit that the value reaches.
            let index = (0..<levels).last { value * Double(levels) >= Double($0) } ?? 0
            return Double(index) / Double(levels - 1)
        }
        return Color(level(color.x), level(color.y), level(color.z))
    }

    /// The table of ARRI's manuals, in percent of luma.
    static func falseColor(_ color: Color, keepsColor: Bool) -> Color {
        let luma = Rec709(color).y
        switch luma * 100 {
        case ..<2.5: return Color(0.5, 0, 0.75)
        case ..<4: return Color(0, 0.25, 1)
        case 38..<42: return Color(0.2, 0.75, 0.2)
        case 52..<56: return Color(1, 0.6, 0.7)
        case 97..<99: return Color(1, 1, 0)
        case 99...: return Color(1, 0, 0)
        default: return keepsColor ? color : Color(repeating: luma)
        }
    }

    /// IEC 61966-2-1: linear light of a code value.
    static func light(_ code: Double) -> Double { code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4) }

    /// IEC 61966-2-1: the code value of linear light.
    static func code(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    static func exposure(
        _ color: Color, stops: Double, temperature: Double, tint: Double, gamma: Double
    ) -> Color {
        let adapted = Illuminant(temperature: 6504).color(
            asIn: Illuminant(temperature: temperature), [light(color.x), light(color.y), light(color.z)])
        let tinted = [adapted[0], adapted[1] * pow(2, -tint / 2), adapted[2]]
        let codes = tinted.map { pow(code(min(1, max(0, $0 * pow(2, stops)))), 1 / gamma) }
        return Color(codes[0], codes[1], codes[2])
    }

    /// Chroma as an arrow: its part along the key's hue, and its part across.
    static func keyed(
        _ color: Color, key: Color, tolerance: Double, softness: Double, spill: Double
    ) -> (clean: Color, share: Double) {
        var parts = Rec709(color)
        let keyParts = Rec709(key)
        let distance = hypot(parts.cb - keyParts.cb, parts.cr - keyParts.cr)
        let share = min(1, max(0, (distance - tolerance) / softness))

        let keyAngle = atan2(keyParts.cr, keyParts.cb)
        let angle = atan2(parts.cr, parts.cb) - keyAngle
        let length = hypot(parts.cb, parts.cr)
        var along = length * cos(angle)
        let across = length * sin(angle)
        // Within 45 degrees of the key's hue.
        if along > abs(across) { along -= spill * (along - abs(across)) }
        parts.cb = along * cos(keyAngle) - across * sin(keyAngle)
        parts.cr = along * sin(keyAngle) + across * cos(keyAngle)
        return (parts.color.clamped(lowerBound: Color(repeating: 0), upperBound: Color(repeating: 1)), share)
    }
}
