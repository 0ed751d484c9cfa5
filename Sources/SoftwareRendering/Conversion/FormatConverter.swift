internal import CVitrailKernels
public import MediaIO
internal import VideoWall

/// Converts frames to one pixel format, on the calling thread: for sinks that take only some formats.
///
/// * The same kind of components and the same subsampling (NV12 to I420, BGRA to RGB24): sample by sample; only a lower
///   depth loses anything.
/// * YCbCr to another subsampling: the same for luma, and chroma is scaled linearly.
/// * YCbCr to RGB: what the renderers draw, with the colours of sRGB, so that HDR is tone-mapped.
/// * RGB to YCbCr: the colour space that ``ColorTags`` assumes for the size; chroma is the mean of its pixels.
///
/// Rotation, mirror, crop and pixel aspect ratio stay attributes of the frame; nothing is turned or scaled.
///
/// **Thread:** one at a time.
public final class FormatConverter {
    /// The format that it converts to.
    public let format: PixelFormat
    private let pool = PixelBufferPool()
    private lazy var renderer = SoftwareRenderer(threadCount: 1)
    private lazy var wall = Wall(layout: GridLayout(gap: 0))
    private lazy var tile = wall.addTile(named: "")
    private var picture: SoftwarePicture?
    /// A frame of 4:2:0 or 4:2:2 that is packed differently afterwards.
    private let planes = PixelBufferPool()
    private var resampling: (key: ResamplingKey, value: ChromaResampling)?

    private struct ResamplingKey: Equatable {
        let size: VideoSize
        let format: PixelFormat
        let locations: [ChromaLocation]
    }

    /// Creates a converter.
    ///
    /// - Parameter format: the format to convert to.
    /// - Throws: ``StreamError/Code/unsupported`` for formats that cannot be written, which are those of cameras: Bayer
    ///   and ``PixelFormat/v210``.
    public init(to format: PixelFormat) throws(StreamError) {
        guard format.layout.packing == .regular else {
            throw StreamError(
                .unsupported, "Frames cannot be converted to \(format): choose another format, such as i420 or bgra32.")
        }
        self.format = format
    }

    /// Converts a frame.
    ///
    /// **Cost:** every frame. At 1920×1080 on one core: NV12 to I420 half a millisecond, I420 to BGRA 2, BGRA to I420 7;
    /// to another subsampling and from more than 8 bits 10 to 20; RGB to 4:4:4, and anything to more than 8 bits, 200.
    /// - Parameter frame: planes in memory, or an image that can be mapped.
    /// - Returns: the frame in ``format``, with its attributes and time; the same frame if it has the format.
    /// - Throws: ``StreamError`` if the CPU cannot read the frame, or there is no memory.
    public func convert(_ frame: VideoFrame) throws(StreamError) -> VideoFrame {
        let source = try frame.pixelBuffer
        if source.format == format { return VideoFrame(source, frame) }
        let (from, to) = (source.format.layout, format.layout)
        if from.packing == .regular, !from.isFloat, !to.isFloat, from.model == to.model {
            if from.horizontalShift == to.horizontalShift, from.verticalShift == to.verticalShift {
                return VideoFrame(try repack(source, pool), frame)
            }
            return try resample(frame, source)
        }
        return try encode(frame, source)
    }

    private func repack(_ source: PixelBuffer, _ pool: PixelBufferPool) throws(StreamError) -> PixelBuffer {
        try pool.makeBuffer(format: format, size: source.size) { target in
            if source.format == format { return target.copy(source) }
            Self.clear(target)
            PlaneRepacking.copy(source, to: target)
        }
    }

    /// Samples are put into words that are shared, or partly unused.
    private static func clear(_ target: borrowing WritablePlanes) {
        guard !target.format.isMadeOfBytes else { return }
        for plane in 0..<target.count { target.withPlane(plane) { $0.update(repeating: 0) } }
    }

    // MARK: Another subsampling

    private func resample(_ frame: VideoFrame, _ source: PixelBuffer) throws(StreamError) -> VideoFrame {
        let locations = [frame.chromaLocation, frame.attributes.colorTags.chromaLocation(of: format)]
        let key = ResamplingKey(size: source.size, format: source.format, locations: locations)
        if resampling?.key != key {
            resampling = (
                key,
                ChromaResampling(
                    source.size, from: (source.format.layout, locations[0]), to: (format.layout, locations[1]))
            )
        }
        guard let chroma = resampling?.value else { return frame }
        let buffer = try pool.makeBuffer(format: format, size: source.size) { target in
            Self.clear(target)
            PlaneRepacking.copy(source, to: target, components: 0..<1)
            PlaneRepacking.copy(source, to: target, components: 3..<4)
            chroma.scale(source, to: target)
        }
        return VideoFrame(buffer, frame)
    }

    // MARK: Other colours

    private func encode(_ frame: VideoFrame, _ source: PixelBuffer) throws(StreamError) -> VideoFrame {
        let layout = format.layout
        let bytes: PictureFormat = format == .bgra32 ? .bgra8 : .rgba8
        let drawn = try draw(frame, source, isEncodedInBytes ? bytes : .rgba32f)
        var result = frame
        result.attributes.hdrMetadata = nil
        // What is drawn has the colours of the wall.
        let space = ColorTags().colorSpace(of: format, size: source.size)
        result.attributes.colorTags =
            layout.model == .rgb
            ? ColorTags(primaries: .bt709, transfer: .sRGB)
            : ColorTags(space, chromaLocation: layout.isSubsampled ? .center : nil)
        if isEncodedInBytes {
            result.image = .planes(try pack(drawn, space))
            return result
        }
        let buffer = try pool.makeBuffer(format: format, size: source.size) { target in
            for plane in 0..<target.count { target.withPlane(plane) { $0.update(repeating: 0) } }
            PictureQuantizing(pixels: drawn.bytes, bytesPerRow: drawn.bytesPerRow).write(target, space)
        }
        result.image = .planes(buffer)
        return result
    }

    /// Whether a picture of bytes is encoded by the loops for bytes: RGB, and YCbCr of 4:2:0 and 4:2:2.
    private var isEncodedInBytes: Bool {
        let layout = format.layout
        guard layout.depth == 8, !layout.isFloat else { return false }
        return layout.model == .rgb || layout.horizontalShift == 1 && layout.verticalShift < 2 && !layout.hasAlpha
    }

    /// Writes a picture of RGBA by the loops for bytes.
    private func pack(_ drawn: SoftwarePicture, _ space: ColorSpace) throws(StreamError) -> PixelBuffer {
        if format.layout.model == .rgb {
            let pixels = try PixelBuffer(
                lending: [PixelBuffer.Plane(bytes: drawn.bytes, bytesPerRow: drawn.bytesPerRow)],
                format: format == .bgra32 ? .bgra32 : .rgba32, size: drawn.size
            ) {}
            return try repack(pixels, pool)
        }
        let halvesRows = format.layout.verticalShift == 1
        let planar: PixelFormat = halvesRows ? .i420 : .i422
        let isPlanar = format == planar
        let encoded = try (isPlanar ? pool : planes).makeBuffer(format: planar, size: drawn.size) { target in
            drawn.encode(into: target, space)
        }
        return isPlanar ? encoded : try repack(encoded, pool)
    }

    /// Draws a frame as it is in memory.
    private func draw(
        _ frame: VideoFrame, _ source: PixelBuffer, _ pictureFormat: PictureFormat
    ) throws(StreamError) -> SoftwarePicture {
        do throws(RenderingError) {
            let picture = try picture(source.size, pictureFormat)
            let tags = frame.attributes.colorTags
            let attributes = FrameAttributes(colorTags: tags, hdrMetadata: frame.attributes.hdrMetadata)
            tile.contentMode = .stretch
            tile.mailbox.put(VideoFrame(source, attributes: attributes))
            try renderer.render(wall, into: picture)
            return picture
        } catch {
            throw StreamError(.noMemory, error.description)
        }
    }

    private func picture(
        _ size: VideoSize, _ pictureFormat: PictureFormat
    ) throws(RenderingError) -> SoftwarePicture {
        if let picture, picture.size == size, picture.format == pictureFormat { return picture }
        let made = try renderer.makePicture(size: size, format: pictureFormat)
        picture = made
        return made
    }
}

extension VideoFrame {
    /// The same frame with other pixels.
    fileprivate init(_ buffer: PixelBuffer, _ other: VideoFrame) {
        self.init(buffer, attributes: other.attributes, presentationTime: other.presentationTime)
    }
}

extension PixelFormat {
    /// Whether each sample is a byte of its own and no byte is unused.
    fileprivate var isMadeOfBytes: Bool {
        let layout = layout
        guard layout.depth == 8, !layout.isFloat else { return false }
        let samples = (0..<4).filter { layout.components[$0] != nil }.count
        return layout.model != .rgb || layout.planes.count > 1 || layout.planes[0].blockBytes == samples
    }
}
