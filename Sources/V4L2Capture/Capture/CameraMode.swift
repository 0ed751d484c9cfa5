import Glibc
public import MediaIO

/// A format, size and rate of a camera.
public struct CameraMode: Hashable, Sendable, CustomStringConvertible {
    /// The kernel's number of the format.
    public let fourCC: UInt32
    /// What is done with its frames.
    public let handling: CameraFormat.Handling
    /// The size in memory.
    public let size: VideoSize
    /// Frames per second, or `nil` if the driver does not tell.
    public let frameRate: Rational?

    /// For people: `YUYV 1280x720 at 30/s`.
    public var description: String {
        let rate = frameRate.map { " at \($0)/s" } ?? ""
        return "\(CameraFormat.name(of: fourCC)) \(size)\(rate)"
    }

    /// The mode nearest to a request; of several equally near ones, the first of the driver's.
    ///
    /// - Returns: `nil` if no format can be drawn or decoded, or none is the one asked for.
    static func nearest(to request: CameraRequest, in formats: [CameraFormat], _ codecs: Set<PacketCodec>)
        -> CameraMode?
    {
        var best: (mode: CameraMode, distance: Double)?
        for format in formats {
            guard isPossible(format.handling, request, codecs) else { continue }
            for mode in modes(of: format, near: request) {
                let distance = mode.distance(to: request)
                if distance < best?.distance ?? .infinity { best = (mode, distance) }
            }
        }
        return best?.mode
    }

    /// Whether frames of a format can be drawn or decoded, and are what was asked for.
    static func isPossible(
        _ handling: CameraFormat.Handling, _ request: CameraRequest, _ codecs: Set<PacketCodec>
    ) -> Bool {
        switch handling {
        case .drawn(let pixels): request.format == nil || request.format == pixels
        case .encoded(let codec): request.format == nil && codecs.contains(codec)
        case .converted: false
        }
    }

    /// One mode for each size and rate; of ranges, the nearest to a request.
    private static func modes(of format: CameraFormat, near request: CameraRequest) -> [CameraMode] {
        // A driver that lists no sizes accepts any size or has only one; its answer to a request tells which.
        guard !format.sizes.isEmpty else {
            let size = request.size ?? VideoSize(width: 1280, height: 720)
            return [CameraMode(fourCC: format.fourCC, handling: format.handling, size: size, frameRate: nil)]
        }
        return format.sizes.flatMap { sizes in
            let size = sizes.nearest(to: request)
            let rates: [Rational?] =
                sizes.rates.isEmpty ? [nil] : sizes.rates(near: request.frameRate ?? CameraRequest.usualRate)
            return rates.map { CameraMode(fourCC: format.fourCC, handling: format.handling, size: size, frameRate: $0) }
        }
    }

    /// How far this is from a request; 0 for exactly that.
    ///
    /// It is the sum of four parts:
    /// * the size: if one is asked for, |log₂| of the ratio of widths, plus that of heights, three times as much for a
    ///   side that is too small; otherwise |log₂| of the ratio of pixels, twice as much if they are too few;
    /// * the rate: |log₂| of its ratio, times 2 if it is too low, times 0.1 if it is too high;
    /// * the work for a frame: 0 if it is drawn as it is, 0.2 for Motion JPEG, 0.4 for another codec, and up to 0.1 for
    ///   more bits a pixel than 4:2:0 has;
    /// * what is lost, unless the format was asked for: 2 for raw Bayer samples, which no camera has corrected, and 4
    ///   for grey.
    ///
    /// So if a camera offers 1280 × 720 at 10/s uncompressed and at 30/s compressed, the compressed mode is nearest; if
    /// both run at 30/s, the uncompressed one.
    func distance(to request: CameraRequest) -> Double {
        sizeDistance(to: request) + rateDistance(to: request) + work + (request.format == nil ? loss : 0)
    }

    private func sizeDistance(to request: CameraRequest) -> Double {
        func distance(_ given: Int, _ wanted: Int, weight: Double) -> Double {
            let ratio = log2(Double(given) / Double(max(wanted, 1)))
            return ratio < 0 ? -weight * ratio : ratio
        }
        if let wanted = request.size {
            return distance(size.width, wanted.width, weight: 3) + distance(size.height, wanted.height, weight: 3)
        }
        return distance(size.width * size.height, request.pixelCount, weight: 2)
    }

    private func rateDistance(to request: CameraRequest) -> Double {
        guard let frameRate else { return 0 }
        let ratio = log2(frameRate.value / (request.frameRate ?? CameraRequest.usualRate).value)
        return ratio < 0 ? -2 * ratio : 0.1 * ratio
    }

    private var loss: Double {
        guard case .drawn(let format) = handling else { return 0 }
        return switch format.layout.model {
        case .yCbCr, .rgb: 0
        case .bayer: 2
        case .gray: 4
        }
    }

    private var work: Double {
        switch handling {
        case .drawn(let format):
            let bits = 8 * Double(format.packedByteCount(VideoSize(width: 64, height: 64))) / 4096
            return min(max(bits - 12, 0) / 200, 0.1)
        case .encoded(.motionJPEG): return 0.2
        case .encoded, .converted: return 0.4
        }
    }
}

extension CameraFormat.Sizes {
    /// The size in the range that is nearest to a request.
    func nearest(to request: CameraRequest) -> VideoSize {
        guard smallest != largest else { return largest }
        var wanted = request.size ?? largest
        if request.size == nil {
            // Its largest size is usually that of the sensor, which has the right proportions.
            let scale = (Double(request.pixelCount) / Double(largest.width * largest.height)).squareRoot()
            if scale < 1 {
                wanted = VideoSize(
                    width: Int(Double(largest.width) * scale), height: Int(Double(largest.height) * scale))
            }
        }
        return VideoSize(
            width: Self.nearest(wanted.width, smallest.width, largest.width, step.width),
            height: Self.nearest(wanted.height, smallest.height, largest.height, step.height))
    }

    private static func nearest(_ wanted: Int, _ least: Int, _ most: Int, _ step: Int) -> Int {
        let clamped = min(max(wanted, least), most)
        return min(least + (clamped - least + step / 2) / step * step, most)
    }

    /// The rates that may be chosen.
    fileprivate func rates(near wanted: Rational) -> [Rational] {
        guard isRateRange, let fastest = rates.first, let slowest = rates.last else { return rates }
        if wanted.value >= fastest.value { return [fastest] }
        return wanted.value <= slowest.value ? [slowest] : [wanted]
    }
}
