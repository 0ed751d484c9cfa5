import MediaIO

/// Reads the planes of a picture straight into a buffer, whatever the two strides are.
struct PlaneReader {
    private let descriptions: PlaneList
    private let size: VideoSize
    /// Bytes from a row to the next in the file, for each plane.
    private let strides: [Int]
    /// Bytes of one picture in the file, the padding after each row included.
    let byteCount: Int
    private var spans = ByteSpans()
    /// Where the file's padding goes: nobody looks at it.
    private var padding: [UInt8]

    /// Describes pictures in a file.
    ///
    /// - Parameters:
    ///   - format: the layout.
    ///   - size: in pixels.
    ///   - bytesPerRow: of the first plane, at least its samples; the others' follow from it by the ratio of their widths,
    ///     in whole samples. Without it rows follow each other without padding.
    init(_ format: PixelFormat, _ size: VideoSize, bytesPerRow: Int? = nil) {
        descriptions = format.planes
        self.size = size
        strides = format.planes.map { plane in
            guard let bytesPerRow else { return plane.rowBytes(size) }
            let first = format.planes[0]
            if plane == first { return bytesPerRow }
            // Planes beside others have no blocks of several samples, so that a block is a sample here.
            let samples = (bytesPerRow + first.blockBytes - 1) / first.blockBytes
            return plane.rowBytes(VideoSize(width: samples, height: 1))
        }
        byteCount = zip(strides, descriptions).reduce(0) { $0 + $1.0 * $1.1.height(size) }
        padding = Array(repeating: 0, count: zip(strides, descriptions).map { $0 - $1.rowBytes(size) }.max() ?? 0)
    }

    /// Reads one picture.
    ///
    /// - Returns: how many bytes are missing because the file ended: 0 for a whole picture.
    mutating func read(
        from file: inout InputFile, into planes: borrowing WritablePlanes
    ) throws(StreamError) -> Int {
        // Taken out for the time being, because the closures below cannot change several parts of this value at once.
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

    /// Lists the rows of `plane` and of those after it, and reads them within the closures that lend them.
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
