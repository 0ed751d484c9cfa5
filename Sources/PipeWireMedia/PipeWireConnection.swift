import CVitrailPipeWire
import Glibc
import MediaIO

/// A connection to PipeWire: its nodes, and the loop in which everything happens that is told of.
///
/// **Thread:** the one that made it.
final class PipeWireConnection {
    /// What streams are made of.
    let core: OpaquePointer
    private(set) var nodes: [PipeWireNode] = []
    private let name: String
    private let loop: UnsafeMutablePointer<pw_loop>
    /// Who has entered the loop.
    private let thread = pthread_self()
    private let context: OpaquePointer
    private let registry: OpaquePointer
    private let coreListener: PipeWireListener<pw_core_events>
    private let registryListener: PipeWireListener<pw_registry_events>
    /// The answered question to the server.
    private var answered: Int32 = -1
    private var failure: StreamError?
    /// Ends a wait; kept, as the loop holds it.
    private var wake: WakePipe?

    /// Makes PipeWire's library ready, once in a process.
    private static let ready: Void = {
        pw_init(nil, nil)
        // What it would print is in the errors.
        if getenv("PIPEWIRE_DEBUG") == nil { pw_log_set_level(SPA_LOG_LEVEL_NONE) }
    }()

    /// Connects.
    ///
    /// - Parameters:
    ///   - name: what is read or shown, for errors.
    ///   - descriptor: a connection that a portal has opened; `nil` for one of its own.
    ///   - socket: the path of the socket; `nil` for that of the session.
    /// - Throws: ``StreamError/Code/unsupported`` without PipeWire's modules; ``StreamError/Code/cannotOpen`` if PipeWire
    ///   does not run.
    init(_ name: String, descriptor: Int32? = nil, socket: String? = nil) throws(StreamError) {
        self.name = name
        Self.ready
        guard let loop = pw_loop_new(nil) else {
            throw StreamError(.cannotOpen, "\(name) cannot be opened: too many files are open.")
        }
        guard let context = pw_context_new(loop, nil, 0) else {
            let number = errno
            pw_loop_destroy(loop)
            if number == EMFILE || number == ENFILE {
                throw StreamError(.cannotOpen, "\(name) cannot be opened: too many files are open.")
            }
            throw StreamError(.unsupported, "\(name) needs PipeWire: install the package pipewire.")
        }
        let properties = pw_properties_new_string("")
        if let socket { pw_properties_set(properties, PW_KEY_REMOTE_NAME, socket) }
        let core =
            if let descriptor {
                // The connection closes its own.
                pw_context_connect_fd(context, fcntl(descriptor, F_DUPFD_CLOEXEC, 3), properties, 0)
            } else {
                pw_context_connect(context, properties, 0)
            }
        guard let core, let registry = vitrail_pw_registry(core) else {
            if let core { pw_core_disconnect(core) }
            pw_context_destroy(context)
            pw_loop_destroy(loop)
            throw StreamError(
                .cannotOpen,
                "\(name) needs PipeWire, which does not run for this user (systemctl --user start pipewire).")
        }
        (self.loop, self.context, self.core, self.registry) = (loop, context, core, registry)
        var events = pw_core_events()
        events.done = { data, _, sequence in PipeWireConnection.of(data)?.answered = sequence }
        events.error = { data, id, _, result, _ in
            if id == PW_ID_CORE, result == -EPIPE { PipeWireConnection.of(data)?.end() }
        }
        coreListener = PipeWireListener(events)
        var changes = pw_registry_events()
        changes.global = { data, id, _, type, _, properties in
            guard let type, let properties, strcmp(type, vitrail_pw_type_node) == 0 else { return }
            if let node = PipeWireNode(id, properties) { PipeWireConnection.of(data)?.nodes.append(node) }
        }
        changes.global_remove = { data, id in PipeWireConnection.of(data)?.nodes.removeAll { $0.id == id } }
        registryListener = PipeWireListener(changes)
        // They are called only while this object waits.
        let own = Unmanaged.passUnretained(self).toOpaque()
        // Whatever happens is then told of on this thread: without it, PipeWire's own thread would do so.
        vitrail_pw_enter(loop)
        vitrail_pw_core_listen(core, coreListener.hook, coreListener.events, own)
        vitrail_pw_registry_listen(registry, registryListener.hook, registryListener.events, own)
    }

    deinit {
        coreListener.remove()
        registryListener.remove()
        vitrail_pw_proxy_destroy(UnsafeMutableRawPointer(registry))
        pw_core_disconnect(core)
        pw_context_destroy(context)
        if pthread_equal(thread, pthread_self()) != 0 { vitrail_pw_leave(loop) }
        pw_loop_destroy(loop)
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> PipeWireConnection? {
        data.map { Unmanaged<PipeWireConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func end() { failure = StreamError(.readFailed, "\(name) is gone: PipeWire has ended.") }

    /// The nodes that programs are to show, by name.
    var sources: [PipeWireNode] { nodes.filter(\.isSource).sorted { $0.name < $1.name } }

    /// Waits until everything that the server knows now has arrived.
    ///
    /// - Parameter cancellation: ends the wait, together with a pipe that is watched (``watch(_:)``).
    /// - Throws: ``StreamError/Code/cannotOpen`` if the server does not answer; ``StreamError/Code/readFailed`` if it is
    ///   cancelled.
    func update(_ cancellation: ReadCancellation? = nil) throws(StreamError) {
        let question = vitrail_pw_core_sync(core)
        let end = MonotonicTime.now + .seconds(5)
        while answered != question {
            try wait(until: end)
            guard cancellation?.isCancelled != true else {
                throw StreamError(.readFailed, "Opening \(name) was cancelled.")
            }
            guard .now < end else {
                throw StreamError(.cannotOpen, "\(name) cannot be opened: PipeWire does not answer.")
            }
        }
    }

    /// Waits until something has happened, which may be nothing of interest.
    ///
    /// - Parameter end: when the wait ends without that; `nil` for never.
    /// - Throws: ``StreamError/Code/readFailed`` if the server has ended.
    func wait(until end: MonotonicTime?) throws(StreamError) {
        let rest = end.map { Int32(clamping: Int((max($0 - .now, .zero) / .milliseconds(1)).rounded(.up))) } ?? -1
        vitrail_pw_iterate(loop, rest)
        if let failure { throw failure }
    }

    /// Makes a pipe end a wait.
    func watch(_ pipe: WakePipe) {
        wake = pipe
        vitrail_pw_watch(
            loop, pipe.descriptor,
            { data, _, _ in
                if let data { Unmanaged<WakePipe>.fromOpaque(data).takeUnretainedValue().clear() }
            }, Unmanaged.passUnretained(pipe).toOpaque())
    }
}
