import CVitrailPipeWire
import Glibc
import MediaIO

/// What the user of a desktop lends to a program: a screen, a window, or cameras, by the XDG Desktop Portal
/// (`org.freedesktop.portal.ScreenCast` and `Camera`).
///
/// It ends with its connection to the session bus.
///
/// **Thread:** the one that made it.
final class PortalSession {
    private static let service = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"

    /// A connection to PipeWire, which shows only what is lent.
    private(set) var descriptor: Int32 = -1
    /// The node of PipeWire that has the pictures; `nil` for cameras.
    private(set) var node: UInt32?
    private let bus: OpaquePointer
    /// Where signals arrive, which are handled when it is looked at.
    private let context: OpaquePointer
    private let signals = PortalSignals()
    private let name: String
    private var requestCount = 0

    private init(_ name: String, _ bus: OpaquePointer) {
        (self.name, self.bus) = (name, bus)
        context = g_main_context_new()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        g_dbus_connection_close_sync(bus, nil, nil)
        vitrail_g_unref(UnsafeMutableRawPointer(bus))
        g_main_context_unref(context)
    }

    /// Asks the user for a screen or a window.
    ///
    /// - Parameters:
    ///   - name: what is asked for, for errors.
    ///   - cancellation: ends the wait for the user.
    /// - Returns: what is lent.
    /// - Throws: ``StreamError/Code/unsupported`` without a portal; ``StreamError/Code/refused`` if the user refuses.
    static func screen(_ name: String, _ cancellation: ReadCancellation) throws(StreamError) -> PortalSession {
        guard let bus = vitrail_session_bus() else {
            throw StreamError(
                .unsupported, "\(name) needs a desktop, which lends its screens: there is no session bus here.")
        }
        let session = PortalSession(name, bus)
        try session.lendScreen(cancellation)
        return session
    }

    /// Asks the user whether cameras may be used, where the desktop asks that.
    ///
    /// - Parameters:
    ///   - name: what is asked for, for errors.
    ///   - cancellation: ends the wait for the user.
    /// - Returns: `nil` on a desktop that does not ask.
    /// - Throws: ``StreamError/Code/refused`` if the user refuses.
    static func camera(_ name: String, _ cancellation: ReadCancellation) throws(StreamError) -> PortalSession? {
        guard let bus = vitrail_session_bus() else { return nil }
        let session = PortalSession(name, bus)
        guard session.version("Camera") != nil else { return nil }
        g_variant_unref(
            try session.request("Camera", "AccessCamera", cancellation) { "({'handle_token': <'\($0)'>},)" })
        try session.connect("Camera", "(@a{sv} {},)")
        return session
    }

    private func lendScreen(_ cancellation: ReadCancellation) throws(StreamError) {
        guard version("ScreenCast") != nil else {
            throw StreamError(
                .unsupported, "\(name) needs a desktop whose portal lends screens: install xdg-desktop-portal.")
        }
        let created = try request("ScreenCast", "CreateSession", cancellation) {
            "({'handle_token': <'\($0)'>, 'session_handle_token': <'vitrail'>},)"
        }
        defer { g_variant_unref(created) }
        guard let session = vitrail_variant_string(created, "session_handle").map({ String(cString: $0) }),
            g_variant_is_object_path(session) != 0
        else { throw refusal("its portal has made no session") }
        // In signals, user_data is borrowed: they are handled only while this object exists.
        subscribe("org.freedesktop.portal.Session", "Closed", session) { _, _, _, _, _, _, data in
            PortalSignals.of(data)?.hasEnded = true
        }
        // Monitors and windows; with the pointer, where the portal can draw it.
        let cursor = property("ScreenCast", "AvailableCursorModes").map { $0 & 2 != 0 } ?? false
        g_variant_unref(
            try request("ScreenCast", "SelectSources", cancellation) {
                "(@o '\(session)', {'handle_token': <'\($0)'>, 'types': <@u 3>, 'multiple': <false>\(cursor ? ", 'cursor_mode': <@u 2>" : "")})"
            })
        let started = try request("ScreenCast", "Start", cancellation) {
            "(@o '\(session)', '', {'handle_token': <'\($0)'>})"
        }
        defer { g_variant_unref(started) }
        var number: UInt32 = 0
        guard vitrail_variant_node(started, &number) != 0 else { throw refusal("its portal has lent nothing") }
        node = number
        try connect("ScreenCast", "(@o '\(session)', @a{sv} {})")
    }

    /// Whether the user, or the desktop, has ended the loan.
    var hasEnded: Bool {
        while g_main_context_iteration(context, 0) != 0 {}
        return signals.hasEnded || g_dbus_connection_is_closed(bus) != 0
    }

    // MARK: The bus

    private func refusal(_ cause: String) -> StreamError {
        StreamError(.refused, "\(name) is not lent by the desktop: \(cause).")
    }

    /// The text of an error, which is freed.
    private static func take(_ error: inout UnsafeMutablePointer<GError>?) -> String {
        defer { g_clear_error(&error) }
        guard let text = error?.pointee.message.map({ String(cString: $0) }) else { return "an unknown error" }
        // A full stop in the middle of a sentence would end it.
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private func version(_ interface: String) -> UInt32? { property(interface, "version") }

    /// A number that the portal says of itself; `nil` if it does not.
    private func property(_ interface: String, _ property: String) -> UInt32? {
        let words = "('org.freedesktop.portal.\(interface)', '\(property)')"
        guard let answer = try? call("org.freedesktop.DBus.Properties", "Get", words) else { return nil }
        defer { g_variant_unref(answer) }
        var number: UInt32 = 0
        return vitrail_variant_number(answer, &number) != 0 ? number : nil
    }

    /// Calls a method of the portal, with arguments in the text format of GVariant; the caller releases the result.
    private func call(_ interface: String, _ method: String, _ words: String) throws(StreamError) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        guard let arguments = g_variant_parse(nil, words, nil, nil, &error) else {
            throw refusal(Self.take(&error))
        }
        let answer = g_dbus_connection_call_sync(
            bus, Self.service, Self.path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NONE, 30_000, nil, &error
        )
        guard let answer else { throw refusal(Self.take(&error)) }
        return answer
    }

    private func subscribe(_ interface: String, _ signal: String, _ path: String, _ body: GDBusSignalCallback) {
        g_main_context_push_thread_default(context)
        g_dbus_connection_signal_subscribe(
            bus, Self.service, interface, signal, path, nil, G_DBUS_SIGNAL_FLAGS_NONE, body,
            Unmanaged.passUnretained(signals).toOpaque(), nil)
        g_main_context_pop_thread_default(context)
    }

    /// Asks for something that the user decides on.
    ///
    /// - Returns: the results, which the caller releases.
    private func request(
        _ interface: String, _ method: String, _ cancellation: ReadCancellation, _ words: (String) -> String
    ) throws(StreamError) -> OpaquePointer {
        requestCount += 1
        let token = "vitrail\(requestCount)"
        let own = g_dbus_connection_get_unique_name(bus).map { String(cString: $0) } ?? ""
        let path = "\(Self.path)/request/\(own.dropFirst().replacing(".", with: "_"))/\(token)"
        // The answer may come before the method returns.
        subscribe("org.freedesktop.portal.Request", "Response", path) { _, _, _, _, _, values, data in
            guard let values, let signals = PortalSignals.of(data) else { return }
            var code: UInt32 = 0
            let results = vitrail_variant_response(values, &code)
            if let old = signals.answer { g_variant_unref(old.results) }
            signals.answer = results.map { (code, $0) }
        }
        g_variant_unref(try call("org.freedesktop.portal.\(interface)", method, words(token)))
        while true {
            while g_main_context_iteration(context, 0) != 0 {}
            if let answer = signals.answer {
                signals.answer = nil
                guard answer.code != 0 else { return answer.results }
                g_variant_unref(answer.results)
                throw refusal(answer.code == 1 ? "its user has refused" : "its portal has ended the request")
            }
            guard !cancellation.isCancelled else {
                throw StreamError(.readFailed, "Reading \(name) was cancelled.")
            }
            if hasEnded { throw refusal("its portal has ended the request") }
            usleep(20_000)
        }
    }

    /// Opens the connection to PipeWire.
    private func connect(_ interface: String, _ words: String) throws(StreamError) {
        var error: UnsafeMutablePointer<GError>?
        let arguments = g_variant_parse(nil, words, nil, nil, nil)
        descriptor = vitrail_call_for_descriptor(
            bus, Self.service, Self.path, "org.freedesktop.portal.\(interface)", "OpenPipeWireRemote", arguments, &error
        )
        guard descriptor >= 0 else { throw refusal(Self.take(&error)) }
    }
}

/// What a ``PortalSession`` was told.
private final class PortalSignals {
    /// The answer to the last request: 0 for success, 1 if the user has refused; and the results.
    var answer: (code: UInt32, results: OpaquePointer)?
    /// Whether the loan is over.
    var hasEnded = false

    deinit { if let answer { g_variant_unref(answer.results) } }

    static func of(_ data: UnsafeMutableRawPointer?) -> PortalSignals? {
        data.map { Unmanaged<PortalSignals>.fromOpaque($0).takeUnretainedValue() }
    }
}
