internal import CVitrailGLFW
internal import Glibc
internal import MediaIO

/// Refreshes as a Wayland compositor reports them, by frame callbacks: when it has taken the windows' pictures for one.
final class WaylandRefreshEvents: RefreshEvents {
    private typealias GetSurface = @convention(c) (OpaquePointer) -> OpaquePointer?
    private typealias GetVersion = @convention(c) (OpaquePointer) -> UInt32
    /// The object, the request's number, the new object's interface and version, flags, arguments.
    private typealias Marshal =
        @convention(c) (OpaquePointer, UInt32, UnsafeRawPointer?, UInt32, UInt32, UnsafeMutablePointer<UInt>) ->
        OpaquePointer?
    private typealias AddListener =
        @convention(c) (OpaquePointer, UnsafeMutablePointer<Done>, UnsafeMutableRawPointer) -> Int32
    private typealias Destroy = @convention(c) (OpaquePointer) -> Void
    private typealias Done = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UInt32) -> Void

    private let surface: OpaquePointer
    private let callbackInterface: UnsafeRawPointer
    private let version: UInt32
    private let marshal: Marshal
    private let addListener: AddListener
    private let destroy: Destroy
    /// The table of the callback's events, which libwayland does not copy.
    private let listener: UnsafeMutablePointer<Done>
    /// The callbacks that were not called yet: a window that is not seen gets none.
    private var pending: [OpaquePointer] = []
    private var reported: MonotonicTime?
    /// The compositor's clock: its last reading in milliseconds, and the earliest estimate of when it was zero.
    private var compositor: (last: UInt32, zero: MonotonicTime)?

    /// `nil` if libwayland is too old.
    init?(of window: OpaquePointer) {
        let library = "libwayland-client.so.0"
        guard let surface = symbol("glfwGetWaylandWindow", as: GetSurface.self)?(window),
            let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD),
            let callbackInterface = dlsym(handle, "wl_callback_interface"),
            let getVersion = symbol("wl_proxy_get_version", in: library, as: GetVersion.self),
            let marshal = symbol("wl_proxy_marshal_array_flags", in: library, as: Marshal.self),
            let addListener = symbol("wl_proxy_add_listener", in: library, as: AddListener.self),
            let destroy = symbol("wl_proxy_destroy", in: library, as: Destroy.self)
        else { return nil }
        self.surface = surface
        self.callbackInterface = UnsafeRawPointer(callbackInterface)
        version = getVersion(surface)
        (self.marshal, self.addListener, self.destroy) = (marshal, addListener, destroy)
        listener = .allocate(capacity: 1)
        listener.initialize(to: Self.done)
    }

    deinit {
        for callback in pending { destroy(callback) }
        listener.deallocate()
    }

    func request() {
        guard pending.count < 4 else { return }
        // wl_surface.frame is request 3; its argument is the new object, which libwayland fills in.
        var argument: UInt = 0
        guard let callback = marshal(surface, 3, callbackInterface, version, 0, &argument) else { return }
        pending.append(callback)
        _ = addListener(callback, listener, Unmanaged.passUnretained(self).toOpaque())
    }

    func take() -> MonotonicTime? {
        defer { reported = nil }
        return reported
    }

    /// Called by GLFW while it takes events.
    private static let done: Done = { data, callback, time in
        guard let data, let callback else { return }
        Unmanaged<WaylandRefreshEvents>.fromOpaque(data).takeUnretainedValue().note(callback, at: time)
    }

    private func note(_ callback: OpaquePointer, at milliseconds: UInt32) {
        pending.removeAll { $0 == callback }
        destroy(callback)
        // Events arrive late while the program is busy, so the earliest estimate is the best one. The compositor's
        // milliseconds start over after 49 days.
        let time = Duration.milliseconds(milliseconds)
        let zero = MonotonicTime.now - time
        let known = compositor.flatMap { $0.last <= milliseconds ? $0.zero : nil }
        let earliest = known.map { min($0, zero) } ?? zero
        compositor = (milliseconds, earliest)
        reported = earliest + time
    }
}
