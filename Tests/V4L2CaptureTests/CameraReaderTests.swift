import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// Reading the frames of a camera, and what a camera does wrong.
@Suite(.timeLimit(.minutes(25))) struct CameraReaderTests {
    static let small = FakeCamera.Format("YUYV", [(64, 48)])

    static func reader(
        _ camera: FakeCamera, _ request: CameraRequest = CameraRequest(),
        cancellation: ReadCancellation = ReadCancellation(),
        isEncoded: Bool = false
    ) throws -> CameraReader {
        let system = FakeDevices(camera)
        let wake = try WakePipe()
        cancellation.onCancel(wake: wake)
        return try CameraReader(
            CameraSelector("").find(among: CameraDevice.all(system)), request, .everything, cancellation, wake,
            isEncoded,
            system)
    }

    static func first(_ frame: VideoFrame?) throws -> UInt8 {
        try #require(frame).pixelBuffer.withRow(0, ofPlane: 0) { $0[0] }
    }

    /// One object cancels every try of a source that opens a camera again and again.
    @Test func triesThatFailLeaveNoDescriptors() {
        let cancellation = ReadCancellation()
        func descriptors() -> Int { (0..<4096 as Range<Int32>).count { fcntl($0, F_GETFD) >= 0 } }
        let before = descriptors()
        for _ in 0..<200 {
            #expect(throws: StreamError.self) {
                try CameraReader(CameraSelector("no such camera"), cancellation: cancellation)
            }
        }
        // Other tests run meanwhile, and open a few.
        #expect(descriptors() - before < 200)
    }

    @Test func framesAreLentAndQueuedAgain() throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera)
        #expect(reader.info.size == VideoSize(width: 64, height: 48) && reader.info.isLive)
        #expect(reader.info.format == .yuyv && reader.info.frameRate == Rational(30))
        #expect(camera.status.queued == 4)
        camera.fill([1])
        var held = try reader.next()
        #expect(try Self.first(held) == 1 && held?.presentationTime == .zero)
        #expect(camera.status.queued == 3)
        camera.fill([2])
        held = try reader.next()
        #expect(try Self.first(held) == 2 && reader.report.copied == 0)
        camera.fill([3])
        // The first one is released, so its buffer is queued again.
        held = try reader.next()
        #expect(camera.status.queued == 2 && reader.report.captured == 3)
        #expect(try #require(held?.presentationTime) > .zero)
    }

    @Test func heldFramesNeverStopTheCamera() throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera)
        var held: [VideoFrame] = []
        for value in 1...20 {
            camera.fill([UInt8(value)])
            held.append(try #require(try reader.next()))
        }
        #expect(reader.report.copied == 18 && camera.status.queued >= 2)
        for (index, frame) in held.enumerated() { #expect(try Self.first(frame) == UInt8(index + 1)) }
    }

    @Test func onlyTheNewestFrameIsShown() throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera)
        for value in 1...3 { camera.fill([UInt8(value)]) }
        #expect(try Self.first(reader.next()) == 3 && reader.report.skipped == 2)
        let smooth = try Self.reader(FakeCamera("D", [Self.small]), CameraRequest(buffering: .smoothness))
        #expect(smooth.report.skipped == 0)
    }

    @Test func withSmoothnessEveryFrameIsShown() throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera, CameraRequest(buffering: .smoothness))
        #expect(camera.status.queued == 8)
        for value in 1...6 { camera.fill([UInt8(value)]) }
        for value in 1...6 { #expect(try Self.first(reader.next()) == UInt8(value)) }
    }

    @Test func damagedAndShortFramesAreSkippedAndCounted() throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera)
        camera.fill([1], flags: vitrail_buf_flag_error)
        camera.fill([2], used: 64 * 48 * 2 - 1)
        camera.fill([3], used: 0)
        camera.fill([4], lost: 5)
        #expect(try Self.first(reader.next()) == 4)
        #expect(reader.corruptCount == 3 && reader.report.lost == 5 && reader.report.captured == 4)
        // Sequence numbers wrap around, and drivers start counting again.
        camera.fill([5], sequence: .max)
        camera.fill([6], sequence: 1)
        camera.fill([7], sequence: 0)
        #expect(try Self.first(reader.next()) == 7)
        #expect(reader.report.lost == 5 + 1)
    }

    @Test func paddedRowsAreRead() throws {
        var behavior = FakeCamera.Behavior()
        behavior.extraStride = 32
        let camera = FakeCamera("C", [FakeCamera.Format("YU12", [(62, 46)])], behavior)
        let reader = try Self.reader(camera)
        camera.fill(Array(0...250))
        let buffer = try #require(try reader.next()).pixelBuffer
        // The padding of chroma is half of that of luma.
        let (luma, chroma) = (62 + 32, (62 + 32) / 2)
        #expect(buffer.withRow(3, ofPlane: 0) { $0[5] } == UInt8((3 * luma + 5) % 251))
        #expect(buffer.withRow(2, ofPlane: 1) { $0[7] } == UInt8((46 * luma + 2 * chroma + 7) % 251))
        #expect(buffer.withRow(22, ofPlane: 2) { $0[30] } == UInt8((46 * luma + (23 + 22) * chroma + 30) % 251))
    }

    @Test func fieldsAreHandledOrRefusedByName() throws {
        var behavior = FakeCamera.Behavior()
        behavior.field = V4L2_FIELD_ALTERNATE.rawValue
        let reader = try Self.reader(FakeCamera("C", [Self.small], behavior))
        #expect(reader.info.attributes.pixelAspectRatio == Rational(1, 2))
        behavior.field = V4L2_FIELD_SEQ_TB.rawValue
        let error = try #require(throws: StreamError.self) {
            try Self.reader(FakeCamera("C", [Self.small], behavior))
        }
        #expect(error.code == .unsupported && error.description.contains("V4L2_FIELD_SEQ_TB"))
    }

    @Test(arguments: [
        (-8, nil, "rows of 120 bytes, but a row of yuyv 64x48 has 128"), (0, 100, "buffers of 100 bytes"),
    ]) func lyingDriversAreRefused(_ strideError: Int, _ length: UInt32?, _ words: String) throws {
        var behavior = FakeCamera.Behavior()
        (behavior.strideError, behavior.bufferLength) = (strideError, length)
        let error = try #require(throws: StreamError.self) {
            try Self.reader(FakeCamera("C", [Self.small], behavior))
        }
        #expect(error.code == .malformed && error.description.contains(words), "\(error)")
    }

    @Test func whatCannotCaptureIsRefused() throws {
        var behavior = FakeCamera.Behavior()
        behavior.capabilities = vitrail_cap_video_capture
        let reading = try #require(throws: StreamError.self) {
            try Self.reader(FakeCamera("C", [Self.small], behavior))
        }
        #expect(reading.code == .unsupported && reading.description.contains("streaming"))
        let encoded = FakeCamera("C", [FakeCamera.Format("MJPG", [(64, 48)])])
        let refused = try #require(throws: StreamError.self) {
            try Self.reader(encoded, CameraRequest(format: .nv12))
        }
        #expect(
            refused.code == .unsupported && refused.description.contains("does not have the format nv12: it has MJPG"))
        // Without formats: a camera that has none, and one that was pulled out meanwhile.
        let empty = try #require(throws: StreamError.self) { try Self.reader(FakeCamera("C", [])) }
        #expect(empty.code == .unsupported && empty.description.contains("lists no format"))
        let gone = FakeCamera("C", [Self.small])
        let system = FakeDevices(gone)
        let device = try #require(CameraDevice.all(system).first)
        gone.change { $0.lastCall = vitrail_enum_fmt }
        let lost = try #require(throws: StreamError.self) {
            try CameraReader(device, CameraRequest(), .everything, ReadCancellation(), WakePipe(), false, system)
        }
        #expect(lost.code == .cannotOpen && lost.underlying == ENODEV)
        behavior = FakeCamera.Behavior()
        behavior.errors[vitrail_s_fmt] = EINVAL
        let format = try #require(throws: StreamError.self) { try Self.reader(FakeCamera("C", [Self.small], behavior)) }
        #expect(format.code == .unsupported && format.description.contains("refuses YUYV 64x48"))
    }

    /// What a USB camera's driver says when the cable is bad, or the bus is full.
    @Test(arguments: [
        (vitrail_s_fmt, EIO, "cannot be set to YUYV 64x48 at 30/s: Input/output error"),
        (vitrail_s_fmt, EPROTO, "cannot be set to YUYV 64x48"), (vitrail_s_fmt, ETIMEDOUT, "cannot be set to"),
        (vitrail_s_fmt, ENODEV, "C is not connected: connect it again"),
        (vitrail_streamon, EIO, "does not start: Input/output error"),
        (vitrail_streamon, ENODEV, "C is not connected: connect it again"),
        (vitrail_streamon, ENOSPC, "has too little bandwidth on its USB bus: choose a smaller size"),
    ]) func troublesMayPass(_ call: UInt, _ error: Int32, _ words: String) throws {
        var behavior = FakeCamera.Behavior()
        behavior.errors[call] = error
        let trouble = try #require(throws: StreamError.self) {
            try Self.reader(FakeCamera("C", [Self.small], behavior))
        }
        #expect(trouble.code == .cannotOpen && trouble.underlying == error)
        #expect(trouble.description.contains(words), "\(trouble)")
    }

    @Test(arguments: [(EIO, "no longer delivers"), (ENODEV, "is not connected")])
    func errorsOfReadingEndIt(_ error: Int32, _ words: String) throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera)
        camera.fill([1])
        camera.change { $0.errors[vitrail_dqbuf] = error }
        let failure = try #require(throws: StreamError.self) { try reader.next() }
        #expect(failure.code == .readFailed && failure.underlying == error && failure.description.contains(words))
    }

    @Test func aWaitIsCancelled() throws {
        let cancellation = ReadCancellation()
        let reader = try Self.reader(FakeCamera("C", [Self.small]), cancellation: cancellation)
        let thread = try SystemThread(for: "test") {
            usleep(20_000)
            cancellation.cancel()
        }
        let begin = MonotonicTime.now
        let failure = try #require(throws: StreamError.self) { try reader.next() }
        #expect(failure.description.contains("cancelled"))
        // Woken: the wait for the first frame would have ended later.
        #expect(MonotonicTime.now - begin < CameraReader.startTime)
        thread.join()
    }

    @Test func aStalledCameraIsRestarted() throws {
        let camera = FakeCamera("C", [Self.small])
        let reader = try Self.reader(camera)
        camera.fill([1])
        _ = try reader.next()
        // Nothing comes until it is started again.
        let thread = try SystemThread(for: "test") {
            camera.awaitStart(2)
            camera.fill([2])
        }
        #expect(try Self.first(reader.next()) == 2 && reader.report.restarts == 1)
        thread.join()
    }

    @Test func framesOutliveTheCamera() throws {
        let system: FakeDevices
        var frame: VideoFrame?
        do {
            let camera = FakeCamera("C", [Self.small])
            system = FakeDevices(camera)
            let reader = try CameraReader(
                CameraDevice.all(system)[0], CameraRequest(), .everything, ReadCancellation(), WakePipe(), false, system
            )
            camera.fill([9])
            frame = try reader.next()
        }
        #expect(system.inUse.descriptors == 0 && system.inUse.mappings == 1)
        #expect(try Self.first(frame) == 9)
        frame = nil
        #expect(system.inUse.mappings == 0)
    }

    @Test func anotherModeIsTakenWhenTheWantsChangeMuch() throws {
        let camera = FakeCamera("C", [FakeCamera.Format("YUYV", [(640, 480), (320, 240), (160, 120)])])
        let reader = try Self.reader(camera)
        #expect(reader.report.given.size == VideoSize(width: 640, height: 480))
        camera.fill([1])
        let held = try reader.next()
        reader.demand?.wants = VideoSinkWants(maximumPixels: 160 * 120)
        camera.fill([2])
        #expect(try Self.first(reader.next()) == 2)
        usleep(1_100_000)
        let thread = try SystemThread(for: "test") {
            camera.awaitStart(2)
            camera.fill([3])
        }
        let small = try #require(try reader.next())
        #expect(small.image.size == VideoSize(width: 160, height: 120) && reader.info.size == small.image.size)
        // A frame of the mode before is still what it was.
        #expect(try Self.first(held) == 1)
        thread.join()
    }
}

extension CameraReaderTests {
    /// Decodes the value of the first byte, or nothing if that is 0; 255 is damaged.
    private final class ByteDecoder: PacketDecoder {
        func decode(_ encoded: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
            let packet = encoded.withUnsafeBytes { Array($0) }
            if packet[0] == 255 { throw StreamError(.malformed, "damaged") }
            if packet[0] == 0 { return nil }
            let value = packet[0]
            return VideoFrame(
                try PixelBuffer(format: .i420, size: VideoSize(width: 16, height: 16)) { planes in
                    planes.withRowBytes(0, ofPlane: 0) { bytes in for index in bytes.indices { bytes[index] = value } }
                },
                attributes: FrameAttributes(colorTags: ColorTags(matrix: .bt709)), presentationTime: time)
        }
    }

    @Test func encodedFramesAreDecoded() throws {
        let camera = FakeCamera("C", [FakeCamera.Format("MJPG", [(64, 48)])])
        let reader = DecodingReader(
            try Self.reader(camera, CameraRequest(buffering: .smoothness), isEncoded: true), name: "C"
        ) { packet throws(StreamError) in
            #expect(packet.codec == .motionJPEG)
            return ByteDecoder()
        }
        #expect(reader.info.codec == "mjpeg" && reader.info.format == nil)
        for value: UInt8 in [0, 255, 7] { camera.fill([value], used: 100) }
        let frame = try #require(try reader.next())
        #expect(try Self.first(frame) == 7 && reader.corruptCount == 1 && camera.status.queued == 8)
        // The frame's own tags, and for the rest those of JPEG.
        #expect(frame.attributes.colorTags.matrix == .bt709 && frame.attributes.colorTags.range == .full)
    }
}
