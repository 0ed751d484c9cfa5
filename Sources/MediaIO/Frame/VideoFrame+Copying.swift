extension VideoFrame {
    /// Copies a frame from memory that is valid only during the call: exactly one copy, before the call returns.
    ///
    /// The planes follow each other in `bytes`, including the padding of each plane's last row; only that of the last
    /// plane's last row may be missing. Further bytes are ignored.
    ///
    /// **Cost:** every frame; one copy, two short arrays, and no memory for the samples once `pool` has buffers.
    /// - Parameters:
    ///   - bytes: the samples; for a pointer, `UnsafeRawBufferPointer(start: …, count: …).bytes`.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - bytesPerRow: the stride of each plane, at least the bytes of its samples; by default without padding.
    ///   - attributes: the meaning of the samples.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - pool: provides the memory; without one it is allocated.
    /// - Throws: ``StreamError/Code/tooShort``, ``StreamError/Code/bytesPerRow``, ``StreamError/Code/planeCount``,
    ///   ``StreamError/Code/sizeOutOfRange`` or ``StreamError/Code/noMemory``, before anything is read.
    public init(
        copying bytes: RawSpan, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        attributes: FrameAttributes = FrameAttributes(), presentationTime: Duration? = nil,
        pool: PixelBufferPool? = nil
    ) throws(StreamError) {
        try PixelBuffer.validate(size)
        let strides = bytesPerRow ?? format.planes.map { $0.rowBytes(size) }
        try PixelBuffer.validate(planeCount: strides.count, format)
        for (index, stride) in strides.enumerated() {
            let bounds = format.planes[index].rowBytes(size)...1 << 30
            guard bounds.contains(stride) else {
                throw StreamError(
                    .bytesPerRow,
                    "Plane \(index) of \(format) \(size) needs \(bounds.lowerBound) to \(bounds.upperBound) bytes per row, but \(stride) were given."
                )
            }
        }
        let buffer = try bytes.withUnsafeBytes { (memory) throws(StreamError) in
            try Self.copy(memory, format, size, strides, pool)
        }
        self.init(buffer, attributes: attributes, presentationTime: presentationTime)
    }

    private static func copy(
        _ memory: UnsafeRawBufferPointer, _ format: PixelFormat, _ size: VideoSize, _ strides: [Int],
        _ pool: PixelBufferPool?
    ) throws(StreamError) -> PixelBuffer {
        var offset = 0
        var planes: [PixelBuffer.Plane] = []
        planes.reserveCapacity(strides.count)
        for (stride, description) in zip(strides, format.planes) {
            let needed = description.byteCount(size, bytesPerRow: stride)
            guard needed <= memory.count - offset else {
                throw StreamError(
                    .tooShort,
                    "A frame of \(format) \(size) with \(strides) bytes per row needs \(needed) bytes from byte "
                        + "\(offset) for plane \(planes.count), but \(memory.count) were given in total.")
            }
            let bytes = UnsafeRawBufferPointer(rebasing: memory[offset..<offset + needed])
            planes.append(PixelBuffer.Plane(bytes: bytes, bytesPerRow: stride))
            offset += min(stride * description.height(size), memory.count - offset)
        }
        guard let pool else { return try PixelBuffer(copying: planes, format: format, size: size) }
        return try pool.makeBuffer(format: format, size: size) { try $0.copy(planes) }
    }
}
