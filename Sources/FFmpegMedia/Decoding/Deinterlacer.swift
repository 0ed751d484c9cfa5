import CVitrailFFmpeg
import MediaIO

/// Which pictures are deinterlaced.
public enum Deinterlacing: String, CaseIterable, Hashable, Sendable {
    /// From the first picture on that is marked as interlaced, those that are.
    case auto
    /// All, whatever the stream says.
    case on
    /// None: both fields of a picture are shown at once.
    case off
}

/// Makes two pictures of each interlaced one, one for each field, with FFmpeg's filter `bwdif`.
///
/// The filter looks at the picture after the one that it makes, so that pictures come one later once there was an
/// interlaced one. Progressive pictures between interlaced ones are passed through.
///
/// **Thread:** one at a time. **Cost:** every interlaced picture: about as much as decoding it.
struct Deinterlacer: ~Copyable {
    private struct Shape: Equatable {
        var format: Int32
        var width: Int32
        var height: Int32

        init(_ frame: UnsafePointer<AVFrame>) {
            (format, width, height) = (frame.pointee.format, frame.pointee.width, frame.pointee.height)
        }
    }

    private let mode: Deinterlacing
    private let threadCount: Int?
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var shape: Shape?

    /// - Parameters:
    ///   - mode: which pictures are deinterlaced.
    ///   - threadCount: the number of threads that work; `nil` for as many as decode.
    init(_ mode: Deinterlacing, threadCount: Int?) {
        (self.mode, self.threadCount) = (mode, threadCount)
    }

    deinit {
        var graph = graph
        avfilter_graph_free(&graph)
    }

    /// Whether pictures may wait in it.
    var isActive: Bool { graph != nil }

    /// Whether a picture must go through it.
    func takes(_ frame: UnsafePointer<AVFrame>) -> Bool {
        switch mode {
        case .off: false
        case .on: true
        case .auto: isActive || vitrail_frame_is_interlaced(frame) != 0
        }
    }

    /// Whether a picture has the same format and size as those that wait, if any.
    func continues(with frame: UnsafePointer<AVFrame>) -> Bool { !isActive || shape == Shape(frame) }

    /// Puts a picture in.
    ///
    /// - Returns: false if it cannot be deinterlaced, because of its format or size, or for lack of memory.
    mutating func push(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        if !isActive {
            // What could not be done for one picture cannot be done for the next.
            guard shape != Shape(frame) else { return false }
            shape = Shape(frame)
            guard open(frame) else {
                close()
                return false
            }
        }
        frame.pointee.pts = frame.pointee.best_effort_timestamp
        return av_buffersrc_add_frame_flags(source, frame, vitrail_keep_reference) >= 0
    }

    /// Takes a picture out.
    ///
    /// - Returns: whether there was one.
    func pull(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard isActive, av_buffersink_get_frame(sink, frame) >= 0 else { return false }
        // The unit of times is half of what it was.
        let time = frame.pointee.pts
        frame.pointee.best_effort_timestamp = time == vitrail_no_timestamp ? time : time / 2
        return true
    }

    /// Says that there are no more pictures, so that all can be pulled.
    func finish() { if isActive { _ = av_buffersrc_add_frame_flags(source, nil, 0) } }

    /// Forgets all pictures.
    mutating func reset() {
        close()
        shape = nil
    }

    private mutating func close() {
        avfilter_graph_free(&graph)
        (graph, source, sink) = (nil, nil, nil)
    }

    /// Makes the filters for pictures like this one; false if FFmpeg has none for them.
    private mutating func open(_ frame: UnsafePointer<AVFrame>) -> Bool {
        graph = avfilter_graph_alloc()
        guard let graph else { return false }
        let size = VideoSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
        graph.pointee.nb_threads = Int32(threadCount ?? DecoderContext.sensibleThreadCount(size))
        // A format that the filter does not take would be converted.
        avfilter_graph_set_auto_convert(graph, vitrail_no_conversion)
        let ratio = frame.pointee.sample_aspect_ratio
        let shape =
            "video_size=\(size.width)x\(size.height):pix_fmt=\(frame.pointee.format):time_base=1/1000000000"
            + ":pixel_aspect=\(max(ratio.num, 0))/\(max(ratio.den, 1))"
        let choice = mode == .on ? "all" : "interlaced"
        var filter: UnsafeMutablePointer<AVFilterContext>?
        func make(_ name: String, _ options: String?, _ made: inout UnsafeMutablePointer<AVFilterContext>?) -> Bool {
            avfilter_graph_create_filter(&made, avfilter_get_by_name(name), name, options, nil, graph) >= 0
        }
        return make("buffer", shape, &source) && make("bwdif", "mode=send_field:deint=\(choice)", &filter)
            && make("buffersink", nil, &sink) && avfilter_link(source, 0, filter, 0) >= 0
            && avfilter_link(filter, 0, sink, 0) >= 0 && avfilter_graph_config(graph, nil) >= 0
    }
}
