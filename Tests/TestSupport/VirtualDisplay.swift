internal import Foundation

/// An X server without a screen, of one test's own, with tools that use it as a person would.
public final class VirtualDisplay {
    /// For the environment variable `DISPLAY`.
    public let name: String
    private let folder: URL
    private let server: LineProcess
    private var windowManager: LineProcess?

    /// Starts Xvfb with a screen of 1280 × 1024 and waits until it takes connections.
    /// - Throws: ``LineProcess/Failure`` when Xvfb is missing.
    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitrail-x-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The server finds a free number itself and reports it when it is ready.
        server = try LineProcess(
            "/usr/bin/Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "1280x1024x24", "-fbdir", folder.path, "-nolisten", "tcp",
                "-noreset",
            ])
        name = ":" + (try server.wait(for: ""))
    }

    deinit {
        windowManager = nil
        server.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The environment for a program that must use it.
    public var environment: [String: String?] { ["DISPLAY": name, "WAYLAND_DISPLAY": nil] }

    /// Starts twm: F4 asks the window under the mouse to close.
    ///
    /// It does not report when it is ready: retry what needs it.
    public func startWindowManager() throws {
        let settings = folder.appendingPathComponent("twmrc")
        // The one font that Xvfb has built in.
        let fonts = ["Title", "Menu", "Icon", "Resize", "IconManager"].map { "\($0)Font \"fixed\"\n" }.joined()
        try "\(fonts)RandomPlacement\n\"F4\" = : all : f.delete\n"
            .write(to: settings, atomically: true, encoding: .utf8)
        var environment = environment
        environment["LC_ALL"] = "C"
        windowManager = try LineProcess("/usr/bin/twm", ["-f", settings.path], environment: environment)
    }

    /// Runs xdotool, which moves the mouse and types.
    ///
    /// - Returns: what it printed.
    /// - Throws: ``LineProcess/Failure`` when it is missing or fails.
    @discardableResult
    public func xdotool(_ arguments: String...) throws -> [String] { try xdotool(arguments) }

    /// Runs xdotool with a list of arguments.
    @discardableResult
    public func xdotool(_ arguments: [String]) throws -> [String] { try run("/usr/bin/xdotool", arguments) }

    /// Sets what a desktop sets for screens of small pixels: 96 is ordinary, 192 is twice as fine.
    public func setDotsPerInch(_ number: Int) throws {
        let name = "RESOURCE_MANAGER"
        try run("/usr/bin/xprop", ["-root", "-format", name, "8s", "-set", name, "Xft.dpi:\t\(number)\n"])
    }

    /// A property of the window with a name, as xprop prints it.
    public func property(_ property: String, ofWindow name: String) throws -> String {
        try run("/usr/bin/xprop", ["-name", name, property]).first ?? ""
    }

    @discardableResult
    private func run(_ path: String, _ arguments: [String]) throws -> [String] {
        let tool = try LineProcess(path, arguments, environment: environment)
        let status = tool.end()
        _ = try? tool.line(with: "\u{0}", seconds: 60)
        guard status == 0 else {
            throw LineProcess.Failure(description: "\(path) \(arguments) failed with \(status).")
        }
        return tool.lines
    }

    /// What the screen shows: Xvfb keeps it in a file in the X window dump format.
    public func screenshot() throws -> Screenshot {
        try Screenshot(Data(contentsOf: folder.appendingPathComponent("Xvfb_screen0")))
    }
}

/// The pixels of a screen.
public struct Screenshot {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    private let bytesPerRow: Int
    private let pixels: [UInt8]

    /// Reads an X window dump with 32 bits a pixel.
    init(_ dump: Data) throws {
        // The header is numbers of 32 bits, highest byte first.
        func number(_ index: Int) -> Int { dump[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard dump.count > 100, number(1) == 7, number(11) == 32 else {
            throw LineProcess.Failure(description: "Xvfb's screen is not a dump of version 7 with 32 bits a pixel.")
        }
        (width, height, bytesPerRow) = (number(4), number(5), number(12))
        let start = number(0) + number(19) * 12
        pixels = Array(dump[start..<start + bytesPerRow * height])
    }

    /// Red, green and blue at a place, y downwards.
    public func color(x: Int, y: Int) -> [UInt8] {
        let offset = y * bytesPerRow + x * 4
        return [pixels[offset + 2], pixels[offset + 1], pixels[offset]]
    }
}
