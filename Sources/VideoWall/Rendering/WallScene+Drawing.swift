package import MediaIO
import VitrailSupport

/// What all renderers decide alike about a whole picture.
extension WallScene {
    /// The colour of a tile without a frame: a dark grey, so that the tile is visible.
    package static var emptyTile: SIMD3<Float> { SIMD3(0.09, 0.1, 0.12) }

    /// Checks that a target has the size of the scene.
    package func check(_ target: any RenderTarget) {
        require(target.size == size, "The target is \(target.size), the scene \(size): update the wall for it.")
    }

    /// Whether drawing everything costs less than drawing the parts, which may overlap.
    ///
    /// One clear of the whole picture saves a software rasterizer a tenth.
    package func isNearlyAll(_ parts: [Rectangle]) -> Bool {
        var pixels = 0
        // By index: without optimisation, an array's iterator allocates.
        for index in parts.indices { pixels += parts[index].width * parts[index].height }
        return pixels * 10 >= size.width * size.height * 9
    }
}
