import MediaIO

/// Reads frames until the end.
func readAll(_ reader: some FrameReader, limit: Int = 10_000) throws -> [VideoFrame] {
    var frames: [VideoFrame] = []
    while frames.count < limit, let frame = try reader.next() { frames.append(frame) }
    return frames
}

extension PixelBuffer {
    /// The samples alone: rows from the top and planes one after the other.
    var samples: [UInt8] {
        var bytes: [UInt8] = []
        for (index, description) in format.planes.enumerated() {
            for row in 0..<description.height(size) {
                withRow(row, ofPlane: index) { $0.withUnsafeBytes { bytes += $0 } }
            }
        }
        return bytes
    }
}

extension VideoFrame {
    /// The samples alone: rows from the top and planes one after the other.
    var packedBytes: [UInt8] { planes.samples }

    /// The planes: FFmpeg's frames are made of nothing else.
    var planes: PixelBuffer {
        guard case .planes(let buffer) = image else { preconditionFailure("This frame is not made of planes.") }
        return buffer
    }

    /// The time: all of FFmpeg's frames say one.
    var time: Duration {
        guard let presentationTime else { preconditionFailure("This frame says no time.") }
        return presentationTime
    }
}

/// The error that `body` throws, or `nil`.
func streamError(_ body: () throws -> Void) throws -> StreamError? {
    do {
        try body()
        return nil
    } catch let error as StreamError {
        return error
    }
}
