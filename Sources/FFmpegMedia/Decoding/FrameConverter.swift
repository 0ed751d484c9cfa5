import CVitrailFFmpeg
import MediaIO
import VitrailSupport

/// Converts frames of a format without a ``PixelFormat`` to the nearest one, sample by sample.
///
/// FFmpeg's scaler is not used, because it converts RGB to RGB through YCbCr, which loses precision. This converter
/// keeps every value that the target format can hold.
///
/// **Cost:** a few nanoseconds per sample; allocates nothing while a stream's format stays the same.
struct FrameConverter {
    private let pool = PixelBufferPool()
    private var samples: [UInt16] = []
    private var floats: [UInt32] = []
    private var maps = SampleMaps()

    /// The memory that converted frames are made in; `nil` for ordinary memory.
    var memory: (any FrameMemory)? {
        get { pool.memory }
        nonmutating set { pool.memory = newValue }
    }

    /// Converts a frame.
    ///
    /// - Parameters:
    ///   - picture: a frame in a format that FFmpeg describes.
    ///   - format: the nearest format to the frame's own, as ``PixelFormat/init(nearest:_:)`` finds it.
    ///   - range: the range of the frame.
    /// - Returns: a buffer from this converter's pool.
    /// - Throws: ``StreamError`` if the frame is too large.
    mutating func convert(
        _ picture: DecodedFrame, to format: PixelFormat, _ range: ColorSpace.Range
    ) throws(StreamError) -> PixelBuffer {
        let frame = picture.frame
        let size = picture.size
        guard let description = vitrail_description(frame.pointee.format) else {
            brokenRule("FFmpeg describes every format that DeliveredFormat knows; look it up there first.")
        }
        if samples.count < size.width { samples = Array(repeating: 0, count: size.width) }
        let layout = format.layout
        maps.prepare(frame.pointee.format, description, layout, range)
        switch layout.model {
        case .bayer: return try pool.makeBuffer(format: format, size: size) { copyBayer(frame, description, $0) }
        case .yCbCr, .gray:
            return try pool.makeBuffer(format: format, size: size) { target in
                for plane in layout.planes.indices { copyPlane(plane, frame, description, target) }
            }
        case .rgb:
            if layout.isFloat, floats.count < size.width { floats = Array(repeating: 0, count: size.width) }
            return try pool.makeBuffer(format: format, size: size) { target in
                for component in 0..<4 {
                    for row in 0..<size.height {
                        if layout.isFloat {
                            copyFloats(component, row, frame, description, target)
                        } else {
                            copyPacked(component, row, frame, description, target)
                        }
                    }
                }
            }
        }
    }

    private mutating func copyPlane(
        _ plane: Int, _ frame: UnsafePointer<AVFrame>, _ description: UnsafePointer<AVPixFmtDescriptor>,
        _ target: borrowing WritablePlanes
    ) {
        // The nearest format has the same subsampling, so the plane has as many samples in the source as in the target.
        let plan = target.format.planes[plane]
        let width = plan.width(target.size)
        for row in 0..<plan.height(target.size) {
            vitrail_read_line(frame, description, Int32(plane), Int32(row), Int32(width), &samples, 2)
            let map = maps[plane]
            target.withRowBytes(row, ofPlane: plane) { bytes in
                for x in 0..<width {
                    let value = map[Int(samples[x])]
                    if plan.blockBytes == 1 {
                        bytes[x] = UInt8(truncatingIfNeeded: value)
                    } else {
                        bytes.storeBytes(of: value.littleEndian, toByteOffset: 2 * x, as: UInt16.self)
                    }
                }
            }
        }
    }

    /// Copies one of R, G, B, A in a row of ``PixelFormat/rgba32`` or ``PixelFormat/rgba64``.
    private mutating func copyPacked(
        _ component: Int, _ row: Int, _ frame: UnsafePointer<AVFrame>,
        _ description: UnsafePointer<AVPixFmtDescriptor>, _ target: borrowing WritablePlanes
    ) {
        let width = target.size.width
        let source = Self.source(of: component, description)
        let isPalette = Int32(truncatingIfNeeded: description.pointee.flags) & AV_PIX_FMT_FLAG_PAL != 0
        // Palette entries are words with A in the highest bits and B in the lowest.
        let palette = isPalette ? vitrail_frame_data(frame, 1).map { $0 + [2, 1, 0, 3][component] } : nil
        if let source {
            vitrail_read_line(frame, description, Int32(source), Int32(row), Int32(width), &samples, 2)
        }
        let map = maps[source ?? 0]
        let step = target.format == .rgba64 ? 8 : 4
        target.withRowBytes(row, ofPlane: 0) { bytes in
            for x in 0..<width {
                let value: UInt16 =
                    if let palette { UInt16(palette[4 * Int(samples[x])]) } else if source != nil {
                        map[Int(samples[x])]
                    } else { .max }
                if step == 4 {
                    bytes[4 * x + component] = UInt8(truncatingIfNeeded: value)
                } else {
                    bytes.storeBytes(of: value.littleEndian, toByteOffset: 8 * x + 2 * component, as: UInt16.self)
                }
            }
        }
    }

    /// Copies one of R, G, B, A in a row of ``PixelFormat/rgba64f``, clamped to the largest finite `Float16`.
    private mutating func copyFloats(
        _ component: Int, _ row: Int, _ frame: UnsafePointer<AVFrame>,
        _ description: UnsafePointer<AVPixFmtDescriptor>, _ target: borrowing WritablePlanes
    ) {
        let source = Self.source(of: component, description)
        if let source {
            vitrail_read_line(frame, description, Int32(source), Int32(row), Int32(target.size.width), &floats, 4)
        }
        let isHalf = vitrail_component_depth(description, Int32(source ?? 0)) == 16
        let limit = Float(Float16.greatestFiniteMagnitude)
        target.withRowBytes(row, ofPlane: 0) { bytes in
            for x in 0..<target.size.width {
                let value: Float =
                    if source == nil { 1 } else if isHalf {
                        Float(Float16(bitPattern: UInt16(truncatingIfNeeded: floats[x])))
                    } else { Float(bitPattern: floats[x]) }
                let half = Float16(value.isNaN ? 0 : max(-limit, min(value, limit)))
                bytes.storeBytes(of: half.bitPattern.littleEndian, toByteOffset: 8 * x + 2 * component, as: UInt16.self)
            }
        }
    }

    /// Copies the upper bytes of 16-bit words.
    private func copyBayer(
        _ frame: UnsafePointer<AVFrame>, _ description: UnsafePointer<AVPixFmtDescriptor>,
        _ target: borrowing WritablePlanes
    ) {
        let isBigEndian = Int32(truncatingIfNeeded: description.pointee.flags) & AV_PIX_FMT_FLAG_BE != 0
        guard let first = vitrail_frame_data(frame, 0).map({ $0 + (isBigEndian ? 0 : 1) }) else { return }
        for row in 0..<target.size.height {
            let source = first + row * Int(vitrail_frame_linesize(frame, 0))
            target.withRowBytes(row, ofPlane: 0) { bytes in
                for x in bytes.indices { bytes[x] = source[2 * x] }
            }
        }
    }

    /// The index of the source's component for R, G, B or A; `nil` for a missing alpha.
    private static func source(of component: Int, _ description: UnsafePointer<AVPixFmtDescriptor>) -> Int? {
        // With a palette, all four components come from one index.
        if Int32(truncatingIfNeeded: description.pointee.flags) & AV_PIX_FMT_FLAG_PAL != 0 { return 0 }
        return switch description.pointee.nb_components {
        case 1: component < 3 ? 0 : nil
        case 2: component < 3 ? 0 : 1
        case 3: component < 3 ? component : nil
        default: component
        }
    }
}
