import CVitrailV4L2
public import MediaIO

/// A format of a camera, with the sizes and rates that it has in it.
public struct CameraFormat: Hashable, Sendable {
    /// What is done with its frames.
    public enum Handling: Hashable, Sendable {
        /// They are drawn as they are.
        case drawn(PixelFormat)
        /// They are decoded.
        case encoded(PacketCodec)
        /// libv4l converts them, if it can.
        case converted
    }

    /// Frames of one size, or of a range of sizes.
    public struct Sizes: Hashable, Sendable {
        /// The smallest size.
        public let smallest: VideoSize
        /// The largest size: equal to ``smallest`` for one size.
        public let largest: VideoSize
        /// The difference between one size and the next.
        public let step: VideoSize
        /// Frames per second, the fastest first; of a range, its ends.
        public internal(set) var rates: [Rational]
        /// Whether rates between those can be set.
        public internal(set) var isRateRange: Bool
    }

    /// The kernel's number, made of four characters: `V4L2_PIX_FMT_…`.
    public let fourCC: UInt32
    /// What is done with its frames.
    public let handling: Handling
    /// The driver's description.
    public let description: String
    /// Its sizes, in the driver's order; empty if the driver does not tell.
    public let sizes: [Sizes]

    /// The four characters; trailing spaces are omitted.
    public var name: String { Self.name(of: fourCC) }

    static func name(of fourCC: UInt32) -> String {
        // The highest bit means big-endian samples.
        let bytes = withUnsafeBytes(of: (fourCC & 0x7fff_ffff).littleEndian) { Array($0) }
        var characters = String(decoding: bytes, as: UTF8.self)
        while characters.last == " " { characters.removeLast() }
        return fourCC >> 31 == 1 ? characters + "-BE" : characters
    }

    static func handling(of fourCC: UInt32) -> Handling {
        if let codec = codecs[fourCC] { return .encoded(codec) }
        guard fourCC >> 31 == 0, let format = PixelFormat(named: "v4l2:\(name(of: fourCC))") else { return .converted }
        return .drawn(format)
    }

    private static func number(_ name: String) -> UInt32 {
        name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static let codecs: [UInt32: PacketCodec] = [
        number("MJPG"): .motionJPEG, number("JPEG"): .motionJPEG, number("H264"): .h264, number("HEVC"): .hevc,
    ]
}

extension CameraFormat {
    /// What the driver lists.
    ///
    /// - Parameters:
    ///   - device: the driver's node.
    ///   - request: for a range of sizes, the rates are read at the size nearest to this request, by default at the
    ///     largest.
    ///   - matters: whether to read the sizes of a format.
    /// - Returns: all formats, in the driver's order.
    static func all(
        of device: OpenDevice, near request: CameraRequest? = nil, where matters: (Handling) -> Bool = { _ in true }
    ) -> [CameraFormat] {
        var formats: [CameraFormat] = []
        var entry = v4l2_fmtdesc()
        entry.type = device.bufferType
        // Bounded, because a faulty driver's list may have no end.
        while entry.index < 256, device.call(vitrail_enum_fmt, &entry) == 0 {
            let handling = handling(of: entry.pixelformat)
            let sizes = matters(handling) ? sizes(of: entry.pixelformat, request, device) : []
            formats.append(
                CameraFormat(
                    fourCC: entry.pixelformat, handling: handling,
                    description: text(of: entry.description), sizes: sizes))
            let next = entry.index + 1
            entry = v4l2_fmtdesc()
            (entry.index, entry.type) = (next, device.bufferType)
        }
        return formats
    }

    private static func sizes(of fourCC: UInt32, _ request: CameraRequest?, _ device: OpenDevice) -> [Sizes] {
        var sizes: [Sizes] = []
        var entry = v4l2_frmsizeenum()
        entry.pixel_format = fourCC
        while entry.index < 256, device.call(vitrail_enum_framesizes, &entry) == 0 {
            var found: Sizes
            if entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                let size = VideoSize(width: Int(entry.discrete.width), height: Int(entry.discrete.height))
                found = Sizes(size, size, step: VideoSize(width: 1, height: 1))
            } else {
                let (range, most) = (entry.stepwise, UInt32(PixelBuffer.maximumSide))
                found = Sizes(
                    VideoSize(width: Int(range.min_width), height: Int(range.min_height)),
                    VideoSize(width: Int(min(range.max_width, most)), height: Int(min(range.max_height, most))),
                    step: VideoSize(width: max(Int(range.step_width), 1), height: max(Int(range.step_height), 1)))
            }
            if found.isUsable {
                let size = request.map { found.nearest(to: $0) } ?? found.largest
                (found.rates, found.isRateRange) = rates(of: fourCC, size, device)
                sizes.append(found)
            }
            if entry.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue { break }
            entry.index += 1
        }
        return sizes
    }

    private static func rates(
        of fourCC: UInt32, _ size: VideoSize, _ device: OpenDevice
    ) -> (list: [Rational], isRange: Bool) {
        var rates: [Rational] = []
        var entry = v4l2_frmivalenum()
        entry.pixel_format = fourCC
        (entry.width, entry.height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
        while entry.index < 256, device.call(vitrail_enum_frameintervals, &entry) == 0 {
            if entry.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                let ends = [Rational(interval: entry.stepwise.min), Rational(interval: entry.stepwise.max)]
                return (ends.compactMap { $0 }, true)
            }
            if let rate = Rational(interval: entry.discrete) { rates.append(rate) }
            entry.index += 1
        }
        return (rates.sorted { $0.value > $1.value }, false)
    }
}

extension CameraFormat.Sizes {
    /// Sizes whose rates are not known yet.
    init(_ smallest: VideoSize, _ largest: VideoSize, step: VideoSize) {
        self.init(smallest: smallest, largest: largest, step: step, rates: [], isRateRange: false)
    }

    /// Whether a frame can have these sizes; a faulty driver may list anything.
    fileprivate var isUsable: Bool {
        let sides = 1...PixelBuffer.maximumSide
        return sides.contains(smallest.width) && sides.contains(smallest.height)
            && (smallest.width...PixelBuffer.maximumSide).contains(largest.width)
            && (smallest.height...PixelBuffer.maximumSide).contains(largest.height)
    }
}

extension Rational {
    /// The rate of frames with this interval; `nil` if the driver's fraction is not a positive time.
    init?(interval: v4l2_fract) {
        let limit = UInt32(Int32.max)
        guard (1...limit).contains(interval.numerator), (1...limit).contains(interval.denominator) else { return nil }
        self.init(Int(interval.denominator), Int(interval.numerator))
    }
}
