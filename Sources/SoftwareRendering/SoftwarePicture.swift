import CVitrailKernels
import MediaIO
import VideoWall

/// A picture in memory; its first row is the top one.
final class SoftwarePicture: OffscreenTarget {
    let memory: PictureMemory
    private let workers: Workers
    private let encoder = PictureEncoding()
    private var history = DamageHistory()

    init(_ memory: PictureMemory, _ workers: Workers) { (self.memory, self.workers) = (memory, workers) }

    deinit { memory.free() }

    var size: VideoSize { memory.size }
    var format: PictureFormat { memory.format }

    func invalidate() { history.invalidate() }

    /// Determines what must be drawn: see ``DamageHistory``.
    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent { history.draw(scene, &parts) }

    func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError) {
        let length = size.width * format.bytesPerPixel
        precondition(
            size.height == 0 || bytesPerRow >= length && bytes.count >= bytesPerRow * (size.height - 1) + length,
            "The memory is too small for a picture of \(size).")
        guard let base = bytes.baseAddress else { return }
        for row in 0..<size.height {
            (base + row * bytesPerRow).copyMemory(from: memory.bytes + row * memory.bytesPerRow, byteCount: length)
        }
    }

    func readI420(colorSpace: ColorSpace, pool: PixelBufferPool) throws(RenderingError) -> PixelBuffer {
        let source = try format == .rgba8 ? memory : reduced()
        defer { if format != .rgba8 { source.free() } }
        do throws(StreamError) {
            return try pool.makeBuffer(format: .i420, size: size) { planes in
                encoder.begin(source, planes, .encoding(colorSpace), threadCount: workers.count)
                workers.run(encoder, parts: encoder.stripCount)
            }
        } catch {
            throw RenderingError(error)
        }
    }

    /// The picture with a byte for each component.
    private func reduced() throws(RenderingError) -> PictureMemory {
        guard let copy = PictureMemory(size, .rgba8) else { throw .noMemory(size) }
        for row in 0..<size.height {
            vitrail_to_rgba8(
                format.kernelFormat, memory.bytes + row * memory.bytesPerRow, copy.bytes + row * copy.bytesPerRow,
                Int32(size.width))
        }
        return copy
    }
}

extension RenderingError {
    static func noMemory(_ size: VideoSize) -> RenderingError {
        RenderingError(.pixelBuffer, "There is not enough memory for a picture of \(size): use a smaller one.")
    }
}
