import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Whatever bytes a file has, reading it gives valid frames and then an end or a ``StreamError``, and no other error.
struct Y4MFuzzTests {
    static let corpus: [[UInt8]] = [
        Y4MReaderTests.file("YUV4MPEG2 W8 H6 F25:1 Ip A1:1 C420mpeg2 XCOLORRANGE=FULL", frameBytes: 72, frames: 3),
        Y4MReaderTests.file("YUV4MPEG2 W1 H1", frameBytes: 3, frames: 20, frameHeader: "FRAME Ip"),
        Y4MReaderTests.file("YUV4MPEG2 W5 H3 F30000:1001 XYSCSS=420JPEG", frameBytes: 27, frames: 2),
        Y4MReaderTests.file("YUV4MPEG2 W5 H3 C422p10 XCOLORRANGE=FULL", frameBytes: 66, frames: 2),
        Y4MReaderTests.file("YUV4MPEG2 W3 H3 Cmono9", frameBytes: 18, frames: 2),
        Y4MReaderTests.file("YUV4MPEG2 W3 H3 C444alpha", frameBytes: 36, frames: 2),
        Array("YUV4MPEG2 W4 H4 C420p10 A0:0 F0:0\nFRAME\n".utf8),
    ]
    static let words = [
        "W", "H9", " ", "\n", "FRAME\n", "C420paldv ", "Cmono16 ", "C411 ", "p10", ":", "0", "-1", "65536", "X",
        "YUV4MPEG2 ", "9999999999",
    ]

    static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            // Half of the changes hit the header, where a byte means more.
            let end = Bool.random(using: &random) ? min(bytes.count, 70) : bytes.count
            let place = Int.random(in: 0...end, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...20, using: &random)))
            case 3: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    @Test func mutatedFiles() throws {
        let folder = TemporaryFolder()
        let descriptor = open(folder.write("fuzz.y4m", []), O_RDWR)
        defer { close(descriptor) }
        var random = SeededGenerator(seed: 20_260)
        var (frames, errors) = (0, 0)
        for round in 0..<20_000 {
            let bytes = Self.mutate(Self.corpus[round % Self.corpus.count], &random)
            try #require(ftruncate(descriptor, 0) == 0)
            try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
            lseek(descriptor, 0, SEEK_SET)
            do throws(StreamError) {
                let reader = try Y4MReader(descriptor: descriptor, name: "fuzz.y4m")
                while let frame = try reader.next() {
                    guard frame.planes.size == reader.info.size, frame.planes.format == reader.info.format
                    else {
                        Issue.record("Round \(round): a frame of another shape.")
                        break
                    }
                    frames += 1
                }
            } catch {
                errors += 1
                if !error.description.contains("fuzz.y4m") { Issue.record("Round \(round): \(error)") }
            }
        }
        // Both ways out were taken often, so the mutations are neither too mild nor too wild.
        #expect(frames > 5000)
        #expect(errors > 5000)
    }
}
