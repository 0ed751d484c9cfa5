/// Frames from raw memory: a pointer and a layout.
extension VideoFrame {
    /// Copies a frame from memory that is valid only during the call: exactly one copy, before the call returns.
    ///
    /// The planes follow each other in `bytes`. Every row is padded to its stride, including the last one of each
    /// plane; only the very last row may lack its padding. Further bytes are ignored.
    ///
    /// **Cost:** every frame; one copy, and with a pool that has buffers no allocation.
    /// - Parameters:
    ///   - bytes: the samples; for an array, use `array.withUnsafeBytes`.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - bytesPerRow: the stride of each plane, at least the bytes of its samples; by default without padding.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - rotation: the rotation that the sink applies.
    ///   - pool: provides the memory; without one it is allocated.
    /// - Throws: ``StreamError/Code/tooShort``, ``StreamError/Code/bytesPerRow``, ``StreamError/Code/planeCount``,
    ///   ``StreamError/Code/sizeOutOfRange`` or ``StreamError/Code/noMemory``, before anything is read.
    public init(
        copying bytes: UnsafeRawBufferPointer, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        presentationTime: Duration? = nil, rotation: VideoRotation = .upright, pool: PixelBufferPool? = nil
    ) throws(StreamError) {
        let layout = try RawFrameLayout(format, size: size, bytesPerRow: bytesPerRow)
        try self.init(
            copying: bytes, layout, attributes: FrameAttributes(rotation: rotation),
            presentationTime: presentationTime, pool: pool)
    }

    /// Copies a frame from bytes: the same as for a pointer, with all attributes.
    ///
    /// - Parameters:
    ///   - bytes: the samples; for an array, use `array.span.bytes`.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - bytesPerRow: the stride of each plane, at least the bytes of its samples; by default without padding.
    ///   - attributes: the meaning of the samples.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - pool: provides the memory; without one it is allocated.
    /// - Throws: what the initializer for a pointer throws.
    public init(
        copying bytes: RawSpan, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        attributes: FrameAttributes = FrameAttributes(), presentationTime: Duration? = nil,
        pool: PixelBufferPool? = nil
    ) throws(StreamError) {
        let layout = try RawFrameLayout(format, size: size, bytesPerRow: bytesPerRow)
        self = try bytes.withUnsafeBytes { (memory) throws(StreamError) in
            try VideoFrame(
                copying: memory, layout, attributes: attributes, presentationTime: presentationTime, pool: pool)
        }
    }

    /// Copies a frame of any layout from memory that is valid only during the call.
    ///
    /// **Cost:** every frame; one copy, and with a pool that has buffers no allocation.
    /// - Parameters:
    ///   - bytes: the samples.
    ///   - layout: where the planes are in `bytes`.
    ///   - attributes: the meaning of the samples.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - pool: provides the memory; without one it is allocated.
    /// - Throws: ``StreamError/Code/tooShort`` before anything is read; ``StreamError/Code/noMemory``.
    public init(
        copying bytes: UnsafeRawBufferPointer, _ layout: RawFrameLayout,
        attributes: FrameAttributes = FrameAttributes(), presentationTime: Duration? = nil,
        pool: PixelBufferPool? = nil
    ) throws(StreamError) {
        try layout.validate(length: bytes.count)
        let buffer =
            if let pool {
                try pool.makeBuffer(format: layout.format, size: layout.size) { $0.copy(bytes, layout) }
            } else {
                try PixelBuffer(format: layout.format, size: layout.size) { $0.copy(bytes, layout) }
            }
        self.init(buffer, attributes: attributes, presentationTime: presentationTime)
    }

    /// Lends a frame in memory that stays valid until it is released: nothing is copied.
    ///
    ///     let frame = try VideoFrame(lending: bytes, format: .nv12, size: size) { sdk_frame_release(handle) }
    ///
    /// Whoever shows the frame keeps it: a tile holds its newest frame until the next one arrives. So before you close
    /// the driver or the library that owns the memory, stop the stream, clear the tiles that show it and their
    /// mailboxes, draw the walls once more, and wait until `release` has been called for everything lent. Closing it
    /// earlier is a use after free.
    ///
    /// **Cost:** every frame; four small allocations in an optimised build. With a ``MemoryLender``, a source that
    /// lends the same memory again and again allocates nothing.
    /// - Parameters:
    ///   - bytes: the samples, which must not change until `release` is called.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - bytesPerRow: the stride of each plane, at least the bytes of its samples; by default without padding.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - rotation: the rotation that the sink applies.
    ///   - release: called once, on whichever thread releases the frame last, so it must not belong to an actor. It may
    ///     capture C pointers; whatever it captures must not be used elsewhere meanwhile. Not called if this throws.
    /// - Throws: what the initializer that copies throws, except ``StreamError/Code/noMemory``.
    public init(
        lending bytes: UnsafeRawBufferPointer, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        presentationTime: Duration? = nil, rotation: VideoRotation = .upright, release: @escaping () -> Void
    ) throws(StreamError) {
        let layout = try RawFrameLayout(format, size: size, bytesPerRow: bytesPerRow)
        try self.init(
            lending: bytes, layout, attributes: FrameAttributes(rotation: rotation),
            presentationTime: presentationTime, release: release)
    }

    /// Lends a frame of any layout in memory that stays valid until it is released: nothing is copied.
    ///
    /// The rules of the other initializer that lends hold here, too.
    ///
    /// **Cost:** every frame; four small allocations in an optimised build.
    /// - Parameters:
    ///   - bytes: the samples, which must not change until `release` is called.
    ///   - layout: where the planes are in `bytes`.
    ///   - attributes: the meaning of the samples.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - release: called once, on whichever thread releases the frame last; not called if this throws.
    /// - Throws: ``StreamError/Code/tooShort``.
    public init(
        lending bytes: UnsafeRawBufferPointer, _ layout: RawFrameLayout,
        attributes: FrameAttributes = FrameAttributes(), presentationTime: Duration? = nil,
        release: @escaping () -> Void
    ) throws(StreamError) {
        try layout.validate(length: bytes.count)
        // A `@Sendable` closure may not capture a pointer; the documentation of `release` says what makes this safe.
        nonisolated(unsafe) let release = release
        let planes = (0..<layout.planeCount).map { layout.plane($0, of: bytes) }
        let buffer = try PixelBuffer(lending: planes, format: layout.format, size: layout.size) { release() }
        self.init(buffer, attributes: attributes, presentationTime: presentationTime)
    }
}

extension WritablePlanes {
    /// Copies a frame of the same format and size, plane by plane where the strides are the same, else row by row.
    ///
    /// - Parameters:
    ///   - bytes: at least as many bytes as `layout` needs.
    ///   - layout: where the planes are in `bytes`.
    func copy(_ bytes: UnsafeRawBufferPointer, _ layout: RawFrameLayout) {
        let descriptions = format.planes
        for index in 0..<descriptions.count {
            let (source, description) = (layout.plane(index, of: bytes), descriptions[index])
            if source.bytesPerRow == bytesPerRow(index) {
                withPlaneBytes(index) { $0.copyMemory(from: source.bytes) }
                continue
            }
            for row in 0..<description.height(size) {
                withRowBytes(row, ofPlane: index) { $0.copyMemory(from: source.row(row, description, size)) }
            }
        }
    }
}
