import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Regular files skip to a frame by its place, without reading those before it.
struct FileSkippingTests {
    static let frameBytes = 12

    static func y4m(_ folder: borrowing TemporaryFolder, _ frameHeaders: [String]) throws -> Y4MReader {
        var bytes = Array("YUV4MPEG2 W4 H2 F10:1\n".utf8)
        for (index, header) in frameHeaders.enumerated() {
            bytes += Array("\(header)\n".utf8) + [UInt8](repeating: UInt8(index), count: frameBytes)
        }
        return try Y4MReader(path: folder.write("a.y4m", bytes))
    }

    static func raw(_ folder: borrowing TemporaryFolder) throws -> RawReader {
        let bytes = (0..<50).flatMap { [UInt8](repeating: UInt8($0), count: frameBytes) }
        return try RawReader(
            path: folder.write("a.yuv", bytes), format: .i420, size: VideoSize(width: 4, height: 2),
            frameRate: Rational(10))
    }

    static func check(_ reader: any FrameReader, _ time: Int, _ index: Int?) throws {
        let isPossible = reader.skip(to: .milliseconds(time))
        #expect(isPossible)
        let frame = try reader.next()
        #expect(frame?.planes.packedBytes.first.map { Int($0) } == index)
        #expect(frame?.presentationTime == index.map { .milliseconds($0 * 100) })
    }

    @Test func skippingLeadsToTheFrameOfThatMoment() throws {
        let folder = TemporaryFolder()
        let readers: [any FrameReader] = [
            try Self.y4m(folder, [String](repeating: "FRAME", count: 50)), try Self.raw(folder),
        ]
        for reader in readers {
            // Not back, and past the end to the last frame, once.
            for (time, index) in [(300, 3), (450, 4), (0, 5), (3999, 39), (90_000, 49), (91_000, nil)] {
                try Self.check(reader, time, index)
            }
            try reader.rewind()
            try Self.check(reader, 2000, 20)
        }
    }

    /// The lengths of frames with parameters are not known before they are read.
    @Test func framesWithParametersAreRead() throws {
        let folder = TemporaryFolder()
        let plain = [String](repeating: "FRAME", count: 20)
        // Together, the parameters are as long as a frame.
        let later = ["FRAME", "FRAME", "FRAME Xabcdefg"] + plain + ["FRAME Xabcdefg"]
        for headers in [["FRAME Ip"] + plain, later, [String](repeating: "FRAME Xabcdefghijklmnop", count: 20)] {
            let reader = try Self.y4m(folder, headers)
            _ = try reader.next()
            let isPossible = reader.skip(to: .milliseconds(500))
            #expect(!isPossible)
            for index in 1..<headers.count {
                #expect(try reader.next()?.planes.packedBytes.first == UInt8(index))
            }
            #expect(try reader.next() == nil)
        }
    }

    @Test func pipesCannotSkip() throws {
        let bytes = Y4MReaderTests.file("YUV4MPEG2 W4 H2 F10:1", frameBytes: Self.frameBytes, frames: 3)
        try withPipe { input, output in
            let writer = try BackgroundWriter(bytes, to: output, piece: 4096)
            let reader = try Y4MReader(descriptor: input, name: "standard input")
            let isPossible = reader.skip(to: .milliseconds(100))
            #expect(!isPossible)
            while try reader.next() != nil {}
            writer.join()
        }
    }
}
