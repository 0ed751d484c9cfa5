import Foundation

/// Network namespaces, each with a cable to the one of the media server: machines on one machine.
///
/// It needs root, and Debian's iproute2, nginx and its RTMP module.
final class NodeNetwork {
    /// What went wrong.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The server's address in all namespaces.
    static let server = "10.77.0.1"
    private let names: [String]
    private let folder: String
    private var nginx: Process?

    /// Makes the namespaces and starts the server.
    ///
    /// - Parameters:
    ///   - names: the machines besides the server, fewer than 250.
    ///   - folder: for the server's files.
    /// - Throws: ``Failure``, or what `Process` throws.
    init(_ names: [String], folder: String) throws {
        self.names = names
        self.folder = folder
        // Those of a run that was killed.
        let left =
            try FileManager.default.contentsOfDirectory(atPath: "/run").contains("netns")
            ? FileManager.default.contentsOfDirectory(atPath: "/run/netns") : []
        for space in (names + ["server"]).map(Self.space) where left.contains(space) {
            try ip("netns", "delete", space)
        }
        try ip("netns", "add", Self.space("server"))
        try inServer("link", "add", "cables", "type", "bridge")
        try inServer("address", "add", "\(Self.server)/24", "dev", "cables")
        for device in ["lo", "cables"] { try inServer("link", "set", device, "up") }
        for (index, name) in names.enumerated() {
            let space = Self.space(name)
            try ip("netns", "add", space)
            try inServer("link", "add", "to-\(name)", "type", "veth", "peer", "name", "cable", "netns", space)
            try inServer("link", "set", "to-\(name)", "master", "cables", "up")
            try ip("-netns", space, "address", "add", "10.77.0.\(index + 2)/24", "dev", "cable")
            for device in ["lo", "cable"] { try ip("-netns", space, "link", "set", device, "up") }
        }
        try startServer()
    }

    /// Stops the server and removes the namespaces.
    func end() {
        nginx?.terminate()
        nginx?.waitUntilExit()
        for name in names + ["server"] { try? ip("netns", "delete", Self.space(name)) }
    }

    /// The bytes that a machine has received so far.
    func received(_ name: String) throws -> Int {
        let process = try start("/usr/bin/cat", ["/sys/class/net/cable/statistics/rx_bytes"], on: name, pipe: true)
        let text = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        process.waitUntilExit()
        return Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// Starts a program on a machine.
    ///
    /// - Parameters:
    ///   - executable: its path.
    ///   - arguments: its arguments.
    ///   - name: the machine.
    ///   - environment: what is added to the environment.
    ///   - input: a file for its standard input.
    ///   - log: a file for its standard error.
    ///   - pipe: whether its standard output can be read.
    /// - Returns: the process.
    /// - Throws: what `Process` throws.
    func start(
        _ executable: String, _ arguments: [String], on name: String, environment: [String: String] = [:],
        input: String = "/dev/null", log: String? = nil, pipe: Bool = false
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/ip")
        process.arguments = ["netns", "exec", Self.space(name), executable] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = pipe ? Pipe() : FileHandle.nullDevice
        if let log {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
            process.standardError = FileHandle(forWritingAtPath: log)
        }
        try process.run()
        return process
    }

    private static func space(_ name: String) -> String { "vitrail-\(name)" }

    private func inServer(_ arguments: String...) throws { try ip(["-netns", Self.space("server")] + arguments) }

    private func ip(_ arguments: String...) throws { try ip(arguments) }

    private func ip(_ arguments: [String]) throws {
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/sbin/ip")
        tool.arguments = arguments
        try tool.run()
        tool.waitUntilExit()
        guard tool.terminationStatus == 0 else {
            throw Failure(description: "ip \(arguments.joined(separator: " ")) fails: network namespaces need root.")
        }
    }

    private func startServer() throws {
        let settings = """
            load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
            daemon off;
            user root;
            pid \(folder)/nginx.pid;
            error_log \(folder)/nginx.log;
            events { worker_connections 64; }
            rtmp {
                server {
                    listen \(Self.server):1935;
                    # What is sent is a picture in ten milliseconds: none waits for more.
                    out_queue 64;
                    application live {
                        live on;
                        # Who watches a machine that is lost is told so.
                        idle_streams off;
                        drop_idle_publisher 2s;
                    }
                }
            }
            """
        try settings.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
        nginx = try start(
            "/usr/sbin/nginx", ["-p", folder, "-c", "\(folder)/nginx.conf"], on: "server", log: "\(folder)/nginx.err")
    }
}
