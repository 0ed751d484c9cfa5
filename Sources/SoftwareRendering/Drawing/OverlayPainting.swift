import CVitrailKernels
import FrameConversion
import MediaIO
import VideoWall

extension PictureMemory {
    /// Draws the parts of overlays that lie in a rectangle.
    func draw(_ overlays: [WallOverlay], in part: Rectangle, _ colors: ColorTarget) {
        // By index: in debug builds an array's iterator allocates.
        for index in overlays.indices { draw(overlays[index], in: part, colors) }
    }

    private func draw(_ overlay: WallOverlay, in part: Rectangle, _ colors: ColorTarget) {
        if overlay.background.w > 0 {
            let area = overlay.bounds.intersection(part)
            if area.width > 0, area.height > 0 { blend(area, colors.shown(overlay.background), nil, overlay.rectangle) }
        }
        let area = overlay.rectangle.intersection(part)
        if area.width > 0, area.height > 0 {
            blend(area, colors.shown(overlay.color), overlay.image, overlay.rectangle)
        }
    }

    private func blend(_ area: Rectangle, _ color: SIMD4<Float>, _ image: CoverageImage?, _ origin: Rectangle) {
        var components = (color.x, color.y, color.z, color.w)
        withUnsafePointer(to: &components) { pointer in
            pointer.withMemoryRebound(to: Float.self, capacity: 4) { color in
                let part = part(area, relativeTo: origin)
                guard let image else { return vitrail_blend(format.kernelFormat, part, nil, 0, color) }
                image.bytes.withUnsafeBufferPointer {
                    vitrail_blend(format.kernelFormat, part, $0.baseAddress, image.bytesPerRow, color)
                }
            }
        }
    }
}
