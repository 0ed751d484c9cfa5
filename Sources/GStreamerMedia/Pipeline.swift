import CVitrailGStreamer
import MediaIO
import VitrailSupport

/// A pipeline of GStreamer, with one element where frames leave or enter it.
///
/// **Thread:** one at a time.
final class Pipeline {
    /// Where frames leave or enter a pipeline.
    enum End {
        /// An `appsink`, which is added at the end if the description has none.
        case sink
        /// An `appsrc`, which is added at the beginning if the description has none.
        case source
    }

    /// The element where frames leave or enter it.
    let end: UnsafeMutablePointer<GstElement>
    /// Its description without secrets, for errors and people.
    let name: String
    private let kind: End
    private let element: UnsafeMutablePointer<GstElement>
    private let bus: UnsafeMutablePointer<GstBus>
    private let secrets: [Substring]
    /// What `vitrail_gst_learn_strides` has found out.
    private let strides: UnsafeMutablePointer<Int32>

    /// Makes a pipeline; it does not run yet.
    ///
    /// - Parameters:
    ///   - description: in the notation of `gst-launch-1.0`.
    ///   - kind: where frames leave or enter it.
    ///   - conversion: what is put between the description and an element that is added.
    /// - Throws: ``StreamError/Code/unsupported`` for a description that cannot be read, for an element that is not
    ///   installed, and without GStreamer.
    init(_ description: String, _ kind: End, conversion: String) throws(StreamError) {
        try GStreamer.initialize()
        name = Secrets.hidden(in: "gst:\(description)")
        secrets = Secrets.all(in: "gst:\(description)")
        let isWhole = Self.words(description).contains(kind == .sink ? "appsink" : "appsrc")
        let text =
            switch kind {
            case _ where isWhole: description
            case .sink: "\(description) ! \(conversion) ! appsink"
            case .source: "appsrc ! \(conversion) ! \(description)"
            }
        var error: UnsafeMutablePointer<GError>?
        guard let parsed = gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, &error), error == nil else {
            throw Self.mistake(name, Self.hide(secrets, GStreamer.take(&error)))
        }
        gst_object_ref_sink(parsed)
        guard vitrail_gst_is_pipeline(parsed) != 0,
            let end = kind == .sink
                ? vitrail_gst_find_sink(vitrail_gst_bin(parsed)) : vitrail_gst_find_source(vitrail_gst_bin(parsed))
        else {
            vitrail_gst_unref(parsed)
            throw Self.mistake(name, "it is no chain of elements")
        }
        guard let bus = vitrail_gst_bus(parsed) else {
            vitrail_gst_unref(end)
            vitrail_gst_unref(parsed)
            throw StreamError(.noMemory, "There is not enough memory for \(name).")
        }
        (element, self.end, self.bus, self.kind) = (parsed, end, bus, kind)
        strides = .allocate(capacity: 1)
        strides.initialize(to: 0)
        if kind == .source { vitrail_gst_learn_strides(end, strides) }
    }

    deinit {
        gst_element_set_state(element, GST_STATE_NULL)
        vitrail_gst_unref(bus)
        vitrail_gst_unref(end)
        vitrail_gst_unref(element)
        strides.deallocate()
    }

    private static func words(_ text: String) -> [Substring] {
        text.split { $0.isWhitespace || $0 == "!" }
    }

    private static func mistake(_ name: String, _ cause: String) -> StreamError {
        StreamError(.unsupported, "\(name) is not understood: \(cause): try it with gst-launch-1.0.")
    }

    private static func hide(_ secrets: [Substring], _ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "***") }
    }

    /// Runs the pipeline from now on.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if an element refuses.
    func play() throws(StreamError) {
        guard gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE else {
            throw failure ?? StreamError(.cannotOpen, "\(name) cannot be started: try it with gst-launch-1.0.")
        }
    }

    /// Whether what follows its `appsrc` takes rows with any number of bytes, as far as it is known.
    var takesStrides: Bool { vitrail_gst_answer(strides) == 1 }

    /// Hands over its `appsrc`, if it has one.
    func withSource(_ body: (UnsafeMutablePointer<GstAppSrc>) -> Void) {
        guard let source = vitrail_gst_find_source(vitrail_gst_bin(element)) else { return }
        body(vitrail_gst_app_source(source))
        vitrail_gst_unref(source)
    }

    /// Whether its frames come when they are made, and not when they are asked for; known once it runs.
    var isLive: Bool { vitrail_gst_is_live(end) != 0 }

    /// How long what it plays is; `nil` if it is endless or unknown.
    var duration: Duration? {
        var length: gint64 = 0
        guard gst_element_query_duration(element, GST_FORMAT_TIME, &length) != 0, length > 0 else { return nil }
        return .nanoseconds(length)
    }

    /// Goes back to the beginning.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` if it cannot.
    func rewind() throws(StreamError) {
        guard vitrail_gst_rewind(element) != 0 else {
            throw StreamError(.unsupported, "\(name) cannot go back to its beginning.")
        }
    }

    /// Waits until all elements have finished, or one has failed.
    func waitForEnd(_ time: Duration) { vitrail_gst_wait_for_end(bus, UInt(max(0, time.wholeNanoseconds))) }

    /// The error of an element since the last call, or that what takes pictures has ended; `nil` if there was none.
    var failure: StreamError? {
        guard let message = vitrail_gst_take_end(bus) else { return nil }
        defer { vitrail_gst_message_unref(message) }
        guard vitrail_gst_is_error(message) != 0 else {
            // That of frames is told by its `appsink`, after the last one.
            return kind == .sink ? nil : StreamError(.writeFailed, "\(name) has ended: it is started again.")
        }
        var error: UnsafeMutablePointer<GError>?
        var details: UnsafeMutablePointer<CChar>?
        gst_message_parse_error(message, &error, &details)
        defer { g_free(details) }
        var text = GStreamer.take(&error)
        // The place in GStreamer's source, and after it what has happened, if there is more to say.
        let lines = details.map { String(cString: $0).split(separator: "\n") } ?? []
        if lines.count > 1, let last = lines.last { text += " (\(last))" }
        return StreamError(
            .readFailed, "\(name) has failed: \(Self.hide(secrets, text)): try it with gst-launch-1.0.")
    }
}
