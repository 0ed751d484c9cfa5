import CVitrailFFmpeg

@testable import FFmpegMedia

extension DecodedFrame {
    /// A picture as a decoder would hand it out.
    ///
    /// - Parameters:
    ///   - name: FFmpeg's name of the pixel format.
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - raw: the samples as FFmpeg's raw video has them.
    ///   - isBottomUp: the rows lie from the last to the first.
    /// - Returns: the picture, not yet lent.
    /// - Throws: when `raw` has not as many bytes as the format needs.
    static func made(
        _ name: String, _ width: Int, _ height: Int, _ raw: [UInt8], isBottomUp: Bool = false
    ) throws -> DecodedFrame {
        guard let picture = DecodedFrame() else { throw ClipFolder.ToolError(description: "no picture") }
        let frame = picture.frame
        let format = av_get_pix_fmt(name)
        frame.pointee.format = format.rawValue
        frame.pointee.width = Int32(width)
        frame.pointee.height = Int32(height)
        let length = av_image_get_buffer_size(format, Int32(width), Int32(height), 1)
        guard length == raw.count, av_frame_get_buffer(frame, 0) >= 0 else {
            throw ClipFolder.ToolError(description: "\(name) \(width)x\(height) has \(length) bytes, not \(raw.count)")
        }
        if isBottomUp { turnOver(frame, format, height) }
        var planes = frame.pointee.data
        var strides = frame.pointee.linesize
        // The arrays of C are tuples here.
        withUnsafeMutableBytes(of: &planes) { planes in
            withUnsafeMutableBytes(of: &strides) { strides in
                let planes = planes.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
                let strides = strides.assumingMemoryBound(to: Int32.self)
                var sources = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
                var sourceStrides = [Int32](repeating: 0, count: 4)
                raw.withUnsafeBufferPointer { raw in
                    _ = av_image_fill_arrays(
                        &sources, &sourceStrides, raw.baseAddress, format, Int32(width), Int32(height), 1)
                    var constant = sources.map { UnsafePointer($0) }
                    av_image_copy(
                        planes.baseAddress, strides.baseAddress, &constant, &sourceStrides, format, Int32(width),
                        Int32(height))
                }
            }
        }
        return picture
    }

    private static func turnOver(_ frame: UnsafeMutablePointer<AVFrame>, _ format: AVPixelFormat, _ height: Int) {
        let shift = Int(av_pix_fmt_desc_get(format)?.pointee.log2_chroma_h ?? 0)
        withUnsafeMutableBytes(of: &frame.pointee.data) { planes in
            withUnsafeMutableBytes(of: &frame.pointee.linesize) { strides in
                let planes = planes.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
                let strides = strides.assumingMemoryBound(to: Int32.self)
                for plane in 0..<4 where planes[plane] != nil {
                    let rows = plane == 1 || plane == 2 ? (height + (1 << shift) - 1) >> shift : height
                    planes[plane] = planes[plane].map { $0 + (rows - 1) * Int(strides[plane]) }
                    strides[plane] = -strides[plane]
                }
            }
        }
    }
}
