import VitrailSupport

/// Validation of planes, once, when a buffer is created.
extension PixelBuffer {
    package static func validate(_ size: VideoSize) throws(StreamError) {
        guard (1...maximumSide).contains(size.width), (1...maximumSide).contains(size.height) else {
            throw StreamError(
                .sizeOutOfRange, "A frame of \(size) is not possible: each side must be 1 to \(maximumSide) pixels.")
        }
    }

    static func validate(planeCount: Int, _ format: PixelFormat) throws(StreamError) {
        guard planeCount == format.planes.count else {
            throw StreamError(
                .planeCount, "The format \(format) has \(format.planes.count) planes, but \(planeCount) were given.")
        }
    }

    static func validate(
        _ planes: [Plane], _ format: PixelFormat, _ size: VideoSize
    ) throws(StreamError) {
        try validate(size)
        let descriptions = format.planes
        try validate(planeCount: planes.count, format)
        for (index, (plane, description)) in zip(planes, descriptions).enumerated() {
            let role = index == 3 ? " (alpha)" : ""
            try validate(bytesPerRow: plane.bytesPerRow, index, format, size)
            let needed = description.byteCount(size, bytesPerRow: plane.bytesPerRow)
            guard plane.bytes.count >= needed else {
                throw StreamError(
                    .tooShort,
                    "Plane \(index)\(role) of \(format) \(size) needs \(needed) bytes at \(plane.bytesPerRow) per row, "
                        + "but \(plane.bytes.count) were given.")
            }
        }
    }

    /// Checks a stride; within these bounds, its product with a number of rows does not overflow.
    static func validate(
        bytesPerRow: Int, _ index: Int, _ format: PixelFormat, _ size: VideoSize
    ) throws(StreamError) {
        let row = format.planes[index].rowBytes(size)
        let strides = row...1 << 30
        guard strides.contains(bytesPerRow) || strides.contains(0 &- bytesPerRow) else {
            throw StreamError(
                .bytesPerRow,
                "Plane \(index)\(index == 3 ? " (alpha)" : "") of \(format) \(size) needs at least \(row) bytes per row and "
                    + "at most 2^30, but \(bytesPerRow) were given.")
        }
    }
}

extension PixelBuffer.Plane {
    /// The bytes of row `index`, counted from the top, of a validated plane, without padding.
    package func row(_ index: Int, _ description: PlaneDescription, _ size: VideoSize) -> UnsafeRawBufferPointer {
        require(
            index >= 0 && index < description.height(size),
            "This plane has rows 0..<\(description.height(size)); row \(index) does not exist.")
        let start = bytesPerRow > 0 ? index * bytesPerRow : (description.height(size) - 1 - index) * -bytesPerRow
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + description.rowBytes(size)])
    }
}
