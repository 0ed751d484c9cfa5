import CVitrailGStreamer
public import MediaIO

/// Hands pictures to a GStreamer pipeline at a constant rate: a wall for elements that encode, show or send it.
///
///     let sender = PipelineSender(to: "x264enc tune=zerolatency ! rtph264pay ! udpsink host=10.0.0.7", size: size, frameRate: 25)
///     while isRunning {
///         try renderer.render(wall, into: target)
///         try sender.send(try target.readI420(colorSpace: sender.colorSpace, pool: pool))
///     }
///     sender.end()
///
/// If the description has an `appsrc`, that gets the pictures; otherwise one is added at its beginning, before a
/// `videoconvert`, which does nothing where the next element takes I420. Pictures are not copied, except for elements that do
/// not take rows with any number of bytes (`GstVideoMeta`), and the first ones. A pipeline that is slow
/// delays nobody: when ``longestQueue`` pictures wait, further ones are left out and counted. One that fails or ends is made
/// again after 1, 2, 4, 8, 10, 10 … seconds.
///
/// A pipeline does what its elements do: it reads and writes files and uses the network. Run none from a stranger.
///
/// **Thread:** one at a time. **Cost:** every frame; allocates what GStreamer allocates.
public final class PipelineSender: PictureSender {
    /// The most pictures that wait for the pipeline.
    public static let longestQueue = 8

    /// The colour space that pictures must have: BT.709 in limited range.
    public let colorSpace = ColorSpace(matrix: .bt709, range: .limited, primaries: .bt709, transfer: .bt709)
    /// How the pipeline is.
    public private(set) var condition = SenderCondition.connecting {
        didSet { if condition != oldValue { onChange(condition) } }
    }
    /// How many pictures were handed over, and left out.
    public private(set) var counts = SenderCounts()

    private let description: String
    private let size: VideoSize
    private let frameRate: Rational
    private let onChange: (SenderCondition) -> Void
    private var retries: SenderRetries
    private var pipeline: Pipeline?
    private var begin = MonotonicTime.now
    /// The number of the pipeline's first picture.
    private var firstNumber: Int64 = 0
    private var nextNumber: Int64 = 0

    /// Describes a sender; the pipeline is made with the first picture.
    ///
    /// - Parameters:
    ///   - description: in the notation of `gst-launch-1.0`.
    ///   - size: the size of the pictures.
    ///   - frameRate: the pictures per second.
    ///   - retries: the waits after a failure.
    ///   - onChange: called when the condition changes, by ``send(_:at:)``.
    public init(
        to description: String, size: VideoSize, frameRate: Rational, retries: RetrySchedule = RetrySchedule(),
        onChange: @escaping (SenderCondition) -> Void = { _ in }
    ) {
        (self.description, self.size, self.frameRate) = (description, size, frameRate)
        (self.retries, self.onChange) = (SenderRetries(retries), onChange)
    }

    deinit { end(within: .zero) }

    /// Hands a picture over; does not wait.
    ///
    /// - Parameters:
    ///   - picture: a picture in I420, of the size that the sender was made with.
    ///   - number: its number at the frame rate, from 0 and greater than that of the picture before it; `nil` for one
    ///     more.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size.
    public func send(_ picture: PixelBuffer, at number: Int64? = nil) throws(StreamError) {
        guard picture.format == .i420, picture.size == size else {
            throw StreamError(
                .unsupported,
                "The pipeline takes pictures in i420 of \(size), not \(picture.format) of \(picture.size).")
        }
        let number = number ?? nextNumber
        nextNumber = number + 1
        if let failure = pipeline?.failure { lose(failure) }
        if pipeline == nil { connect(number) }
        guard let pipeline, gst_app_src_get_current_level_buffers(source(pipeline)) < Self.longestQueue,
            let buffer = pipeline.takesStrides ? Self.wrap(picture) : Self.copy(picture)
        else {
            counts.omitted += 1
            return
        }
        buffer.pointee.pts = nanoseconds(number - firstNumber)
        buffer.pointee.duration = nanoseconds(1)
        guard gst_app_src_push_buffer(source(pipeline), buffer) == GST_FLOW_OK else {
            counts.omitted += 1
            return lose(
                pipeline.failure ?? StreamError(.writeFailed, "\(pipeline.name) has ended: it is started again."))
        }
        counts.sent += 1
        condition = .sending
    }

    package func finish() { end() }

    /// Lets the pipeline finish what it has got, and ends it; nothing may be sent afterwards.
    ///
    /// - Parameter time: how long that may take.
    public func end(within time: Duration = .seconds(5)) {
        guard let pipeline else { return }
        self.pipeline = nil
        gst_app_src_end_of_stream(source(pipeline))
        if time > .zero { pipeline.waitForEnd(time) }
    }

    private func source(_ pipeline: Pipeline) -> UnsafeMutablePointer<GstAppSrc> {
        vitrail_gst_app_source(pipeline.end)
    }

    private func nanoseconds(_ count: Int64) -> UInt {
        let time = frameRate.time(ofFrame: Int(count))
        return UInt(max(0, time.wholeNanoseconds))
    }

    private func connect(_ number: Int64) {
        if case .failed = condition { return }
        guard retries.isDue else { return }
        begin = .now
        do throws(StreamError) {
            let pipeline = try Pipeline(description, .source, conversion: "videoconvert")
            let caps =
                "video/x-raw, format=(string)I420, width=(int)\(size.width), height=(int)\(size.height), "
                + "framerate=(fraction)\(frameRate.numerator)/\(frameRate.denominator), "
                + "pixel-aspect-ratio=(fraction)1/1, colorimetry=(string)bt709, chroma-site=(string)jpeg, "
                + "interlace-mode=(string)progressive"
            for (property, value) in [
                ("caps", caps), ("format", "time"), ("is-live", "true"), ("block", "false"), ("max-bytes", "0"),
            ] { vitrail_gst_set(pipeline.end, property, value) }
            try pipeline.play()
            (self.pipeline, firstNumber) = (pipeline, number)
            counts.connections += 1
        } catch {
            lose(error)
        }
    }

    private func lose(_ error: StreamError) {
        pipeline = nil
        condition = retries.lose(error, after: .now - begin)
    }

    private static func copy(_ picture: PixelBuffer) -> UnsafeMutablePointer<GstBuffer>? {
        let planes = (0..<3).map { picture.withPlane($0) { $0 } }
        let strides = planes.map { Int32($0.bytesPerRow) }
        return withExtendedLifetime(picture) {
            vitrail_gst_copy_i420(
                UInt32(picture.size.width), UInt32(picture.size.height), planes[0].bytes.baseAddress,
                planes[1].bytes.baseAddress, planes[2].bytes.baseAddress, strides)
        }
    }

    /// A picture in a buffer of GStreamer, without a copy; `nil` if there is no memory.
    private static func wrap(_ picture: PixelBuffer) -> UnsafeMutablePointer<GstBuffer>? {
        guard let buffer = gst_buffer_new() else { return nil }
        var (offsets, strides): ([Int], [Int32]) = ([], [])
        var offset = 0
        for index in 0..<picture.planeCount {
            let plane = picture.withPlane(index) { $0 }
            let release: GDestroyNotify = { owner in
                guard let owner else { return }
                let picture = Unmanaged<PixelBuffer>.fromOpaque(owner)
                // The pipeline has read it until now.
                picture.takeUnretainedValue().withPlane(0) { _ in }
                picture.release()
            }
            let memory = gst_memory_new_wrapped(
                GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: plane.bytes.baseAddress),
                gsize(plane.bytes.count), 0, gsize(plane.bytes.count), Unmanaged.passRetained(picture).toOpaque(),
                release)
            gst_buffer_append_memory(buffer, memory)
            offsets.append(offset)
            strides.append(Int32(plane.bytesPerRow))
            offset += plane.bytes.count
        }
        vitrail_gst_describe_i420(
            buffer, UInt32(picture.size.width), UInt32(picture.size.height), &offsets, &strides)
        return buffer
    }
}
