import MediaIO
import TestSupport
import Testing
import VideoSources

/// Y4M that is broken: what is whole before the fault is delivered, and the error says what is wrong.
struct Y4MErrorTests {
    struct Failure {
        let bytes: [UInt8]
        let code: StreamError.Code
        /// What the sentence must say.
        let words: [String]

        init(_ text: String, _ code: StreamError.Code, _ words: String...) {
            self.init(Array(text.utf8), code, words)
        }

        init(_ bytes: [UInt8], _ code: StreamError.Code, _ words: [String]) {
            (self.bytes, self.code, self.words) = (bytes, code, words)
        }
    }

    @Test(arguments: [
        Failure("", .malformed, "is empty"),
        Failure("\n", .malformed, "not Y4M"),
        Failure("YUV4MPEG2", .malformed, "ends after 9 bytes"),
        Failure("YUV4MPEG2 W4 H2", .malformed, "ends after 15 bytes"),
        Failure("YUV4MPEG W4 H2\n", .malformed, "does not begin with YUV4MPEG2"),
        Failure("YUV4MPEG2W4 H2\n", .malformed, "does not begin with YUV4MPEG2"),
        Failure("RIFF....AVI \n", .malformed, "does not begin with YUV4MPEG2"),
        Failure([UInt8](repeating: 0, count: 5000), .malformed, ["does not end within 1024 bytes"]),
        Failure("YUV4MPEG2 " + String(repeating: "X ", count: 4000), .malformed, "does not end within 1024 bytes"),
        Failure("YUV4MPEG2\n", .malformed, "no width"),
        Failure("YUV4MPEG2 W4\n", .malformed, "no height"),
        Failure("YUV4MPEG2 H4\n", .malformed, "no width"),
        Failure("YUV4MPEG2 W0 H2\n", .malformed, "W0"),
        Failure("YUV4MPEG2 W-4 H2\n", .malformed, "W-4"),
        Failure("YUV4MPEG2 W H2\n", .malformed, "the size W"),
        Failure("YUV4MPEG2 W4 H2x\n", .malformed, "H2x"),
        Failure("YUV4MPEG2 W99999999999999999999 H2\n", .malformed, "W99999999999999999999"),
        Failure("YUV4MPEG2 W100000 H2\n", .unsupported, "100000x2", "65536"),
        Failure("YUV4MPEG2 W4 H9223372036854775807\n", .unsupported, "65536"),
        Failure("YUV4MPEG2 W65536 H65536\nFRAME\nabc", .readFailed, "6442450950 bytes", "9 follow"),
        Failure("YUV4MPEG2 W4 H2 F25\n", .malformed, "F25"),
        Failure("YUV4MPEG2 W4 H2 F25:x\n", .malformed, "F25:x"),
        Failure("YUV4MPEG2 W4 H2 A1:99999999999\n", .malformed, "A1:99999999999"),
        Failure("YUV4MPEG2 W4 H2 C420p11\n", .unsupported, "C420p11", "420p10", "yuv420p"),
        Failure("YUV4MPEG2 W4 H2 C420P10\n", .unsupported, "C420P10", "444alpha"),
        Failure("YUV4MPEG2 W4 H2 C410\n", .unsupported, "C410", "mono16"),
        Failure("YUV4MPEG2 W4 H2 C\n", .unsupported, "layout C"),
        Failure("YUV4MPEG2 W4 H2 XYSCSS=423\n", .unsupported, "C423"),
        Failure("YUV4MPEG2 C444 W65536 H65536\nFRAME\nabc", .readFailed, "12884901894 bytes", "9 follow"),
        Failure("YUV4MPEG2 C420p10\n", .malformed, "no width"),
    ]) func brokenHeaderIsExplained(_ test: Failure) {
        let folder = TemporaryFolder()
        let path = folder.write("broken.y4m", test.bytes)
        let error = #expect(throws: StreamError.self) { try Y4MReader(path: path) }
        #expect(error?.code == test.code)
        for word in test.words + [path] { #expect(error?.description.contains(word) == true, "\(word)") }
        #expect(error?.description.contains("\n") == false)
    }

    @Test(arguments: [
        (Array("FRAME\n12345".utf8), StreamError.Code.readFailed, ["frame 2", "5 of 12 bytes"]),
        (Array("FRAME\n".utf8), .readFailed, ["frame 2", "0 of 12 bytes"]),
        (Array("FRA".utf8), .readFailed, ["3 bytes into the header of frame 2"]),
        (Array("FRAMES\n123456789012".utf8), .malformed, ["frame 2", "does not begin with FRAME"]),
        (Array("\n".utf8), .malformed, ["frame 2", "does not begin with FRAME"]),
        ([UInt8](repeating: 0x41, count: 2000), .malformed, ["frame 2", "does not begin with FRAME"]),
        (Array("FRAME ".utf8) + [UInt8](repeating: 0x41, count: 2000), .malformed, ["frame 2"]),
    ]) func framesBeforeTheDamageAreDelivered(_ rest: [UInt8], _ code: StreamError.Code, _ words: [String]) throws {
        let folder = TemporaryFolder()
        let bytes = Y4MReaderTests.file("YUV4MPEG2 W4 H2 F25:1", frameBytes: 12, frames: 2) + rest
        let path = folder.write("broken.y4m", bytes)
        let reader = try Y4MReader(path: path)
        for frame in 0..<2 {
            #expect(try reader.next()?.planes.packedBytes == (0..<12).map { UInt8($0 + frame) })
        }
        let error = #expect(throws: StreamError.self) { try reader.next() }
        #expect(error?.code == code)
        for word in words + [path] { #expect(error?.description.contains(word) == true, "\(word)") }
    }
}
