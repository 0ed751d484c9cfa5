import FrameConversion
import Glibc
import MediaIO

/// A conversion of frames of 1920 × 1080 on one thread, by the library and by libyuv.
struct Conversions {
    /// The processor time per frame, in seconds.
    struct Result {
        var library = 0.0
        /// `nil` if libyuv is not installed.
        var libyuv: Double?
        /// The median of the library's time divided by libyuv's, frame by frame.
        var ratio: Double?
    }

    private typealias Plane = UnsafeMutablePointer<UInt8>
    /// `ARGBToI420`, whose ARGB is B, G, R, A in memory.
    private typealias ToI420 =
        @convention(c) (
            Plane, Int32, Plane, Int32, Plane, Int32, Plane, Int32, Int32, Int32
        ) -> Int32
    /// `NV12ToARGB`, which doubles chroma.
    private typealias FromNV12 = @convention(c) (Plane, Int32, Plane, Int32, Plane, Int32, Int32, Int32) -> Int32

    private static let size = VideoSize(width: 1920, height: 1080)

    private let source: VideoFrame
    private let converter: FormatConverter
    private let libyuv: (() -> Void)?

    /// Prepares a conversion.
    ///
    /// - Parameter isEncoding: BGRA to I420 if true, else NV12 to BGRA.
    /// - Throws: `StreamError`.
    init(isEncoding: Bool) throws {
        let (from, to) = isEncoding ? (PixelFormat.bgra32, PixelFormat.i420) : (.nv12, .bgra32)
        let bytes = (0..<from.packedByteCount(Self.size)).map {
            UInt8(truncatingIfNeeded: ($0 * 7 + $0 / 1920 * 3) >> 3)
        }
        source = try VideoFrame(copying: bytes.span.bytes, format: from, size: Self.size)
        converter = try FormatConverter(to: to)
        libyuv = Self.call(isEncoding, bytes, to.packedByteCount(Self.size))
    }

    private static func call(_ isEncoding: Bool, _ bytes: [UInt8], _ outputCount: Int) -> (() -> Void)? {
        guard let library = dlopen("libyuv.so.0", RTLD_NOW),
            let function = dlsym(library, isEncoding ? "ARGBToI420" : "NV12ToARGB")
        else { return nil }
        // They live until the program ends.
        let input = Plane.allocate(capacity: bytes.count)
        input.initialize(from: bytes, count: bytes.count)
        let output = Plane.allocate(capacity: outputCount)
        output.initialize(repeating: 0, count: outputCount)
        let (width, height) = (Int32(size.width), Int32(size.height))
        let pixels = size.width * size.height
        if isEncoding {
            let convert = unsafeBitCast(function, to: ToI420.self)
            return {
                _ = convert(
                    input, width * 4, output, width, output + pixels, width / 2, output + pixels * 5 / 4, width / 2,
                    width, height)
            }
        }
        let convert = unsafeBitCast(function, to: FromNV12.self)
        return { _ = convert(input, width, input + pixels, width, output, width * 4, width, height) }
    }

    /// Measures both alternately, so that other load on the machine affects both equally.
    ///
    /// - Parameter count: the number of frames.
    /// - Returns: the mean of each, and the median of their ratios.
    /// - Throws: `StreamError` if there is no memory.
    func measure(_ count: Int) throws -> Result {
        var result = Result()
        var (ratios, other): ([Double], Double) = ([], 0)
        // The first rounds allocate everything.
        for round in -5..<count {
            let own = try ProcessorTime.of { () throws in _ = try converter.convert(source) }
            let theirs = libyuv.map { call in ProcessorTime.of { call() } }
            guard round >= 0 else { continue }
            result.library += own / Double(count)
            guard let theirs else { continue }
            other += theirs / Double(count)
            ratios.append(own / theirs)
        }
        guard !ratios.isEmpty else { return result }
        (result.libyuv, result.ratio) = (other, ratios.sorted()[ratios.count / 2])
        return result
    }
}
