import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// No output of the program contains the secrets of a URL; `HIDDEN` is the secret.
@Suite(.timeLimit(.minutes(25)))
struct SecretTests {
    /// Nothing listens there, so that each of them fails immediately.
    static let unreachable = [
        "http://me:HIDDEN@127.0.0.1:9/a", "http://HIDDEN@127.0.0.1:9/a",
        "rtsp://me:HIDDEN@localhost/HIDDEN@127.0.0.1:9",
        "rtsp://127.0.0.1:p/HIDDEN?x#@127.0.0.1:9/1", "RTSP://me:HIDDEN@127.0.0.1:9/1?rotate=90",
        "http://127.0.0.1:9/a?user=me&password=HIDDEN", "http://127.0.0.1:9/a?x=1&p%61ssword=HIDDEN&rotate=90",
        "http://127.0.0.1:9/a?TOKEN=a&x=1&Signature=HIDDEN", "tcp://127.0.0.1:9?passphrase=HIDDEN&streamid=HIDDEN",
    ]

    static let both = "http://me:HIDDEN@127.0.0.1:9/a?token=HIDDEN"

    static let commands =
        [
            ["info"], ["info", "--json"], ["probe"], ["probe", "--json"], ["render", "--output", "-", "--verbose"],
            ["render", "--output", "a.png", "test:bars"],
        ].map { $0 + unreachable }
        // What is refused before anything is opened.
        + [
            "gopher://me:HIDDEN@127.0.0.1/a", "http://me:HIDDEN@127.0.0.1:9/a?rotate=45",
            "http://127.0.0.1:9/a?rotate=45&token=HIDDEN", "http://127.0.0.1:p?HIDDEN@127.0.0.1:9/a&content=no",
        ].map { ["info", $0] }
        // What only the parser sees, and what is no input.
        + [
            ["certify"], ["formats"], ["info", "--unknown"], ["render", "--size"], ["render", "test:bars", "--output"],
        ]
        .map { $0 + [both] }
        + ["--unknown", "--size", "--grid", "--output"].map { ["render", "test:bars", "\($0)=\(both)"] }
        + [
            ["bench", both], ["effects", both], ["effects", "http://me:HIDDEN@127.0.0.1"], ["devices", both],
            ["render", "test:bars", "--preset", both], ["render", "test:bars", "--set", both],
            ["render", "test:bars", "--shadertoy", both], ["render", "test:bars", "--effect", both],
            ["render", "test:\(both)"], ["info", "test:\(both)"], ["info", "camera:\(both)"],
            ["info", "rtmp://127.0.0.1:9/app/HIDDEN"], ["info", "test:rtmp://127.0.0.1:9/app/HIDDEN"],
            ["info", "camera:rtmp://127.0.0.1:9/app/HIDDEN/"],
            ["render", "test:bars", "--preset=rtmp://127.0.0.1:9/app/HIDDEN"],
        ].map { $0 + ["--output", "a.png"].prefix($0[0] == "render" ? 2 : 0) }
        + ["a.png", "%d-%d.png"].map { ["render", "test:bars", "--output", "http://me:HIDDEN@127.0.0.1:9/\($0)"] }

    @Test("Errors of URLs contain no secrets", arguments: commands)
    func failure(_ command: [String]) throws {
        let folder = TemporaryFolder()
        let run = try Run(command, in: folder.path)
        #expect(run.status != 0)
        #expect(!run.errors.isEmpty)
        #expect(!run.errors.joined().contains("HIDDEN"), "\(run.errors)")
        #expect(!run.text.contains("HIDDEN"), "\(run.text)")
    }

    @Test(
        "Errors of a list contain no secrets, though they are not in the arguments",
        arguments: [
            "test:http://me:HIDDEN@h", "camera:rtsp://me:HIDDEN@door", "a.y4m?crop=rtsp://me:HIDDEN@h",
            "a.y4m?effect=//me:HIDDEN@h", "a.y4m?rtsp://me:HIDDEN@h=1", "test:rtmp://h/app/HIDDEN",
            "rtsp://h/1#crop=rtsp://me:HIDDEN@h",
        ])
    func list(_ address: String) throws {
        let folder = TemporaryFolder()
        _ = folder.write("list.m3u", Array(address.utf8))
        let run = try Run(["render", "list.m3u", "--output", "a.png"], in: folder.path)
        #expect(run.status == 64)
        #expect(run.errors.count == 1 && !run.errors[0].contains("HIDDEN"), "\(run.errors)")
    }

    @Test("An address is no camera, so that no tile asks for one by a password")
    func camera() {
        let error = #expect(throws: ProgramError.self) { try InputSpecification("camera:rtsp://me:HIDDEN@door/1") }
        #expect(error?.status == .usage)
        #expect(error?.description.contains("camera:rtsp://door/1 is no camera") == true)
    }

    @Test("Answers to lines on standard input contain no secrets")
    func control() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let program = try startViewer(
            ["test:bars", "--size", "320x240", "--control"], display, folder, input: pipe)
        let lines = [
            #"{"preset": "rtsp://me:HIDDEN@h"}"#, #"{"preset": "rtsp:\/\/me:HIDDEN@h"}"#,
            #"{"save": "rtsp://me:HIDDEN@h/a"}"#, #"{"effects": "//me:HIDDEN@h", "wall": true}"#,
            #"{"effects": "blur:radius=rtsp%3A//me%3AHIDDEN@h", "wall": true}"#, #"{"rtsp://me:HIDDEN@h": 1}"#,
            #"{"preset": "rtmp://h/app/HIDDEN"}"#, #"{"preset": "the-last"}"#,
        ]
        _ = Array(lines.map { $0 + "\n" }.joined().utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        let end = Date.now + 120
        while !program.errorText.contains("the-last"), Date.now < end, program.process.isRunning { usleep(10_000) }
        let run = try program.quit(display)
        #expect(run.errors.count >= lines.count && !run.errors.joined().contains("HIDDEN"), "\(run.errors)")
    }

    @Test("A secret that is a word or a number of JSON leaves it whole", arguments: ["width", "64"])
    func jsonStaysWhole(_ secret: String) throws {
        let server = try LoopbackServer(.http(["/a.y4m": Clips.y4m(frames: 1)]))
        defer { server.close() }
        let address = "127.0.0.1:\(server.port)/a.y4m"
        let plain = try Run(["info", "--json", "http://\(address)"])
        let run = try Run(["info", "--json", "http://me:\(secret)@\(address)"])
        #expect(run.status == 0 && run.text == plain.text, "\(run.text)")
    }

    @Test("URLs are reported without their secrets, and opened with them", arguments: ["info", "probe"])
    func report(_ command: String) throws {
        for arguments in [[command], [command, "--json"]] {
            let query = "/a.y4m?x=1&token=HIDDEN"
            let server = try LoopbackServer(.http([query: Clips.y4m(frames: 1)]))
            defer { server.close() }
            let run = try Run(arguments + ["http://me:HIDDEN@127.0.0.1:\(server.port)\(query)"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.text.contains("http://127.0.0.1:\(server.port)/a.y4m?x=1&token=***"))
            #expect(!(run.text + run.errors.joined()).contains("HIDDEN"))
            #expect(server.requests.contains(query))
        }
    }
}
