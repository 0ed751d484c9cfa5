import CVitrailFFmpeg
import MediaIO

extension Orientation {
    /// Reads a display matrix: nine numbers, of which a, b, c, d say where the picture's axes go (y points down).
    ///
    ///     │ a b u │    the step to the right (1, 0) becomes (a, b)
    ///     │ c d v │    the step down        (0, 1) becomes (c, d)
    ///     │ x y w │
    ///
    /// Angles between quarter turns go to the nearest one, and a matrix that flattens the picture is ignored.
    init(displayMatrix matrix: UnsafePointer<Int32>) {
        let (a, b) = (Double(matrix[0]), Double(matrix[1]))
        let (c, d) = (Double(matrix[3]), Double(matrix[4]))
        let determinant = a * d - b * c
        guard determinant != 0 else {
            self = .upright
            return
        }
        // The sink turns first and mirrors then. A mirror is undone on the left side of the turned picture, which
        // leaves the turn; one that is upside down is shorter said as a vertical mirror.
        let isMirrored = determinant < 0
        let turn = Self.turn(isMirrored ? -a : a, b)
        switch (isMirrored, turn) {
        case (true, .clockwise180): self.init(rotation: .upright, mirror: .vertical)
        case (true, _): self.init(rotation: turn, mirror: .horizontal)
        case (false, _): self.init(rotation: turn, mirror: .unmirrored)
        }
    }

    /// The turn that takes a step to the right to (x, y), with y pointing down.
    private static func turn(_ x: Double, _ y: Double) -> VideoRotation {
        if abs(x) >= abs(y) { return x > 0 ? .upright : .clockwise180 }
        return y > 0 ? .clockwise90 : .clockwise270
    }

    /// What the stream says.
    init(_ stream: UnsafePointer<AVStream>) {
        var size = 0
        let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
        self = Self(data, size) ?? .upright
    }

    /// What the picture itself says, if anything.
    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
        self.init(data.pointee.data, data.pointee.size)
    }

    private init?(_ data: UnsafePointer<UInt8>?, _ size: Int) {
        guard let data, size >= 9 * MemoryLayout<Int32>.size else { return nil }
        self = data.withMemoryRebound(to: Int32.self, capacity: 9) { Self(displayMatrix: $0) }
    }
}
