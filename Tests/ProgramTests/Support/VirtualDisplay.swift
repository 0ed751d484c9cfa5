import Foundation

/// An X server without a screen, of one's own.
final class VirtualDisplay {
    /// What DISPLAY has to be.
    let name: String
    private let server = Process()

    /// Starts a server and waits until it takes connections.
    init() throws {
        let ready = Pipe()
        server.executableURL = URL(filePath: "/usr/bin/Xvfb")
        // The server chooses a number that is free and writes it when it is ready.
        server.arguments = ["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"]
        server.standardOutput = ready
        server.standardError = FileHandle.nullDevice
        try server.run()
        var number = ""
        while !number.hasSuffix("\n") {
            let bytes = ready.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw CocoaError(.executableLoad) }
            number += String(decoding: bytes, as: UTF8.self)
        }
        name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        // Not asked politely: test threads block signals, and what they start does so, too.
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
    }

    /// Does something as a user would, with xdotool.
    func xdotool(_ arguments: String...) throws {
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/xdotool")
        tool.arguments = arguments
        tool.environment = ["DISPLAY": name, "PATH": "/usr/bin:/bin"]
        tool.standardOutput = FileHandle.nullDevice
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        tool.waitUntilExit()
    }
}
