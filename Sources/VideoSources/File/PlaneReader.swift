import MediaIO

/// Reads the planes of a frame directly into a buffer, whose strides may differ from the file's.
struct PlaneReader {
    private let descriptions: PlaneList
    private let size: VideoSize
    /// The stride of each plane in the file, in bytes.
    private let strides: [Int]
    /// The bytes of a frame in the file, including the padding of each row.
    let byteCount: Int
    private var spans = ByteSpans()
    /// Receives the file's padding, which is ignored.
    private var padding: [UInt8]

    /// Describes frames in a file.
    ///
    /// - Parameters:
    ///   - format: the format of the samples.
    ///   - size: the size in pixels.
    ///   - bytesPerRow: the stride of the first plane, at least the bytes of its samples; the strides of the others are
    ///     proportional to their widths, rounded to whole samples. By default there is no padding.
    init(_ format: PixelFormat, _ size: VideoSize, bytesPerRow: Int? = nil) {
        descriptions = format.planes
        self.size = size
        strides = format.planes.map { plane in
            guard let bytesPerRow else { return plane.rowBytes(size) }
            let first = format.planes[0]
            if plane == first { return bytesPerRow }
            // In formats with several planes a block is one sample.
            let samples = (bytesPerRow + first.blockBytes - 1) / first.blockBytes
            return plane.rowBytes(VideoSize(width: samples, height: 1))
        }
        byteCount = zip(strides, descriptions).reduce(0) { $0 + $1.0 * $1.1.height(size) }
        padding = Array(repeating: 0, count: zip(strides, descriptions).map { $0 - $1.rowBytes(size) }.max() ?? 0)
    }

    /// Reads one frame.
    ///
    /// - Returns: the number of bytes missing at the end of the file: 0 for a complete frame.
    mutating func read(
        from file: inout InputFile, into planes: borrowing WritablePlanes
    ) throws(StreamError) -> Int {
        // Moved to a local, because the closures below cannot access several parts of this value simultaneously.
        var spans = ByteSpans()
        var padding: [UInt8] = []
        swap(&spans, &self.spans)
        swap(&padding, &self.padding)
        defer {
            swap(&spans, &self.spans)
            swap(&padding, &self.padding)
        }
        spans.removeAll()
        return try padding.withUnsafeMutableBufferPointer { (padding) throws(StreamError) in
            try read(plane: 0, from: &file, into: planes, &spans, UnsafeRawBufferPointer(padding))
        }
    }

    /// Adds the rows of `plane` and of later planes to the list, and reads them within the closures that lend them.
    private func read(
        plane: Int, from file: inout InputFile, into planes: borrowing WritablePlanes, _ spans: inout ByteSpans,
        _ padding: UnsafeRawBufferPointer
    ) throws(StreamError) -> Int {
        guard plane < descriptions.count else { return try file.read(into: &spans) }
        let (rowBytes, rows) = (descriptions[plane].rowBytes(size), descriptions[plane].height(size))
        let bytesPerRow = planes.bytesPerRow(plane)
        return try planes.withPlaneBytes(plane) { (target) throws(StreamError) in
            for row in 0..<rows {
                let start = row * bytesPerRow
                spans.append(UnsafeRawBufferPointer(rebasing: target[start..<start + rowBytes]))
                spans.append(UnsafeRawBufferPointer(rebasing: padding[..<(strides[plane] - rowBytes)]))
            }
            return try read(plane: plane + 1, from: &file, into: planes, &spans, padding)
        }
    }
}
