import Foundation
import TestSupport
import Testing

/// Inputs that cannot be opened: one line that says why, the number 66, and no file left behind.
@Suite(.timeLimit(.minutes(25)))
struct BadInputTests {
    struct BadInput: CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var options = ""
        var hint: String

        var testDescription: String { name }
    }

    static let badInputs = [
        BadInput(name: "empty.y4m", bytes: [], hint: "empty"),
        BadInput(name: "magic.y4m", bytes: Array("RIFFxxxx\n".utf8), hint: "Y4M"),
        BadInput(name: "header.y4m", bytes: Array("YUV4MPEG2 W32 H16".utf8), hint: "ends"),
        BadInput(name: "endless.y4m", bytes: [UInt8](repeating: 0x41, count: 100_000), hint: "Y4M"),
        BadInput(name: "huge.y4m", bytes: Array("YUV4MPEG2 W99999999 H99999999 F30:1\nFRAME\n".utf8), hint: "99999999"),
        // Wider than the texture of any driver that is known, but no fault of the file's form.
        BadInput(name: "wide.y4m", bytes: Clips.y4m(frames: 1, width: 60_000, height: 2), hint: "draws up to"),
        BadInput(name: "deep.y4m", bytes: Array("YUV4MPEG2 W32 H16 C420p32\nFRAME\n".utf8), hint: "420p32"),
        BadInput(name: "frameless.y4m", bytes: Clips.y4m(frames: 0), hint: "no frame"),
        BadInput(name: "truncated.y4m", bytes: Clips.y4m(frames: 1).dropLast(100), hint: "is truncated"),
        BadInput(name: "a.yuv", bytes: [UInt8](repeating: 0, count: 1000), options: "?size=16x16", hint: "384"),
        BadInput(name: "empty.yuv", bytes: [], options: "?size=16x16", hint: "empty"),
        BadInput(name: "a.yuv", bytes: [1], options: "?size=16x16&stride=2", hint: "16"),
        BadInput(name: "a.mp4", bytes: Array("no video at all".utf8), hint: "a.mp4"),
        BadInput(name: "empty.mp4", bytes: [], hint: "empty.mp4"),
    ]

    @Test("An input that is no picture ends with status 66", arguments: badInputs)
    func badInput(_ row: BadInput) throws {
        let folder = TemporaryFolder()
        _ = folder.write(row.name, row.bytes)
        let run = try Run(["render", row.name + row.options, "-o", "out.png"], in: folder.path)
        #expect(run.status == 66)
        expectOneLine(run, row.hint)
        #expect(try folder.names == [row.name])
    }

    @Test(
        "An input that cannot be opened ends with status 66",
        arguments: [
            "missing.y4m", "missing.mp4", "missing.yuv?size=2x2", "/tmp", "/tmp.y4m/", "camera:Door", "/dev/video99",
        ])
    func cannotOpen(_ input: String) throws {
        let folder = TemporaryFolder()
        for arguments in [["render", input, "-o", "out.png"], ["info", input]] {
            let run = try Run(arguments, in: folder.path)
            #expect(run.status == 66)
            expectOneLine(run, "")
            #expect(run.output.isEmpty)
        }
        #expect(try folder.names == [])
    }

    @Test(
        "A folder, a socket and a Y4M that is a folder end with status 66",
        arguments: ["folder.y4m", "folder.mp4", "socket.y4m"])
    func notAFile(_ name: String) throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/\(name)"
        if name.hasPrefix("folder") {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } else {
            try makeSocket(path)
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = try Run(["render", name, "-o", "out.png"], in: folder.path)
        #expect(run.status == 66)
        expectOneLine(run, name)
        #expect(try folder.names == [name])
    }

    @Test(
        "A file that may not be read ends with status 66",
        .disabled(if: geteuid() == 0, "The super-user may read everything."))
    func unreadable() throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", Clips.y4m(frames: 1))
        chmod(path, 0)
        let run = try Run(["render", path, "-o", "out.png"], in: folder.path)
        #expect(run.status == 66)
        expectOneLine(run, "a.y4m")
    }

    private func makeSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }
}
