import CVitrailKernels
import MediaIO
import VideoWall

/// Draws whole frames pixel by pixel, as they are in memory, in the colours of sRGB.
///
/// **Thread:** one at a time.
final class FramePainter {
    private let scratch = vitrail_scratch_make()
    private let samples = UnsafeMutablePointer<VitrailSamples>.allocate(capacity: 4)
    private var plan: TilePlan?

    init() { samples.initialize(repeating: VitrailSamples(), count: 4) }

    deinit {
        samples.deallocate()
        vitrail_scratch_free(scratch)
    }

    /// Draws a frame.
    ///
    /// **Cost:** every frame; tables are made anew when its size, format or colours change.
    /// - Parameters:
    ///   - frame: the attributes.
    ///   - source: the pixels.
    ///   - format: the format to draw.
    ///   - pixels: as many pixels as the frame has.
    ///   - bytesPerRow: from one row of them to the next.
    /// - Throws: ``StreamError/Code/noMemory``.
    func draw(
        _ frame: VideoFrame, _ source: PixelBuffer, _ format: PictureFormat,
        to pixels: UnsafeMutableRawPointer?, bytesPerRow: Int
    ) throws(StreamError) {
        let (tags, metadata) = (frame.attributes.colorTags, frame.attributes.hdrMetadata)
        let attributes = FrameAttributes(colorTags: tags, hdrMetadata: metadata)
        let drawing = TileDrawing(unscaled: VideoFrame(source, attributes: attributes), source.format, format)
        let plan = if let plan, plan.drawing == drawing { plan } else { TilePlan(drawing) }
        self.plan = plan
        plan.locate(FramePlanes(source), samples)
        defer { source.noteReads() }
        let part = VitrailPart(
            pixels: pixels?.assumingMemoryBound(to: UInt8.self), bytesPerRow: bytesPerRow, x0: 0, y0: 0,
            x1: Int32(source.size.width), y1: Int32(source.size.height))
        guard plan.paint(samples, scratch, nil, part) else {
            throw StreamError(
                .noMemory, "There is not enough memory to convert a frame of \(source.size): use smaller frames.")
        }
    }
}

extension VitrailPixels {
    /// The pixels of a buffer; `nil` if they are not red, green and blue of a byte each, side by side.
    init?(_ buffer: PixelBuffer) {
        let layout = buffer.format.layout
        guard layout.model == .rgb, layout.depth == 8, layout.packing == .regular, layout.planes.count == 1,
            let red = layout.components[0], let green = layout.components[1], let blue = layout.components[2],
            red.wordBytes == 1, red.step == 3 || red.step == 4
        else { return nil }
        let planes = FramePlanes(buffer)
        self.init(
            first: planes.first[0], bytesPerRow: planes.bytesPerRow[0], width: Int32(buffer.size.width),
            height: Int32(buffer.size.height), bytesPerPixel: Int32(red.step), red: Int32(red.offset),
            green: Int32(green.offset), blue: Int32(blue.offset),
            opacity: Int32(layout.components[3]?.offset ?? -1))
    }
}
