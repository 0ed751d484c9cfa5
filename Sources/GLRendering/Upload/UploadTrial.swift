import MediaIO
import VitrailGL

/// A short measurement of each way to upload frames.
enum UploadTrial {
    /// The size of the frames.
    static let size = VideoSize(width: 1920, height: 1080)
    private static let count = 6

    /// Measures; the context must be current and ready for drawing.
    ///
    /// **Cost:** rare; 10 to 50 ms on a GPU.
    /// - Parameter context: the context.
    /// - Returns: each method, and the time until the GPU has a frame.
    /// - Throws: ``GLError`` if there is not enough memory.
    static func run(_ context: GLContext) throws(GLError) -> [(method: UploadMethod, time: Duration)] {
        let textures = try FrameTextures(context, format: .i420, size: size)
        let methods = UploadMethod.allCases.filter {
            $0 != .auto && ($0 != .mapped || context.information.hasBufferStorage)
        }
        let uploaders = methods.map { FrameUploader(context, $0, reason: "") }
        var frames: [PixelBuffer] = []
        for uploader in uploaders { frames.append(try makeFrame(in: uploader.memory)) }
        var times = uploaders.map { (method: $0.method, time: Duration.seconds(1000)) }
        // The first round makes buffers and wakes the GPU. Of the other rounds, the shorter time counts.
        for round in 0..<3 {
            for (index, uploader) in uploaders.enumerated() {
                context.finish()
                let start = MonotonicTime.now
                for _ in 0..<count {
                    textures.upload(frames[index], uploader)
                    uploader.endPicture()
                }
                context.finish()
                if round > 0 { times[index].time = min(times[index].time, (MonotonicTime.now - start) / count) }
            }
        }
        return times
    }

    private static func makeFrame(in memory: GLFrameMemory?) throws(GLError) -> PixelBuffer {
        memory?.reserve(PixelBuffer.byteCount(.i420, size))
        do throws(StreamError) {
            return try PixelBuffer(format: .i420, size: size, memory: memory) { planes in
                for index in 0..<planes.count {
                    planes.withPlane(index) { for byte in $0.indices { $0[byte] = UInt8(truncatingIfNeeded: byte) } }
                }
            }
        } catch {
            throw GLError(.driver, error.description)
        }
    }
}
