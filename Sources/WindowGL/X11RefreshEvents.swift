internal import CVitrailGLFW
internal import Glibc
internal import MediaIO

/// Refreshes as the X server reports them, by its Present extension.
///
/// The events come over a connection of its own, because GLFW takes those of its connection.
final class X11RefreshEvents: RefreshEvents {
    private typealias Connect = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
    private typealias Disconnect = @convention(c) (OpaquePointer) -> Void
    private typealias GetExtension =
        @convention(c) (OpaquePointer, UnsafeRawPointer) -> UnsafePointer<UInt8>?
    private typealias MakeID = @convention(c) (OpaquePointer) -> UInt32
    private typealias Flush = @convention(c) (OpaquePointer) -> Int32
    private typealias PollEvent = @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?
    private typealias SelectInput = @convention(c) (OpaquePointer, UInt32, UInt32, UInt32) -> UInt32
    private typealias NotifyCount =
        @convention(c) (OpaquePointer, UInt32, UInt32, UInt64, UInt64, UInt64) -> UInt32
    private typealias GetWindow = @convention(c) (OpaquePointer) -> UInt

    private let connection: OpaquePointer
    private let window: UInt32
    private let disconnect: Disconnect
    private let flush: Flush
    private let pollEvent: PollEvent
    private let notify: NotifyCount
    private var isPending = false

    /// `nil` if the X server does not report them.
    init?(of window: OpaquePointer) {
        let (base, library) = ("libxcb.so.1", "libxcb-present.so.0")
        // Mesa's drivers load it, others may not.
        guard let handle = dlopen(library, RTLD_LAZY), let extensionID = dlsym(handle, "xcb_present_id"),
            let getWindow = symbol("glfwGetX11Window", as: GetWindow.self),
            let connect = symbol("xcb_connect", in: base, as: Connect.self),
            let disconnect = symbol("xcb_disconnect", in: base, as: Disconnect.self),
            let getExtension = symbol("xcb_get_extension_data", in: base, as: GetExtension.self),
            let makeID = symbol("xcb_generate_id", in: base, as: MakeID.self),
            let flush = symbol("xcb_flush", in: base, as: Flush.self),
            let pollEvent = symbol("xcb_poll_for_event", in: base, as: PollEvent.self),
            let select = symbol("xcb_present_select_input", in: library, as: SelectInput.self),
            let notify = symbol("xcb_present_notify_msc", in: library, as: NotifyCount.self),
            // A connection that failed has no extensions.
            let connection = connect(nil, nil)
        else { return nil }
        self.connection = connection
        self.window = UInt32(truncatingIfNeeded: getWindow(window))
        (self.disconnect, self.flush, self.pollEvent, self.notify) = (disconnect, flush, pollEvent, notify)
        // xcb_query_extension_reply_t: whether it is there is byte 8.
        guard let reply = getExtension(connection, extensionID), reply[8] != 0 else { return nil }
        // XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY
        _ = select(connection, makeID(connection), self.window, 2)
    }

    deinit { disconnect(connection) }

    func request() {
        guard !isPending else { return }
        isPending = true
        // Target 0, divisor 1, remainder 0: simply the next refresh.
        _ = notify(connection, window, 0, 0, 1, 0)
        _ = flush(connection)
    }

    func take() -> MonotonicTime? {
        while let event = pollEvent(connection) {
            defer { free(event) }
            // XCB_GE_GENERIC with XCB_PRESENT_COMPLETE_NOTIFY (its other events are not selected): at byte 24 the time,
            // in microseconds of the monotonic clock. Everything else is an error, such as a window that is gone.
            guard event.load(as: UInt8.self) & 0x7F == 35 else { continue }
            isPending = false
            return MonotonicTime(sinceBoot: .microseconds(event.loadUnaligned(fromByteOffset: 24, as: UInt64.self)))
        }
        return nil
    }
}
