import Foundation
import TestSupport

/// The program openssl as an HTTPS server of the files that a folder has now, with a certificate of its own.
final class TLSServer {
    let port: UInt16
    /// The certificate, which is its own authority.
    let certificate: String
    private let process = Process()

    init(_ folder: ClipFolder, for name: String = "IP:127.0.0.1") throws {
        port = try LoopbackServer.unusedPort()
        certificate = folder.file("\(port).pem")
        let key = folder.file("\(port).key")
        let maker = try Self.start([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
            "-out",
            certificate, "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
        ])
        maker.waitUntilExit()
        let arguments = ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (Pipe(), output)
        process.arguments = ["openssl"] + arguments + ["-HTTP"]
        let answers = folder.file("\(port)")
        try FileManager.default.createDirectory(atPath: answers, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.contains(".") {
            let bytes = try folder.bytes(name)
            try folder.write(
                Array("HTTP/1.0 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8) + bytes,
                to: "\(port)/\(name)")
        }
        process.currentDirectoryURL = URL(fileURLWithPath: answers)
        try process.run()
        // It says ACCEPT as soon as it listens.
        var text = ""
        while !text.contains("ACCEPT") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw ClipFolder.ToolError(description: "openssl s_server has ended") }
            text += String(decoding: data, as: UTF8.self)
        }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
