import MediaIO

/// OpenTok's tutorial renderer: shows the black-and-white version of what it gets, made on the CPU from the Y plane.
final class BlackAndWhiteSink: VideoSink {
    let pixelFormats: [PixelFormat] = [.i420]
    /// Where a tile finds the pictures.
    let mailbox = FrameMailbox()
    private let pool = PixelBufferPool()

    func consume(_ frame: VideoFrame) {
        guard let color = try? frame.pixelBuffer, let gray = try? gray(color) else { return }
        var attributes = frame.attributes
        // Y keeps its meaning, 16 to 235 for most streams; gray without a range is 0 to 255.
        attributes.colorTags.range = frame.colorSpace.range
        mailbox.put(VideoFrame(gray, attributes: attributes, presentationTime: frame.presentationTime))
    }

    private func gray(_ color: PixelBuffer) throws(StreamError) -> PixelBuffer {
        try pool.makeBuffer(format: .gray8, size: color.size) { target in
            for row in 0..<color.size.height {
                color.withRow(row, ofPlane: 0) { luma in
                    target.withRow(row, ofPlane: 0) { samples in
                        for x in luma.indices { samples[x] = luma[x] }
                    }
                }
            }
        }
    }
}
