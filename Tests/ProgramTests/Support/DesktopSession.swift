import Foundation
import TestSupport

/// A desktop without a screen, whose programs show walls.
final class DesktopSession {
    private let services: DesktopServices
    private var walls: [RunningProgram] = []

    init() throws { services = try DesktopServices() }

    deinit {
        // They inherit that other signals are blocked.
        for wall in walls.reversed() { kill(wall.process.processIdentifier, SIGKILL) }
        for wall in walls { _ = try? wall.finish() }
    }

    /// What the programs of this desktop know of it.
    var environment: [String: String] { services.environment }

    /// Starts a wall that this desktop's PipeWire has as a camera.
    func provide(_ name: String, _ inputs: [String]) throws -> RunningProgram {
        let text = "look.names = false\n" + inputs.map { "[[input]]\nurl = '\($0)'\n" }.joined()
        _ = services.folder.write("\(name).toml", Array(text.utf8))
        let wall = try RunningProgram(
            ["view", "\(name).toml", "--no-window", "--also", "pipewire:\(name)?size=1280x720&fps=10"],
            in: services.folder.path,
            environment: environment)
        walls.append(wall)
        try wait("the node \(name)") { try self.devices().contains("pipewire:\(name)") }
        return wall
    }

    /// What `vitrail devices` says.
    func devices() throws -> String {
        String(decoding: try Run(["devices"], environment: environment).output, as: UTF8.self)
    }

    /// Starts a portal, which answers as a user would.
    func startPortal(_ user: PortalUser, node: String) throws {
        _ = services.folder.write("portal.py", Array(PortalUser.script.utf8))
        try services.start("/usr/bin/python3", ["\(services.folder.path)/portal.py", "\(user)", node])
        try services.wait(for: "portal-is-there")
    }

    /// Waits for two minutes at most.
    func wait(_ what: String, until isTrue: () throws -> Bool) throws {
        let end = Date.now + 120
        while try !isTrue() {
            guard Date.now < end else { throw LateError(description: "\(what) is not there after two minutes.") }
            usleep(50_000)
        }
    }

    private struct LateError: Error, CustomStringConvertible { let description: String }
}

/// What the user of a desktop does when a program asks for a screen.
enum PortalUser {
    case grants, refuses, hesitates, grantsForAWhile

    /// The part of the interfaces `org.freedesktop.portal.ScreenCast` and `Camera` that programs call.
    static let script = """
        import json, os, socket, subprocess, sys
        from gi.repository import Gio, GLib

        user, wanted = sys.argv[1:]
        PREFIX = "org.freedesktop.portal."
        XML = "<node>" + "".join(
            f'<interface name="{PREFIX}{name}"><property name="version" type="u" access="read"/>'
            + more + "".join(
                f'<method name="{method}">' + "".join(f'<arg type="{a}" direction="in"/>' for a in into)
                + f'<arg type="{out}" direction="out"/></method>' for method, into, out in methods) + "</interface>"
            for name, more, methods in [
                ("ScreenCast", '<property name="AvailableCursorModes" type="u" access="read"/>', [
                    ("CreateSession", ["a{sv}"], "o"), ("SelectSources", ["o", "a{sv}"], "o"),
                    ("Start", ["o", "s", "a{sv}"], "o"), ("OpenPipeWireRemote", ["o", "a{sv}"], "h")]),
                ("Camera", "", [("AccessCamera", ["a{sv}"], "o"), ("OpenPipeWireRemote", ["a{sv}"], "h")]),
            ]) + "</node>"

        def node():
            for item in json.loads(subprocess.check_output(["pw-dump"])):
                if item.get("info", {}).get("props", {}).get("node.name") == wanted: return item["id"]

        def respond(bus, path, code, results):
            bus.emit_signal(None, path, PREFIX + "Request", "Response", GLib.Variant("(ua{sv})", (code, results)))

        def call(bus, sender, path, interface, method, arguments, invocation):
            values = arguments.unpack()
            if method == "OpenPipeWireRemote":
                link = socket.socket(socket.AF_UNIX)
                link.connect(os.environ["XDG_RUNTIME_DIR"] + "/pipewire-0")
                files = Gio.UnixFDList.new_from_array([link.detach()])
                return invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), files)
            options, name = values[-1], sender[1:].replace(".", "_")
            request = f"/org/freedesktop/portal/desktop/request/{name}/{options['handle_token']}"
            session = f"/org/freedesktop/portal/desktop/session/{name}/vitrail"
            results = {}
            if method == "CreateSession": results = {"session_handle": GLib.Variant("s", session)}
            if method == "SelectSources": assert options["types"] == 3 and options["cursor_mode"] == 2
            asks = method in ("Start", "AccessCamera")
            if method == "Start": results = {"streams": GLib.Variant("a(ua{sv})", [(node(), {})])}
            invocation.return_value(GLib.Variant("(o)", (request,)))
            if asks and user == "hesitates": return
            code = 1 if asks and user == "refuses" else 0
            respond(bus, request, code, results if code == 0 else {})
            if method == "Start" and user == "grantsForAWhile":
                GLib.timeout_add(4000, lambda: bus.emit_signal(
                    None, session, PREFIX + "Session", "Closed", GLib.Variant("(a{sv})", ({},))) and False)

        def own(bus, name):
            for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
                bus.register_object("/org/freedesktop/portal/desktop", interface, call,
                    lambda bus, sender, path, interface, name: GLib.Variant("u", 7 if name[0] == "A" else 4), None)

        Gio.bus_own_name(Gio.BusType.SESSION, PREFIX + "Desktop", Gio.BusNameOwnerFlags.NONE, own,
            lambda bus, name: open(os.environ["XDG_RUNTIME_DIR"] + "/portal-is-there", "w").close(), None)
        GLib.MainLoop().run()
        """
}
