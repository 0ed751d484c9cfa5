import CVitrailPipeWire
import Glibc
import MediaConformance
import MediaIO
import TestSupport
import Testing

@testable import PipeWireMedia

/// What nodes of PipeWire show, and what they do wrong.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class PipeWireReaderTests {
    private let desktop: DesktopServices
    private static let size = VideoSize(width: 67, height: 45)

    init() throws { desktop = try DesktopServices() }

    private func read(_ name: String = "producer", timeout: Duration = .seconds(60)) throws -> PipeWireReader {
        // The node is there a moment after its program began.
        let end = MonotonicTime.now + .seconds(60)
        while MonotonicTime.now < end {
            let connection = try PipeWireConnection("the test", socket: desktop.socket)
            try connection.update()
            if connection.sources.contains(where: { $0.name == name }) { break }
            usleep(50_000)
        }
        return try PipeWireReader(
            .node(name), timeout: timeout, cancellation: ReadCancellation(), socket: desktop.socket)
    }

    /// Starts a node of a still picture without padding.
    private func produce() throws -> (producer: PipeWireProducer, picture: PipeWireProducer.Picture, bytes: [UInt8]) {
        let sent = Self.planes(.bgrx32, Self.size) { _ in Self.size.width * 4 }
        let picture = PipeWireProducer.Picture(blocks: sent.planes, strides: sent.strides)
        let offer = PipeWireProducer.Offer(format: SPA_VIDEO_FORMAT_BGRx.rawValue, size: Self.size)
        return (try PipeWireProducer(desktop.socket, offer, picture), picture, sent.packed)
    }

    private func next(of reader: PipeWireReader) throws -> VideoFrame {
        let frame = try reader.next()
        return try #require(frame)
    }

    /// The planes of a picture with padded rows, and its bytes without padding.
    private static func planes(
        _ format: PixelFormat, _ size: VideoSize, padding: (Int) -> Int
    ) -> (planes: [[UInt8]], strides: [Int32], packed: [UInt8]) {
        var generator = SeededGenerator(seed: 7)
        var (planes, strides, packed) = ([[UInt8]](), [Int32](), [UInt8]())
        for (index, plane) in format.planes.enumerated() {
            let (row, rows) = (plane.rowBytes(size), plane.height(size))
            let stride = padding(index)
            precondition(stride >= row)
            var bytes = [UInt8](repeating: 0xEE, count: stride * rows)
            for line in 0..<rows {
                let samples = (0..<row).map { _ in UInt8.random(in: 0...255, using: &generator) }
                bytes.replaceSubrange(line * stride..<line * stride + row, with: samples)
                packed += samples
            }
            planes.append(bytes)
            strides.append(Int32(stride))
        }
        while strides.count < 4 { strides.append(0) }
        return (planes, strides, packed)
    }

    @Test("Every byte of every format arrives, in planes of their own", arguments: PipeWireFormat.all)
    func formats(_ number: UInt32) throws {
        let name = try #require(vitrail_pw_format_name(number).map { String(cString: $0) })
        // As the reader names them, so that it shows which one is wrong.
        let expected = try #require(PipeWireFormat.pixelFormat(spa_video_format(number)), "\(name)")
        let sent = Self.planes(expected, Self.size) { index in expected.planes[index].rowBytes(Self.size) + 13 }
        let producer = try PipeWireProducer(
            desktop.socket, .init(format: number, size: Self.size), .init(blocks: sent.planes, strides: sent.strides))
        let reader = try read()
        #expect(reader.info.format == expected && reader.info.size == Self.size && reader.info.isLive)
        #expect(reader.info.frameRate == Rational(25) && reader.info.container == "pipewire")
        let frame = try next(of: reader)
        let isEqual = try frame.pixelBuffer.packedBytes == sent.packed
        #expect(isEqual, "\(name)")
        producer.end()
    }

    @Test(
        "Planes in one piece of memory lie as GStreamer's or V4L2's",
        arguments: [PixelFormat.i420, .nv12, .i422, .i444, .yuyv, .bgr24], [0, 4, 64])
    func layouts(_ format: PixelFormat, _ alignment: Int) throws {
        let number = vitrail_pw_format(format.names(in: .gstreamer)[0])
        let size = alignment == 64 ? VideoSize(width: 66, height: 46) : Self.size
        func rounded(_ count: Int, _ unit: Int) -> Int { (count + unit - 1) / unit * unit }
        let first = rounded(format.planes[0].rowBytes(size), 64)
        var sent = Self.planes(format, size) { index in
            switch alignment {
            // V4L2: the first plane's stride, divided.
            case 64:
                index == 0
                    ? first
                    : first * format.planes[index].rowBytes(VideoSize(width: 64, height: 2))
                        / format.planes[0].rowBytes(VideoSize(width: 64, height: 2))
            default: rounded(format.planes[index].rowBytes(size), 4)
            }
        }
        // GStreamer rounds the rows of the first plane up to an even number.
        if alignment != 64, format == .i420 || format == .nv12 {
            sent.planes[0] += [UInt8](repeating: 0xEE, count: Int(sent.strides[0]))
        }
        let stride = alignment == 0 ? 0 : sent.strides[0]
        let producer = try PipeWireProducer(
            desktop.socket, .init(format: number, size: size),
            .init(blocks: [sent.planes.flatMap { $0 }], strides: [stride, 0, 0, 0]))
        let frame = try next(of: read())
        let isEqual = try frame.pixelBuffer.packedBytes == sent.packed
        #expect(isEqual)
        producer.end()
    }

    @Test("Time, crop, orientation, colours and damage arrive")
    func attributes() throws {
        let sent = Self.planes(.i420, Self.size) { PixelFormat.i420.planes[$0].rowBytes(Self.size) }
        var picture = PipeWireProducer.Picture(blocks: sent.planes, strides: sent.strides)
        picture.crop = Rectangle(x: 4, y: 6, width: 30, height: 20)
        picture.transform = SPA_META_TRANSFORMATION_Flipped90.rawValue
        let producer = try PipeWireProducer(
            desktop.socket,
            .init(
                format: SPA_VIDEO_FORMAT_I420.rawValue, size: Self.size,
                properties: [
                    SPA_FORMAT_VIDEO_colorMatrix.rawValue: SPA_VIDEO_COLOR_MATRIX_BT601.rawValue,
                    SPA_FORMAT_VIDEO_colorRange.rawValue: SPA_VIDEO_COLOR_RANGE_0_255.rawValue,
                    SPA_FORMAT_VIDEO_transferFunction.rawValue: SPA_VIDEO_TRANSFER_SRGB.rawValue,
                    SPA_FORMAT_VIDEO_colorPrimaries.rawValue: SPA_VIDEO_COLOR_PRIMARIES_BT709.rawValue,
                    SPA_FORMAT_VIDEO_chromaSite.rawValue: SPA_VIDEO_CHROMA_SITE_COSITED.rawValue,
                ]), picture)
        let reader = try read()
        let first = try next(of: reader)
        #expect(first.presentationTime == .zero)
        #expect(first.attributes.crop == picture.crop)
        // Mirrored and then turned to the left; so it is turned to the right and then mirrored.
        #expect(first.attributes.rotation == .clockwise90 && first.attributes.mirror == .horizontal)
        #expect(
            first.attributes.colorTags
                == ColorTags(
                    matrix: .bt601, range: .full, primaries: .bt709, transfer: .sRGB, chromaLocation: .topLeft))
        var last = first
        for _ in 0..<5 {
            let frame = try next(of: reader)
            let (before, now) = try (#require(last.presentationTime), #require(frame.presentationTime))
            #expect(now > before && Int(((now - before) / .milliseconds(1)).rounded()) % 40 == 0)
            last = frame
        }
        #expect(reader.corruptCount == 0 && !last.attributes.isDamaged)
        picture.flags = UInt32(SPA_META_HEADER_FLAG_CORRUPTED)
        (picture.hasTime, picture.crop) = (false, nil)
        producer.show(picture)
        while !last.attributes.isDamaged { last = try next(of: reader) }
        #expect(last.presentationTime == nil && last.attributes.crop == nil && reader.corruptCount > 0)
        producer.end()
    }

    @Test("A picture that is kept does not change, also when its program has ended")
    func kept() throws {
        let (producer, _, sent) = try produce()
        let reader = try read()
        let frame = try next(of: reader)
        producer.show(.init(blocks: [sent.map { ~$0 }]))
        while try next(of: reader).pixelBuffer.packedBytes == sent {}
        producer.end()
        let error = #expect(throws: StreamError.self) { while try reader.next() != nil {} }
        #expect(error?.code == .readFailed && error?.description == "pipewire:producer is gone.", "\(error as Any)")
        let isEqual = try frame.pixelBuffer.packedBytes == sent
        #expect(isEqual)
    }

    @Test("What does not fit is left out and counted; a pointer's movement is no picture")
    func damaged() throws {
        let (producer, whole, sent) = try produce()
        let reader = try read()
        // Rows that end beyond the memory, or overlap, or begin beyond it.
        for stride: Int32 in [.max, .min, 1, 4096, 0] {
            var wrong = whole
            wrong.strides[0] = stride
            wrong.isEmpty = stride == 0
            wrong.blocks[0].replaceSubrange(0..<400, with: repeatElement(0, count: 400))
            producer.show(wrong)
            let before = reader.corruptCount
            let later = try SystemThread(for: "the test") {
                usleep(500_000)
                producer.show(whole)
            }
            let end = MonotonicTime.now + .seconds(1)
            while MonotonicTime.now < end {
                let isEqual = try next(of: reader).pixelBuffer.packedBytes == sent
                #expect(isEqual, "\(stride)")
            }
            later.join()
            #expect((reader.corruptCount > before) == (stride != 0), "\(stride)")
        }
        producer.end()
    }

    @Test("A screen that stands still is returned again, at its time")
    func still() throws {
        var (producer, picture, sent) = try produce()
        _ = try read()
        let reader = try PipeWireReader(
            .node("producer"), timeout: .seconds(60), cancellation: ReadCancellation(), socket: desktop.socket,
            standsStill: true)
        picture.isEmpty = true
        producer.show(picture)
        var last = try next(of: reader)
        // What comes at once was still under way.
        var count = 0
        while count < 3 {
            let begin = MonotonicTime.now
            let frame = try next(of: reader)
            let (before, time) = try (#require(last.presentationTime), #require(frame.presentationTime))
            #expect(time > before)
            if MonotonicTime.now - begin >= .milliseconds(900) {
                count += 1
                #expect(time - before >= PipeWireReader.stillTime)
                let isEqual = try frame.pixelBuffer.packedBytes == sent
                #expect(isEqual)
            }
            last = frame
        }
        producer.end()
    }

    @Test("Memory that is shorter than it says is not read")
    func shortMemory() throws {
        let sent = Self.planes(.bgrx32, Self.size) { _ in Self.size.width * 4 }
        let producer = try PipeWireProducer(
            desktop.socket,
            .init(format: SPA_VIDEO_FORMAT_BGRx.rawValue, size: Self.size, claimedBytes: UInt32(sent.planes[0].count)),
            .init(blocks: sent.planes, strides: sent.strides))
        let error = #expect(throws: StreamError.self) { _ = try self.read() }
        #expect(error?.code == .malformed, "\(error as Any)")
        producer.end()
    }

    @Test("What is not there, and what cannot be drawn, says so")
    func failures() throws {
        let none = #expect(throws: StreamError.self) {
            _ = try PipeWireReader(
                .node("x"), timeout: .seconds(1), cancellation: ReadCancellation(), socket: "/proc/nowhere")
        }
        #expect(none?.code == .cannotOpen && none?.description.contains("does not run") == true, "\(none as Any)")
        let missing = #expect(throws: StreamError.self) {
            _ = try PipeWireReader(
                .camera, timeout: .seconds(1), cancellation: ReadCancellation(), socket: desktop.socket)
        }
        #expect(missing?.description.contains("PipeWire has no cameras now") == true, "\(missing as Any)")
        let producer = try PipeWireProducer(
            desktop.socket, .init(format: SPA_VIDEO_FORMAT_IYU1.rawValue, size: Self.size),
            .init(blocks: [[1, 2, 3]]))
        let error = #expect(throws: StreamError.self) { _ = try self.read(timeout: .seconds(2)) }
        #expect(error?.code == .noVideo && error?.description.contains("no format") == true, "\(error as Any)")
        producer.end()
    }

    @Test("A node is found by its name, its name for people and its number")
    func names() throws {
        let (producer, _, sent) = try produce()
        _ = try read()
        let connection = try PipeWireConnection("the test", socket: desktop.socket)
        try connection.update()
        let node = try #require(connection.sources.first { $0.name == "producer" })
        for name in [node.name, "The producer", node.serial] {
            let reader = try PipeWireReader(
                .node(name), timeout: .seconds(60), cancellation: ReadCancellation(), socket: desktop.socket)
            let isEqual = try next(of: reader).pixelBuffer.packedBytes == sent
            #expect(isEqual, "\(name)")
        }
        producer.end()
    }

    @Test("A wait is cancelled")
    func cancelling() async throws {
        let (producer, _, _) = try produce()
        _ = try read()
        let (cancellation, socket) = (ReadCancellation(), desktop.socket)
        let error = try await failure(onOwnThread: { () throws(StreamError) in
            let reader = try PipeWireReader(
                .node("producer"), timeout: .seconds(60), cancellation: cancellation, socket: socket)
            try SystemThread(for: "the test") {
                usleep(200_000)
                cancellation.cancel()
            }.detach()
            while try reader.next() != nil {}
        })
        #expect(error?.description.contains("cancelled") == true, "\(error as Any)")
        producer.end()
    }

    @Test("A source that shows a node keeps the contract of sources")
    func conformance() async throws {
        let (producer, _, _) = try produce()
        _ = try read()
        let socket = desktop.socket
        let kit = SourceConformance({
            LiveSource(name: "pipewire") {
                try PipeWireReader(
                    .node("producer"), timeout: .seconds(60), cancellation: ReadCancellation(), socket: socket)
            }
        })
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation == nil, "\(violation.map(String.init(describing:)) ?? "")")
        producer.end()
    }

    @Test("What was turned and mirrored is shown upright", arguments: UInt32(0)...7)
    func orientation(_ transform: UInt32) {
        // A picture of three by two, as it was stored: mirrored, then turned counter-clockwise.
        var stored = [[1, 2, 3], [4, 5, 6]]
        if transform >= 4 { stored = stored.map { $0.reversed() } }
        for _ in 0..<transform % 4 {
            stored = stored[0].indices.reversed().map { column in stored.map { $0[column] } }
        }
        let orientation = Orientation(pipeWire: transform)
        for _ in 0..<orientation.rotation.rawValue / 90 {
            stored = stored[0].indices.map { column in stored.reversed().map { $0[column] } }
        }
        if orientation.mirror == .horizontal { stored = stored.map { $0.reversed() } }
        #expect(stored == [[1, 2, 3], [4, 5, 6]])
    }
}
