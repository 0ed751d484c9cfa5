public import MediaIO

/// Scales frames to one size, on the calling thread: for what is published or recorded.
///
/// * Frames keep their format and their colours; colours that were inferred from the old size become tags. Formats of
///   floating-point numbers and of cameras (Bayer, ``PixelFormat/v210``) become RGBA or I420.
/// * When a frame is reduced, a new sample is the mean of all samples that it covers, weighted by a tent; enlarging is
///   linear. Chroma keeps its location.
/// * Crop and pixel aspect ratio are applied. Rotation and mirror stay attributes: nothing is turned, and the sides
///   of a frame that is shown with a quarter turn are swapped in memory.
///
/// **Thread:** one at a time.
public final class FrameScaler {
    /// The size of the frames as they are shown.
    public let size: VideoSize
    /// How a frame of another aspect ratio fills the size.
    public let mode: ContentMode
    private let pool = PixelBufferPool()
    private var converter: FormatConverter?
    private var plan: Plan?

    /// What determines the tables.
    private struct Key: Equatable {
        let format: PixelFormat
        let size: VideoSize
        let x: ScaledAxis
        let y: ScaledAxis
        let chromaLocation: ChromaLocation
    }

    private struct Plan {
        let key: Key
        /// Whether planes are zeroed first, because words are shared by samples or partly unused.
        let clears: Bool
        let luma: PlaneScaling
        let chroma: PlaneScaling
    }

    /// Creates a scaler.
    ///
    /// - Parameters:
    ///   - size: the size of the frames as they are shown.
    ///   - mode: how a frame of another aspect ratio fills it; ``ContentMode/fit`` adds black bars.
    /// - Throws: ``StreamError/Code/sizeOutOfRange`` unless each side is 1 to 16,384.
    public init(to size: VideoSize, mode: ContentMode = .fit) throws(StreamError) {
        guard (1...16_384).contains(size.width), (1...16_384).contains(size.height) else {
            throw StreamError(
                .sizeOutOfRange, "Frames cannot be scaled to \(size): each side must be 1 to 16384 pixels.")
        }
        (self.size, self.mode) = (size, mode)
    }

    /// Whether a frame has a size already: as it is shown, uncropped, and with square pixels.
    package static func isScaled(_ frame: VideoFrame, to size: VideoSize) -> Bool {
        let stored = frame.image.size
        return (frame.attributes.rotation.isQuarterTurn ? stored.transposed : stored) == size
            && frame.visibleRectangle == Rectangle(x: 0, y: 0, width: stored.width, height: stored.height)
            && frame.attributes.pixelAspectRatio.value == 1
    }

    /// Scales a frame.
    ///
    /// **Cost:** every frame; some operations for each sample of the source and of the result, and no allocation while
    /// frames are alike.
    /// - Parameter frame: planes in memory, or an image that can be mapped.
    /// - Returns: the frame in ``size``; the same frame if nothing is to be done.
    /// - Throws: ``StreamError`` if the CPU cannot read the frame, or there is no memory.
    public func scale(_ frame: VideoFrame) throws(StreamError) -> VideoFrame {
        if Self.isScaled(frame, to: size) { return frame }
        let frame = try readable(frame)
        let source = try frame.pixelBuffer
        let isTurned = frame.attributes.rotation.isQuarterTurn
        let target = isTurned ? VideoSize(width: size.height, height: size.width) : size
        let (x, y) = axes(frame, source, target)
        var result = frame
        result.attributes.crop = nil
        result.attributes.pixelAspectRatio = Rational(1)
        let key = Key(format: source.format, size: source.size, x: x, y: y, chromaLocation: frame.chromaLocation)
        let plan = plan(key)
        let space = frame.colorSpace
        let buffer = try pool.makeBuffer(format: source.format, size: target) { planes in
            let layout = planes.format.layout
            if plan.clears {
                for plane in 0..<planes.count { planes.withPlane(plane) { $0.update(repeating: 0) } }
            }
            for index in 0..<4 {
                guard let component = layout.components[index] else { continue }
                let isChroma = layout.model == .yCbCr && (index == 1 || index == 2)
                let scaling = isChroma ? plan.chroma : plan.luma
                scaling.scale(
                    source, to: planes, component: index, black: Self.black(space, index, component, isChroma))
            }
        }
        result.image = .planes(buffer)
        // Colours that were inferred from the old size become tags, so that they are not inferred from the new one.
        result.attributes.colorTags = ColorTags(
            space, chromaLocation: source.format.layout.isSubsampled ? frame.chromaLocation : nil)
        return result
    }

    /// A frame with samples that are whole numbers, a fixed step apart.
    private func readable(_ frame: VideoFrame) throws(StreamError) -> VideoFrame {
        guard let layout = frame.image.format?.layout, layout.isFloat || layout.packing != .regular else {
            return frame
        }
        let format: PixelFormat = layout.model == .yCbCr ? .i420 : .rgba32
        if converter?.format != format { converter = try FormatConverter(to: format) }
        return try converter?.convert(frame) ?? frame
    }

    private func plan(_ key: Key) -> Plan {
        if let plan, plan.key == key { return plan }
        let layout = key.format.layout
        let made = Plan(
            key: key, clears: !key.format.isMadeOfBytes, luma: PlaneScaling(key.x, key.y, shift: (0, 0), place: .zero),
            chroma: PlaneScaling(
                key.x, key.y, shift: (layout.horizontalShift, layout.verticalShift), place: key.chromaLocation.place))
        plan = made
        return made
    }

    private static func black(
        _ space: ColorSpace, _ index: Int, _ component: ComponentDescription, _ isChroma: Bool
    ) -> Int {
        if index == 3 { return 1 << component.depth - 1 }
        let unit = 1 << max(0, component.depth - 8)
        if isChroma, space.matrix != .rgb { return 128 * unit }
        return space.range == .full || component.depth < 8 ? 0 : 16 * unit
    }

    // MARK: Geometry

    /// How columns and rows are scaled, in the directions of the frame in memory.
    private func axes(_ frame: VideoFrame, _ source: PixelBuffer, _ target: VideoSize) -> (x: ScaledAxis, y: ScaledAxis)
    {
        let part = frame.visibleRectangle
        let layout = source.format.layout
        let shown = (x: Double(part.width) * frame.attributes.pixelAspectRatio.value, y: Double(part.height))
        let factors = (x: Double(target.width) / shown.x, y: Double(target.height) / shown.y)
        let factor = mode == .fill ? max(factors.x, factors.y) : min(factors.x, factors.y)
        func axis(
            _ target: Int, _ first: Int, _ length: Int, _ source: Int, _ own: Double, _ shift: Int
        ) -> ScaledAxis {
            // The part of the target that has the picture, in whole samples of chroma.
            let block = 1 << shift
            var count = target
            if mode == .fit {
                let wanted = Int((Double(target) * factor / own).rounded())
                if wanted < target { count = min(target, max(block, (wanted + block / 2) / block * block)) }
            }
            let begin = (target - count) / 2 / block * block
            // The part of the source that is shown.
            let used = mode == .fill ? Double(length) * own / factor : Double(length)
            return ScaledAxis(
                target: target, part: begin..<begin + count, source: source, visible: first...first + length - 1,
                origin: Double(first) + (Double(length) - used) / 2, step: used / Double(count))
        }
        return (
            axis(target.width, part.x, part.width, source.size.width, factors.x, layout.horizontalShift),
            axis(target.height, part.y, part.height, source.size.height, factors.y, layout.verticalShift)
        )
    }
}
