import CVitrailGStreamer
public import MediaIO

/// Reads the frames of a GStreamer pipeline, such as `v4l2src device=/dev/video0 ! jpegdec`: whatever has elements can be
/// shown, hardware of many vendors among it.
///
///     let source = LiveSource(name: "lab", cancellation: cancellation) {
///         .frames(try PipelineReader("videotestsrc is-live=true", cancellation: cancellation))
///     }
///
/// * If the description has an `appsink`, that is read; otherwise one is added at its end, after a `videoconvert`, which
///   does nothing to formats that are a ``PixelFormat``.
/// * Frames in memory are lent, and DMA-BUFs are passed on, both without a copy. The pipeline gets the memory back once
///   nobody shows the frame.
/// * Frames of a live pipeline are returned as they arrive; if they are not read in time, the older ones are dropped. Those
///   of another pipeline are made when they are read, at any speed.
///
/// A pipeline does what its elements do: it reads and writes files and uses the network. Run none from a stranger.
///
/// **Thread:** the one that made it; frames may be used on any. **Cost:** each frame allocates what GStreamer allocates, and
/// an object if it is a DMA-BUF.
public final class PipelineReader: FrameReader {
    /// The description of the stream, as of its first frame.
    public private(set) var info: StreamInfo
    /// The frames that were marked as damaged.
    public private(set) var corruptCount = 0

    private let pipeline: Pipeline
    private let cancellation: ReadCancellation
    /// The first frame, which was read to know what the frames are.
    private var first: VideoFrame?
    private var format: PipelineFormat?
    private var lent: [MappedPicture] = []

    /// Runs a pipeline, and waits for its first frame.
    ///
    /// - Parameters:
    ///   - description: in the notation of `gst-launch-1.0`.
    ///   - timeout: how long the first frame may take.
    ///   - cancellation: ends the wait for a frame.
    /// - Throws: ``StreamError/Code/unsupported`` for a description that cannot be read, for an element that is not
    ///   installed, without GStreamer, and for a format that is no ``PixelFormat``; ``StreamError/Code/noVideo`` if the
    ///   pipeline ends before its first frame or that does not come in time; ``StreamError/Code/readFailed`` for what its
    ///   elements report.
    public convenience init(
        _ description: String, timeout: Duration = .seconds(10), cancellation: ReadCancellation = ReadCancellation()
    ) throws(StreamError) {
        try self.init(description, timeout: timeout, cancellation: cancellation, feeding: nil)
    }

    /// Runs a pipeline, and waits for its first frame.
    ///
    /// - Parameters:
    ///   - description: in the notation of `gst-launch-1.0`.
    ///   - timeout: how long the first frame may take.
    ///   - cancellation: ends the wait for a frame.
    ///   - feed: given the pipeline's `appsrc` once it runs.
    /// - Throws: as the other one.
    init(
        _ description: String, timeout: Duration = .seconds(10), cancellation: ReadCancellation = ReadCancellation(),
        feeding feed: ((UnsafeMutablePointer<GstAppSrc>) -> Void)?
    ) throws(StreamError) {
        self.cancellation = cancellation
        pipeline = try Pipeline(description, .sink, conversion: "videoconvert")
        for (property, value) in [("sync", "false"), ("max-buffers", "2"), ("caps", PipelineFormat.allCaps)] {
            vitrail_gst_set(pipeline.end, property, value)
        }
        info = StreamInfo(container: "gst", size: VideoSize(width: 1, height: 1))
        try pipeline.play()
        if let feed { pipeline.withSource(feed) }
        guard let frame = try read(until: .now + timeout) else {
            throw StreamError(.noVideo, "\(pipeline.name) ends before its first picture: try it with gst-launch-1.0.")
        }
        first = frame
        let isLive = pipeline.isLive
        // What is live would wait for its reader otherwise, and be late from then on.
        if isLive { vitrail_gst_set(pipeline.end, "drop", "true") }
        info = StreamInfo(
            container: "gst", format: frame.image.format, size: frame.image.size, frameRate: format?.frameRate,
            isLive: isLive, duration: isLive ? nil : pipeline.duration, attributes: frame.attributes)
    }

    /// Waits for the next frame; `nil` at the end.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` for what an element reports, and if it is cancelled;
    ///   ``StreamError/Code/unsupported`` if the format changes to one that is no ``PixelFormat``.
    public func next() throws(StreamError) -> VideoFrame? {
        if let frame = first {
            first = nil
            return frame
        }
        return try read(until: nil)
    }

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for a pipeline that cannot, such as a live one.
    public func rewind() throws(StreamError) {
        first = nil
        try pipeline.rewind()
    }

    private func read(until end: MonotonicTime?) throws(StreamError) -> VideoFrame? {
        let sink = vitrail_gst_app_sink(pipeline.end)
        while true {
            // Memory that nobody shows any more goes back to the pipeline, also while it waits.
            for picture in lent { picture.reclaim() }
            if let sample = gst_app_sink_try_pull_sample(sink, 50_000_000) {
                defer { vitrail_gst_sample_unref(sample) }
                return try frame(sample)
            }
            guard !cancellation.isCancelled else {
                throw StreamError(.readFailed, "Reading \(pipeline.name) was cancelled.")
            }
            if let failure = pipeline.failure { throw failure }
            if gst_app_sink_is_eos(sink) != 0 { return nil }
            if let end, end <= .now {
                throw StreamError(
                    .noVideo, "\(pipeline.name) delivers no picture: check what it reads, with gst-launch-1.0.")
            }
        }
    }

    private func frame(_ sample: OpaquePointer) throws(StreamError) -> VideoFrame {
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample) else {
            throw StreamError(.malformed, "\(pipeline.name) has delivered a picture without a format.")
        }
        let format = try format(of: caps)
        var frame = VideoFrame(
            try image(buffer, format), attributes: format.attributes, presentationTime: Self.time(sample, buffer))
        frame.attributes.crop = vitrail_gst_crop(buffer).map {
            Rectangle(
                x: Int($0.pointee.x), y: Int($0.pointee.y), width: Int($0.pointee.width),
                height: Int($0.pointee.height))
        }
        if vitrail_gst_is_corrupt(buffer) != 0 {
            frame.attributes.isDamaged = true
            corruptCount += 1
        }
        return frame
    }

    private func format(of caps: UnsafeMutablePointer<GstCaps>) throws(StreamError) -> PipelineFormat {
        if let format, format.isOf(caps) { return format }
        let new = try PipelineFormat(caps, pipeline.name)
        format = new
        return new
    }

    private func image(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ format: PipelineFormat
    ) throws(StreamError) -> FrameImage {
        if vitrail_gst_is_dma_buffer(buffer) != 0, let image = try DMABufferImage(buffer, format) {
            return .dmaBuffer(image)
        }
        if let picture = lent.first(where: { $0.reclaim() }) { return .planes(try picture.lend(buffer, format)) }
        let picture = MappedPicture()
        lent.append(picture)
        return .planes(try picture.lend(buffer, format))
    }

    /// The time from the beginning of what is played.
    private static func time(_ sample: OpaquePointer, _ buffer: UnsafeMutablePointer<GstBuffer>) -> Duration? {
        guard buffer.pointee.pts != vitrail_gst_no_time, let segment = gst_sample_get_segment(sample) else {
            return nil
        }
        let time = gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
        return time == vitrail_gst_no_time ? nil : .nanoseconds(Int64(clamping: time))
    }
}
