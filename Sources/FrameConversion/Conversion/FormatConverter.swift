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
    private lazy var painter = FramePainter()
    private lazy var encoder = PictureEncoding()
    /// For intermediate frames: pixels of R, G and B, and planes.
    private let (pixels, planes) = (PixelBufferPool(), PixelBufferPool())
    private var picture: PictureMemory?
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
    /// **Cost:** every frame. Milliseconds at 1920×1080 on one core of a server of 2024, in an optimised build: NV12 to
    /// I420 or BGRA, and BGRA to I420, NV12 or I444, 0.3 to 1.2; other orders of R, G and B, and RGB to packed 4:2:2, 3
    /// to 5; from and to 10 bits without a change of colours, 12 to 18; to another subsampling, 26 to 52; RGB to YCbCr
    /// of more than 8 bits, and YCbCr to RGB of more than 8 bits, 160 to 210.
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

    /// Zeroes the planes of formats whose words are shared by samples or partly unused: samples are only added to them.
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
        var result = frame
        result.attributes.hdrMetadata = nil
        // What is drawn has the colours of sRGB.
        let space = ColorTags().colorSpace(of: format, size: source.size)
        result.attributes.colorTags =
            layout.model == .rgb
            ? ColorTags(primaries: .bt709, transfer: .sRGB)
            : ColorTags(space, chromaLocation: layout.isSubsampled ? .center : nil)
        let buffer =
            if !isEncodedInBytes {
                try quantize(frame, source, space)
            } else if layout.model == .rgb {
                try draw(frame, source)
            } else {
                try encodeBytes(frame, source, space)
            }
        result.image = .planes(buffer)
        return result
    }

    /// Whether the loops for bytes are enough: 8 bits, and chroma of at most two columns and two rows.
    private var isEncodedInBytes: Bool {
        let layout = format.layout
        return layout.depth == 8 && !layout.isFloat && max(layout.horizontalShift, layout.verticalShift) <= 1
    }

    /// Draws R, G and B.
    private func draw(_ frame: VideoFrame, _ source: PixelBuffer) throws(StreamError) -> PixelBuffer {
        let isDrawn = format == .bgra32 || format == .rgba32
        let drawn = try drawPixels(frame, source, isDrawn ? pool : pixels, isDrawn ? format : .rgba32)
        return isDrawn ? drawn : try repack(drawn, pool)
    }

    private func drawPixels(
        _ frame: VideoFrame, _ source: PixelBuffer, _ pool: PixelBufferPool, _ format: PixelFormat
    ) throws(StreamError) -> PixelBuffer {
        try pool.makeBuffer(format: format, size: source.size) { target in
            let bytesPerRow = target.bytesPerRow(0)
            try target.withPlaneBytes(0) { bytes throws(StreamError) in
                try painter.draw(
                    frame, source, format == .bgra32 ? .bgra8 : .rgba8, to: bytes.baseAddress, bytesPerRow: bytesPerRow)
            }
        }
    }

    /// Encodes Y, Cb and Cr, or Y alone, from pixels as they are in memory if their colours are those of sRGB.
    private func encodeBytes(
        _ frame: VideoFrame, _ source: PixelBuffer, _ space: ColorSpace
    ) throws(StreamError) -> PixelBuffer {
        let own = frame.attributes.colorTags.colorSpace(of: source.format, size: source.size)
        let isPlain = own.range == .full && ColorConversion.needed(from: own, to: .sRGB, mode: .auto) == nil
        if isPlain, let pixels = VitrailPixels(source) {
            defer { source.noteReads() }
            return try encodeBytes(pixels, source.size, space)
        }
        let drawn = try drawPixels(frame, source, pixels, .rgba32)
        guard var pixels = VitrailPixels(drawn) else { return drawn }
        // What is drawn is opaque.
        pixels.opacity = -1
        defer { drawn.noteReads() }
        return try encodeBytes(pixels, source.size, space)
    }

    private func encodeBytes(
        _ pixels: VitrailPixels, _ size: VideoSize, _ space: ColorSpace
    ) throws(StreamError) -> PixelBuffer {
        let layout = format.layout
        let isDirect = PictureEncoding.canWrite(layout)
        let planar: PixelFormat =
            switch (layout.horizontalShift, layout.verticalShift) {
            case (1, 1): .i420
            case (1, _): .i422
            case (_, 1): .i440
            default: layout.model == .gray ? .i420 : .i444
            }
        let encoded = try (isDirect ? pool : planes).makeBuffer(format: isDirect ? format : planar, size: size) {
            target in
            encoder.begin(pixels, target, space, threadCount: 1)
            encoder.perform(0)
        }
        return isDirect ? encoded : try repack(encoded, pool)
    }

    /// Writes samples of any depth and subsampling, one after the other.
    private func quantize(
        _ frame: VideoFrame, _ source: PixelBuffer, _ space: ColorSpace
    ) throws(StreamError) -> PixelBuffer {
        let picture = try picture(source.size)
        try painter.draw(frame, source, picture.format, to: picture.bytes, bytesPerRow: picture.bytesPerRow)
        return try pool.makeBuffer(format: format, size: source.size) { target in
            for plane in 0..<target.count { target.withPlane(plane) { $0.update(repeating: 0) } }
            let bytes = UnsafeRawBufferPointer(start: picture.bytes, count: picture.bytesPerRow * picture.size.height)
            PictureQuantizing(pixels: bytes, bytesPerRow: picture.bytesPerRow).write(target, space)
        }
    }

    /// Memory for pixels of floating-point numbers.
    private func picture(_ size: VideoSize) throws(StreamError) -> PictureMemory {
        if let picture, picture.size == size { return picture }
        picture?.free()
        picture = PictureMemory(size, .rgba32f)
        guard let picture else {
            throw StreamError(
                .noMemory, "There is not enough memory to convert a frame of \(size): use smaller frames.")
        }
        return picture
    }

    deinit { picture?.free() }
}

extension VideoFrame {
    /// The same frame with other pixels.
    fileprivate init(_ buffer: PixelBuffer, _ other: VideoFrame) {
        self.init(buffer, attributes: other.attributes, presentationTime: other.presentationTime)
        timing = other.timing
    }
}

extension PixelFormat {
    /// Whether each sample is a byte of its own and no byte is unused.
    var isMadeOfBytes: Bool {
        let layout = layout
        guard layout.depth == 8, !layout.isFloat else { return false }
        let samples = (0..<4).filter { layout.components[$0] != nil }.count
        return layout.model != .rgb || layout.planes.count > 1 || layout.planes[0].blockBytes == samples
    }
}
