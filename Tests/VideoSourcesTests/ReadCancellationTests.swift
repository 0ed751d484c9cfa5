import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Reads of pipes without data return when cancelled: that these tests end is half of the proof.
struct ReadCancellationTests {
    static func expectCancelled(_ error: StreamError?) {
        #expect(error?.code == .readFailed)
        #expect(error?.underlying == ECANCELED)
    }

    @Test func cancelledBefore() throws {
        try withPipe { input, output in
            defer { close(output) }
            let cancellation = ReadCancellation()
            cancellation.cancel()
            cancellation.cancel()
            Self.expectCancelled(
                #expect(throws: StreamError.self) {
                    try Y4MReader(descriptor: input, name: "pipe", cancellation: cancellation)
                })
            let raw = try RawReader(
                descriptor: input, name: "pipe", format: .i420, size: VideoSize(width: 2, height: 2),
                cancellation: cancellation)
            Self.expectCancelled(#expect(throws: StreamError.self) { try raw.next() })
        }
    }

    /// A named pipe that is never opened for writing.
    @Test func pipeWithoutWriter() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let cancellation = ReadCancellation()
        cancellation.cancel()
        Self.expectCancelled(
            #expect(throws: StreamError.self) { try Y4MReader(path: path, cancellation: cancellation) })
    }

    @Test func namedPipeIsRead() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let bytes = Y4MReaderTests.file("YUV4MPEG2 W4 H2 F25:1", frameBytes: 12, frames: 3)
        // Opened for both, so that it needs no reader yet; the copy for the writer comes from the same pipe.
        let both = open(path, O_RDWR)
        let reader = try {
            let writer = try BackgroundWriter(bytes, to: open(path, O_WRONLY), piece: 5)
            defer { writer.join() }
            return try Y4MReader(path: path)
        }()
        close(both)
        #expect(try Y4MReaderTests.readAll(reader).count == 3)
    }

    /// A source whose reader waits in the middle of a frame is disposed of.
    @Test func disposeEndsAReadThatWaits() throws {
        try withPipe { input, output in
            defer { close(output) }
            let bytes =
                Y4MReaderTests.file("YUV4MPEG2 W4 H2 F25:1", frameBytes: 12, frames: 1) + Array("FRAME\n1234".utf8)
            try #require(write(output, bytes, bytes.count) == bytes.count)
            let cancellation = ReadCancellation()
            let source = PacedSource(name: "pipe", cancellation: cancellation) {
                try Y4MReader(descriptor: input, name: "pipe", cancellation: cancellation)
            }
            let mailbox = FrameMailbox()
            let stream = VideoStream(source: source, sinks: [mailbox])
            try stream.initialize()
            try stream.start()
            while !mailbox.hasFrame { sched_yield() }
            stream.dispose()
            #expect(mailbox.statistics.received == 1)
        }
    }
}
