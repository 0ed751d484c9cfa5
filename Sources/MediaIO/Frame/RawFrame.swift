/// A frame as one piece of memory, for interfaces that take a pointer, a length and a layout.
public struct RawFrame {
    /// The memory, valid only while it is lent: ``RawFrameLayout/byteCount`` bytes.
    public let bytes: UnsafeRawBufferPointer
    /// Where the planes are in ``bytes``.
    public let layout: RawFrameLayout
}

extension PixelBuffer {
    /// Lends the frame as one piece of memory: a pointer, a length and a layout.
    ///
    /// A frame is always in one piece if its sink asks for ``BufferKind/rawData``, if it was copied, or if it came from
    /// a ``PixelBufferPool``.
    ///
    /// **Cost:** every frame; allocates nothing.
    /// - Parameter body: reads the memory, which is valid until it returns.
    /// - Returns: what `body` returns; `nil`, without calling it, if the planes do not directly follow each other in
    ///   memory, or are stored bottom-up.
    /// - Throws: what `body` throws.
    public func withRawFrame<Result, Failure: Error>(
        _ body: (RawFrame) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try withPlane(0) { (first) throws(Failure) -> Result? in
            guard let layout = rawLayout, let start = first.bytes.baseAddress else { return nil }
            let bytes = UnsafeRawBufferPointer(start: start, count: layout.byteCount)
            return try body(RawFrame(bytes: bytes, layout: layout))
        }
    }

    /// The layout, if the planes are in one piece of memory.
    package var rawLayout: RawFrameLayout? {
        guard let start = plane(0).bytes.baseAddress else { return nil }
        var end = start
        for index in 0..<planeCount {
            let plane = plane(index)
            // The memory between two planes may not be readable.
            guard plane.bytes.baseAddress == end, plane.bytesPerRow > 0 else { return nil }
            end += plane.bytes.count
        }
        return RawFrameLayout(of: self, from: start)
    }
}

extension RawFrameLayout {
    /// The layout of a validated buffer.
    fileprivate init(of buffer: PixelBuffer, from start: UnsafeRawPointer) {
        self.init(
            buffer.format, buffer.size,
            InlineArray { index in
                let plane = buffer.plane(min(index, buffer.planeCount - 1))
                let offset = plane.bytes.baseAddress.map { $0 - start } ?? 0
                return Plane(offset: offset, bytesPerRow: plane.bytesPerRow)
            })
    }
}
