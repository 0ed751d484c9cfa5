import CVitrailGStreamer
import MediaIO

/// GStreamer itself, which is made ready once in a process.
enum GStreamer {
    private static let failure: StreamError? = {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) == 0 else { return nil }
        return StreamError(
            .unsupported, "GStreamer cannot be used: \(take(&error)): check its installation with gst-inspect-1.0.")
    }()

    /// Makes GStreamer ready; the first time, it may look through its plugins, which takes a second.
    ///
    /// - Throws: ``StreamError/Code/unsupported``.
    static func initialize() throws(StreamError) {
        if let failure { throw failure }
    }

    /// The text of an error, which is freed.
    static func take(_ error: inout UnsafeMutablePointer<GError>?) -> String {
        defer { g_clear_error(&error) }
        guard let text = error?.pointee.message.map({ String(cString: $0) }) else { return "an unknown error" }
        // A full stop in the middle of a sentence would end it.
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
