import CVitrailGStreamer
import Glibc
import MediaConformance
import MediaIO
import TestSupport
import Testing

@testable import GStreamerMedia

/// Pipelines of GStreamer that run, and what they deliver.
@Suite(.timeLimit(.minutes(25))) struct PipelineReaderTests {
    private static let size = VideoSize(width: 65, height: 47)

    @Test("Every picture arrives, with its time, until the end")
    func pictures() throws {
        let reader = try PipelineReader(
            "videotestsrc num-buffers=5 ! video/x-raw,format=I420,width=65,height=47,framerate=25/1")
        #expect(reader.info.size == Self.size && reader.info.format == .i420 && !reader.info.isLive)
        #expect(reader.info.frameRate == Rational(25))
        var times: [Duration?] = []
        while let frame = try reader.next() { times.append(frame.presentationTime) }
        #expect(times == (0..<5).map { .milliseconds(40 * $0) })
    }

    @Test("A live pipeline is live, and its pictures are lent: one that is kept does not change")
    func live() throws {
        let reader = try PipelineReader(
            "videotestsrc is-live=true pattern=snow ! video/x-raw,format=NV12,width=64,height=48,framerate=50/1")
        #expect(reader.info.isLive)
        let kept = try #require(try reader.next()).pixelBuffer
        let before = kept.withPlane(0) { Array($0.bytes) }
        for _ in 0..<40 { #expect(try reader.next() != nil) }
        #expect(kept.withPlane(0) { Array($0.bytes) } == before)
    }

    @Test("It begins again where its source can")
    func rewinding() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/clip.avi"
        let size = VideoSize(width: 64, height: 48)
        let writer = PipelineSender(
            to: "jpegenc ! avimux ! filesink location=\(path)", size: size, frameRate: Rational(25))
        let picture = try PixelBuffer(
            packed: [UInt8](repeating: 128, count: PixelFormat.i420.packedByteCount(size)), format: .i420, size: size)
        for _ in 0..<3 { try writer.send(picture) }
        writer.end(within: .seconds(120))
        let reader = try PipelineReader("filesrc location=\(path) ! avidemux ! jpegdec")
        #expect(reader.info.duration == .milliseconds(120))
        while try reader.next() != nil {}
        try reader.rewind()
        let time = try reader.next()?.presentationTime
        #expect(time == .zero)
    }

    @Test("An appsink of the description is read, and formats that are none of ours are converted")
    func ends() throws {
        let own = try PipelineReader("videotestsrc num-buffers=1 ! video/x-raw,format=UYVY ! appsink name=mine")
        #expect(own.info.format == .uyvy)
        let converted = try PipelineReader("videotestsrc num-buffers=1 ! video/x-raw,format=RGB16 ! appsink")
        #expect(converted.info.format == .rgb565)
        // Tiles of 4 × 4 pixels are no format of ours.
        let tiled = try PipelineReader("videotestsrc num-buffers=1 ! video/x-raw,format=NV12_4L4")
        #expect(try tiled.next() != nil)
    }

    @Test(
        "What cannot be shown says why, without passwords",
        arguments: [
            ("foosrc ! bar", StreamError.Code.unsupported, "no element \"foosrc\""),
            ("videotestsrc !! x", .unsupported, "is not understood"),
            ("videotestsrc num-buffers=0", .noVideo, "before its first picture"),
            ("audiotestsrc num-buffers=10", .unsupported, "is not understood"),
            ("filesrc location=/nowhere/user-pw=hidden", .readFailed, "nowhere"),
            ("rtspsrc location=rtsp://admin:hidden@127.0.0.1:9/x user-pw=hidden", .readFailed, "has failed"),
            ("videotestsrc ! identity error-after=2 user-pw=\"hidden too\"", .unsupported, "***"),
            ("videotestsrc ! identity drop-probability=1", .noVideo, "delivers no picture"),
            ("videotestsrc ! jpegenc ! appsink", .readFailed, "negotiated"),
        ])
    func failures(_ description: String, _ code: StreamError.Code, _ words: String) throws {
        let error = #expect(throws: StreamError.self) {
            _ = try PipelineReader(description, timeout: .seconds(2))
        }
        #expect(error?.code == code && error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("hidden") == false, "\(error?.description ?? "")")
    }

    @Test("An element that fails later ends reading, with its reason")
    func laterFailure() throws {
        let reader = try PipelineReader("videotestsrc ! identity error-after=3")
        let error = #expect(throws: StreamError.self) { while try reader.next() != nil {} }
        #expect(error?.code == .readFailed && error?.description.contains("identity") == true, "\(error as Any)")
    }

    @Test("Waiting for a picture that does not come is cancelled")
    func cancelling() async throws {
        let cancellation = ReadCancellation()
        let error = try await failure(onOwnThread: { () throws(StreamError) in
            let reader = try PipelineReader(
                "appsrc caps=video/x-raw,format=GRAY8,width=8,height=8,framerate=25/1 format=time ! appsink",
                cancellation: cancellation,
                feeding: { source in
                    _ = gst_app_src_push_buffer(source, gst_buffer_new_allocate(nil, 64, nil))
                })
            _ = try reader.next()
            // No other one was pushed: without the cancellation it would wait for ever.
            try SystemThread(for: "the test") {
                usleep(200_000)
                cancellation.cancel()
            }.detach()
            _ = try reader.next()
        })
        #expect(error?.code == .readFailed && error?.description.contains("cancelled") == true, "\(error as Any)")
    }

    @Test("A source that plays a pipeline keeps the contract of sources", arguments: ["paced", "live"])
    func conformance(_ kind: String) async throws {
        let kit = SourceConformance(
            {
                let open: @Sendable () throws -> any FrameReader = {
                    try PipelineReader("videotestsrc num-buffers=200 ! video/x-raw,width=64,height=48,framerate=200/1")
                }
                return kind == "paced" ? PacedSource(name: "gst", open: open) : LiveSource(name: "gst", open: open)
            },
            broken: { PacedSource(name: "gst") { try PipelineReader("filesrc location=/nowhere") } })
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation == nil, "\(violation.map(String.init(describing:)) ?? "")")
    }

    @Test("Memory of devices is passed on, and returns to the pipeline")
    func dmaBuffers() throws {
        let folder = TemporaryFolder()
        let reader = try PipelineReader(
            "appsrc name=in caps=video/x-raw,format=NV12,width=64,height=48,framerate=25/1 format=time ! appsink",
            feeding: { source in
                let bytes = 64 * 48 * 3 / 2
                let file = open("\(folder.path)/memory", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                let samples = (0..<bytes + 4096).map { UInt8(truncatingIfNeeded: $0 * 7) }
                _ = samples.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                let buffer = gst_buffer_new()
                let allocator = gst_dmabuf_allocator_new()
                // The memory owns the descriptor. The picture begins at a place of its own in it.
                let memory = gst_dmabuf_allocator_alloc(allocator, file, gsize(bytes + 4096))
                gst_memory_resize(memory, 4096, gsize(bytes))
                gst_buffer_append_memory(buffer, memory)
                gst_app_src_push_buffer(source, buffer)
                gst_app_src_end_of_stream(source)
                gst_object_unref(allocator)
            })
        var frame = try reader.next()
        guard case .dmaBuffer(let image)? = frame?.image else {
            Issue.record("\(frame as Any)")
            return
        }
        #expect(image.planes.map(\.offset) == [4096, 4096 + 64 * 48] && image.planes.map(\.bytesPerRow) == [64, 64])
        let pixels = try FrameImage.dmaBuffer(image).mapped()
        let first = pixels.withPlane(1) { $0.bytes[5] }
        #expect(first == UInt8(truncatingIfNeeded: (4096 + 64 * 48 + 5) * 7))
        frame = nil
        #expect(try reader.next() == nil)
    }
}
