import TestSupport
import Testing

@testable import vitrail

/// What becomes of lists of addresses.
struct ConvertM3UTests {
    @Test("The sample: names, options, relative paths; what Vitrail cannot open is counted")
    func sample() throws {
        let wall = try ForeignSamples.wall(ForeignSamples.list)
        let inputs = wall.document.inputs
        #expect(
            inputs.map(\.address) == [
                "rtsp://me:hidden2@192.0.2.7/1?channel=2", "/nowhere/clips/a.mp4", "/srv/c.mp4",
            ])
        #expect(inputs.map(\.name) == ["The door, left", nil, nil])
        #expect(inputs.map(\.settings) == [[.rotate: "90"], [:], [.loop: "yes"]])
        #expect(wall.document.title == "Office" && wall.document.layout == LayoutSettings())
        #expect(
            wall.notes == [
                "Addresses that Vitrail cannot open are left out: hikvision://, paths of Windows.",
                "Options for other players are not kept: #EXTVLCOPT.",
            ])
    }

    @Test(
        "Addresses",
        arguments: [
            ("http://192.0.2.1/a.ts", "http://192.0.2.1/a.ts"), ("RTSP://192.0.2.1/a", "RTSP://192.0.2.1/a"),
            ("udp://@239.0.0.1:1234", "udp://@239.0.0.1:1234"), ("./a.mp4", "/nowhere/./a.mp4"),
            ("file:///srv/a%20b.mp4", "/srv/a b.mp4"), ("-", "/nowhere/-"), ("camera:Desk", "camera:Desk"),
            ("test:bars", "test:bars"), ("a.yuv?size=4x4", "/nowhere/a.yuv"), ("a.yuv", nil), ("test:x", nil),
            ("file://other/a.mp4", nil), ("file:///a%01b.mp4", nil), ("\\\\server\\a.mp4", nil), ("d:/a.mp4", nil),
            ("a.mp4?x=1", nil),
            ("x\u{1}.mp4", nil), ("rtsp://a/\u{7F}", nil), ("mailto://a", nil),
        ] as [(String, String?)])
    func addresses(line: String, address: String?) throws {
        let wall = try ForeignSamples.wall("#EXTM3U\nrtsp://192.0.2.9/\n" + line)
        #expect(wall.document.inputs.dropFirst().map(\.address) == (address.map { [$0] } ?? []))
        #expect(wall.notes.count == (address == nil ? 1 : 0))
    }

    @Test("A list of segments, an empty list, and a list of too many")
    func limits() throws {
        #expect(
            ForeignSamples.problem("#EXTM3U\n#EXT-X-VERSION:3\na.ts")?.message.hasPrefix("it is one stream") == true)
        #expect(ForeignSamples.problem("#EXTM3U\n#EXTINF:1,x")?.message == "there is no address in it.")
        #expect(ForeignSamples.problem("", "a.m3u")?.message == "there is no address in it.")
        #expect(ForeignSamples.problem("rtsp://192.0.2.1/a")?.message.hasPrefix("it is no list") == true)
        #expect(try ForeignSamples.wall("rtsp://192.0.2.1/a", "a.M3U8").document.inputs.count == 1)
        let many = "#EXTM3U\n" + String(repeating: "rtsp://192.0.2.1/\n", count: 1003)
        let wall = try ForeignSamples.wall(many)
        #expect(wall.document.inputs.count == 1000 && Set(wall.document.inputs.map(\.id)).count == 1000)
        #expect(wall.notes == ["3 tiles are left out: 1000 are the most on a wall."])
    }
}
