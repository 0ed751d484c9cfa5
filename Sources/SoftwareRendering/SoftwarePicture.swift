import CVitrailKernels
import FrameConversion
package import MediaIO
package import VideoWall
import VitrailSupport

/// A target that a ``SoftwareRenderer`` draws into: a picture, or what shows one.
package protocol SoftwareTarget: RenderTarget {
    /// The picture to draw into, of the target's size.
    func picture() throws(RenderingError) -> SoftwarePicture

    /// Shows a scene after it was drawn.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - parts: the rectangles that were drawn; none if the picture had the scene already.
    /// - Returns: whether the target has changed.
    /// - Throws: ``RenderingError`` if it can show nothing any more.
    func show(_ scene: WallScene, drawn parts: [Rectangle]) throws(RenderingError) -> Bool
}

/// A picture in memory; its first row is the top one.
package final class SoftwarePicture: OffscreenTarget, SoftwareTarget {
    let memory: PictureMemory
    private let workers: Workers
    private let encoder = PictureEncoding()
    private var history = DamageHistory()

    init(_ memory: PictureMemory, _ workers: Workers) { (self.memory, self.workers) = (memory, workers) }

    deinit { memory.free() }

    package var size: VideoSize { memory.size }
    package var format: PictureFormat { memory.format }

    /// All rows, valid as long as the picture.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory.bytes, count: memory.bytesPerRow * size.height)
    }
    package var bytesPerRow: Int { memory.bytesPerRow }

    package func picture() -> SoftwarePicture { self }

    package func show(_ scene: WallScene, drawn parts: [Rectangle]) -> Bool { !parts.isEmpty }

    package func invalidate() { history.invalidate() }

    /// Determines what must be drawn: see ``DamageHistory``.
    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent { history.draw(scene, &parts) }

    package func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError) {
        let length = size.width * format.bytesPerPixel
        require(
            size.height == 0 || bytesPerRow >= length && bytes.count >= bytesPerRow * (size.height - 1) + length,
            "The memory is too small for a picture of \(size).")
        guard let base = bytes.baseAddress else { return }
        for row in 0..<size.height {
            (base + row * bytesPerRow).copyMemory(from: memory.bytes + row * memory.bytesPerRow, byteCount: length)
        }
    }

    package func readPlanes(
        as planeFormat: PixelFormat, colorSpace: ColorSpace, pool: PixelBufferPool
    ) throws(RenderingError) -> PixelBuffer {
        try RenderingError.check(planes: planeFormat)
        let needed: PictureFormat = planeFormat == .i010 ? .rgb10a2 : .rgba8
        let source = try format == needed ? memory : converted(to: needed)
        defer { if format != needed { source.free() } }
        do throws(StreamError) {
            return try pool.makeBuffer(format: planeFormat, size: size) { planes in
                if planeFormat == .i010 {
                    encoder.begin(deep: source, planes, colorSpace, threadCount: workers.count)
                } else {
                    encoder.begin(source.pixels, planes, colorSpace, threadCount: workers.count)
                }
                workers.run(encoder, parts: encoder.stripCount)
            }
        } catch {
            throw RenderingError(error)
        }
    }

    /// The picture in another format.
    private func converted(to other: PictureFormat) throws(RenderingError) -> PictureMemory {
        guard let copy = PictureMemory(size, other) else { throw .noMemory(size) }
        for row in 0..<size.height {
            vitrail_convert(
                format.kernelFormat, memory.bytes + row * memory.bytesPerRow, other.kernelFormat,
                copy.bytes + row * copy.bytesPerRow, Int32(size.width))
        }
        return copy
    }
}

extension RenderingError {
    static func noMemory(_ size: VideoSize) -> RenderingError {
        RenderingError(.pixelBuffer, "There is not enough memory for a picture of \(size): use a smaller one.")
    }
}
