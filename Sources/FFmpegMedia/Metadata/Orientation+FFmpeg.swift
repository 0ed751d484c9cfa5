import CVitrailFFmpeg
import MediaIO

extension Orientation {
    /// Reads a display matrix: nine numbers, of which a, b, c, d give the new axes of the frame (y points down).
    ///
    ///     │ a b u │    the step to the right (1, 0) becomes (a, b)
    ///     │ c d v │    the step down        (0, 1) becomes (c, d)
    ///     │ x y w │
    ///
    /// Angles are rounded to the nearest quarter turn, and a singular matrix is ignored.
    init(displayMatrix matrix: UnsafePointer<Int32>) {
        let (a, b) = (Double(matrix[0]), Double(matrix[1]))
        let (c, d) = (Double(matrix[3]), Double(matrix[4]))
        let determinant = a * d - b * c
        guard determinant != 0 else {
            self = .upright
            return
        }
        // The sink rotates first, then mirrors. Undoing a horizontal mirror after the rotation leaves the rotation; if
        // that is by 180 degrees, a vertical mirror alone says the same.
        let isMirrored = determinant < 0
        let turn = Self.turn(isMirrored ? -a : a, b)
        switch (isMirrored, turn) {
        case (true, .clockwise180): self.init(rotation: .upright, mirror: .vertical)
        case (true, _): self.init(rotation: turn, mirror: .horizontal)
        case (false, _): self.init(rotation: turn, mirror: .unmirrored)
        }
    }

    /// The rotation that moves a step to the right to (x, y), with y pointing down.
    private static func turn(_ x: Double, _ y: Double) -> VideoRotation {
        if abs(x) >= abs(y) { return x > 0 ? .upright : .clockwise180 }
        return y > 0 ? .clockwise90 : .clockwise270
    }

    /// Reads the stream's orientation.
    init(_ stream: UnsafePointer<AVStream>) {
        var size = 0
        let data = vitrail_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
        self = Self(data, size) ?? Self(tags: stream.pointee.metadata)
    }

    private static let tags = (rotation: "ROTATE", mirror: "MIRROR")

    /// Reads the tags of ``write(to:)``.
    private init(tags: OpaquePointer?) {
        func value(_ name: String) -> String? {
            av_dict_get(tags, name, nil, 0).map { String(cString: $0.pointee.value) }
        }
        self.init(
            rotation: value(Self.tags.rotation).flatMap { Int($0) }.flatMap(VideoRotation.init(rawValue:)) ?? .upright,
            mirror: value(Self.tags.mirror).flatMap(VideoMirror.init(rawValue:)) ?? .unmirrored)
    }

    /// Writes the display matrix, and tags for containers that have none.
    ///
    /// FFmpeg writes and reads that of Matroska from version 7 on; its place is that of ISO/IEC 14496-12, 8.3.2.
    ///
    /// - Returns: false if there is no memory.
    func write(to stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let size = 9 * MemoryLayout<Int32>.size
        guard let data = vitrail_stream_add_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size) else { return false }
        data.withMemoryRebound(to: Int32.self, capacity: 9) { matrix in
            // FFmpeg's angles are counter-clockwise.
            av_display_rotation_set(matrix, -Double(rotation.rawValue))
            av_display_matrix_flip(matrix, mirror.isHorizontal ? 1 : 0, mirror.isVertical ? 1 : 0)
        }
        av_dict_set(&stream.pointee.metadata, Self.tags.rotation, "\(rotation.rawValue)", 0)
        if mirror != .unmirrored { av_dict_set(&stream.pointee.metadata, Self.tags.mirror, mirror.rawValue, 0) }
        return true
    }

    /// Reads the frame's own orientation, if it has one.
    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
        self.init(data.pointee.data, data.pointee.size)
    }

    private init?(_ data: UnsafePointer<UInt8>?, _ size: Int) {
        guard let data, size >= 9 * MemoryLayout<Int32>.size else { return nil }
        self = data.withMemoryRebound(to: Int32.self, capacity: 9) { Self(displayMatrix: $0) }
    }
}
