import Foundation

/// What effects that move pixels, or show two pictures, should show, by plain arithmetic in `Double`.
extension SpatialPicture {
    func mirrored(_ shown: String) -> Self {
        Self(width, height) { x, y in
            let (right, lower) = (width - 1 - x, height - 1 - y)
            return switch shown {
            case "left": self[min(x, right), y]
            case "right": self[max(x, right), y]
            case "top": self[x, min(y, lower)]
            case "bottom": self[x, max(y, lower)]
            default: self[min(x, right), min(y, lower)]
            }
        }
    }

    /// Reflects a point at the mirrors of a wedge until it lies in it, and at the picture's borders until it lies in that.
    func kaleidoscope(segments: Int, angle: Double, center: SIMD2<Double>) -> Self {
        mapped { u, v in
            let (dx, dy) = ((u - center.x) * Double(width), (v - center.y) * Double(height))
            let wedge = 2 * Double.pi / Double(segments)
            let turn = angle * .pi / 180
            var direction = atan2(dy, dx) - turn
            while direction < 0 { direction += wedge }
            while direction >= wedge { direction -= wedge }
            if direction > wedge / 2 { direction = wedge - direction }
            let radius = (dx * dx + dy * dy).squareRoot()
            func inside(_ place: Double) -> Double {
                var place = place
                while place < 0 || place > 1 { place = place < 0 ? -place : 2 - place }
                return place
            }
            return sample(
                inside(center.x + radius * cos(direction + turn) / Double(width)),
                inside(center.y + radius * sin(direction + turn) / Double(height)))
        }
    }

    func tube(lines: Int, gaps: Double, mask: String, darkness: Double, curvature: Double) -> Self {
        mapped { u, v in
            let (flatX, flatY) = (2 * u - 1, 2 * v - 1)
            let (x, y) = (flatX * (1 + curvature * flatY * flatY), flatY * (1 + curvature * flatX * flatX))
            let (placeX, placeY) = ((x + 1) / 2, (y + 1) / 2)
            var color = sample(placeX, placeY)
            let lineHeight = Double(height) / Double(lines)
            let depth = gaps * min(1, max(0, lineHeight - 1))
            let gap = (1 + cos(2 * .pi * placeY * Double(lines))) / 2
            let column = Int(u * Double(width))
            let row = Int(v * Double(height))
            let slotEnds = (row + column / 3 % 2 * 2) % 4 == 0
            for part in 0..<3 {
                color[part] *= 1 - depth * gap
                let isLit = column % 3 == part && !(mask == "slots" && slotEnds)
                if mask != "none" && !isLit { color[part] *= 1 - darkness }
                for (distance, side) in [(1 - abs(x), width), (1 - abs(y), height)] {
                    color[part] *= min(1, max(0, distance * Double(side) / 2 + 0.5))
                }
            }
            return color
        }
    }

    func minus(_ other: Self, gain: Double, isSigned: Bool) -> Self {
        mapped { u, v in
            let color = sample(u, v)
            let difference = (color - other.sample(u, v)) * gain
            func shown(_ part: Int) -> Double { isSigned ? 0.5 + difference[part] / 2 : abs(difference[part]) }
            return SIMD4(shown(0), shown(1), shown(2), color[3])
        }
    }

    func wiped(_ other: Self, position: Double, angle: Double, line: Double, tint: SIMD3<Double>) -> Self {
        let (across, down) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let extent = (abs(across) * Double(width) + abs(down) * Double(height) + line + 1) / 2
        return mapped { u, v in
            let (x, y) = ((u - 0.5) * Double(width), (v - 0.5) * Double(height))
            let beyond = x * across + y * down - (2 * position - 1) * extent
            let share = min(1, max(0, beyond + 0.5))
            let color = sample(u, v) * (1 - share) + other.sample(u, v) * share
            let isLine = line == 0 ? 0 : min(1, max(0, line / 2 + 0.5 - abs(beyond)))
            return color * (1 - isLine) + SIMD4(tint.x, tint.y, tint.z, 1) * isLine
        }
    }
}
