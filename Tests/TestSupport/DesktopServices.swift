internal import Foundation

/// The services of a desktop without a screen, of one test's own: a session bus, PipeWire and its session manager.
public final class DesktopServices {
    /// Their folder, `XDG_RUNTIME_DIR`.
    public let folder = TemporaryFolder()
    private var services: [LineProcess] = []

    /// Starts them, and waits until PipeWire can be used.
    ///
    /// - Throws: ``LineProcess/Failure`` if one of them is missing or does not start.
    public init() throws {
        // Without folders of services: it would start those of the machine, such as its portal.
        let settings = """
            <busconfig><type>session</type><listen>\(address)</listen><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
            </policy></busconfig>
            """
        let file = folder.write("bus.conf", Array(settings.utf8))
        try start("dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile"])
        try wait(for: "bus")
        try start("pipewire")
        try wait(for: "pipewire-0")
        try start("wireplumber")
    }

    deinit {
        // The bus last, which the others use.
        while let service = services.popLast() { service.terminate() }
    }

    private var address: String { "unix:path=\(folder.path)/bus" }

    /// Where PipeWire listens.
    public var socket: String { "\(folder.path)/pipewire-0" }

    /// What the programs of this desktop know of it.
    public var environment: [String: String] {
        [
            "XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": address, "XDG_STATE_HOME": folder.path,
            "XDG_CONFIG_HOME": folder.path, "PULSE_RUNTIME_PATH": folder.path,
        ]
    }

    /// Starts a program, which ends with this object; what it writes to standard error is in the file `NAME.log`.
    public func start(_ name: String, _ arguments: [String] = []) throws {
        let line = "exec \"$0\" \"$@\" 2>\"$XDG_RUNTIME_DIR/$(basename \"$0\").log\""
        services.append(
            try LineProcess("/bin/sh", ["-c", line, name] + arguments, environment: environment.mapValues { $0 }))
    }

    /// Waits until a program has made a file, two minutes at most.
    public func wait(for name: String) throws {
        let end = ContinuousClock.now + .seconds(120)
        while !FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") {
            guard .now < end else {
                throw LineProcess.Failure(description: "There is no \(name) after two minutes, see the logs.")
            }
            usleep(20_000)
        }
    }
}
