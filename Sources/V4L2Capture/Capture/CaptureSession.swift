import CVitrailV4L2
import Glibc
import MediaIO

/// A camera that captures in one mode.
///
/// **Thread:** the capture thread.
final class CaptureSession {
    /// The smallest number of buffers to leave with the driver: with only one, it loses frames.
    private static let leastQueued = 2

    let format: CaptureFormat
    /// The counts of this session.
    private(set) var counts: CameraReport
    private let device: OpenDevice
    private let formats: [CameraFormat]
    private let codecs: Set<PacketCodec>
    /// What the driver was asked for, which may differ from what it gives.
    private let mode: CameraMode
    private let buffers: CaptureBuffers
    /// The track of the packets, if the camera encodes.
    private let track: TrackInfo?
    private let converter: LegacyConverter?
    private let pool = PixelBufferPool()
    private let isLatencyFirst: Bool
    private var lastSequence: UInt32?
    /// The number of the next packet.
    private var packetNumber: Int64 = 0

    /// Opens a camera and begins to capture.
    ///
    /// - Parameters:
    ///   - camera: the camera.
    ///   - request: what is asked of it.
    ///   - report: the counts so far.
    ///   - isEncoded: whether frames may be encoded; otherwise the camera is asked for other formats.
    ///   - system: the system.
    /// - Throws: ``StreamError``.
    init(
        _ camera: CameraDevice, _ request: CameraRequest, counting report: CameraReport?, _ isEncoded: Bool,
        _ system: any DeviceSystem
    ) throws(StreamError) {
        device = try OpenDevice(camera.path, system)
        guard device.captures else {
            throw StreamError(
                .unsupported, "\(camera.path) does not capture video: vitrail devices lists the cameras.")
        }
        guard device.streams else {
            throw StreamError(
                .unsupported,
                "\(camera.name) (\(camera.path)) has no streaming interface, only read(), which is not supported.")
        }
        let codecs = isEncoded ? Set(PacketCodec.video) : []
        formats = CameraFormat.all(of: device, near: request) { CameraMode.isPossible($0, request, codecs) }
        self.codecs = codecs
        var mode = CameraMode.nearest(to: request, in: formats, codecs)
        if mode == nil, request.format == nil { mode = LegacyConverter.mode(near: request, device) }
        guard let mode else {
            // A camera that was unplugged meanwhile lists no formats, either: find out which it is.
            var capability = device.capability
            let error = device.call(vitrail_querycap, &capability)
            guard error == 0 else {
                throw StreamError(
                    .cannotOpen, "\(camera.name) is not connected: connect it again.", underlying: error)
            }
            throw Self.noFormat(camera, request, formats)
        }
        self.mode = mode
        format = try CaptureFormat(mode, device)
        counts = report ?? CameraReport(device: camera, asked: request, given: format.mode)
        (counts.device, counts.asked, counts.given) = (camera, request, format.mode)
        if case .encoded(let codec) = mode.handling {
            var attributes = format.attributes
            // Otherwise the stream states it.
            if !format.hasFields { attributes.pixelAspectRatio = .one }
            track = TrackInfo(
                codec: codec, size: format.mode.size, frameRate: format.mode.frameRate, attributes: attributes)
        } else {
            track = nil
        }
        converter = mode.handling == .converted ? try LegacyConverter(format, device) : nil
        isLatencyFirst = request.buffering == .latency
        buffers = try CaptureBuffers(
            device, format, count: request.buffering.bufferCount, exports: request.exportsMemory)
        try buffers.start()
    }

    /// For `poll`.
    var descriptor: Int32 { device.descriptor }

    /// The error to report if `poll` signals one but the calls to the driver return none.
    var failure: StreamError { CaptureBuffers.lost(EIO, device) }

    /// Why no signal comes in; `nil` if one does, or if the driver cannot tell.
    var signalProblem: StreamError? { InputFault.error(of: device) }

    /// The camera's name, and its node.
    var name: String { "\(device.name) (\(device.path))" }

    /// Whether another mode is nearer to a request, with twice or half the pixels or rate.
    func wouldChangeMuch(for request: CameraRequest) -> Bool {
        guard let other = CameraMode.nearest(to: request, in: formats, codecs), other != mode else { return false }
        func differ(_ first: Double, _ second: Double) -> Bool { max(first, second) >= 2 * min(first, second) }
        let pixels = { (mode: CameraMode) in Double(mode.size.width * mode.size.height) }
        return differ(pixels(other), pixels(mode))
            || differ(other.frameRate?.value ?? 1, mode.frameRate?.value ?? other.frameRate?.value ?? 1)
    }

    /// Stops capturing and closes the camera; frames that are still lent keep their memory.
    func close() {
        buffers.free()
        device.close()
    }

    /// Stops and starts the camera again.
    func restart() throws(StreamError) {
        counts.restarts += 1
        lastSequence = nil
        try buffers.restart()
    }

    /// Takes the next frame.
    ///
    /// - Returns: the frame and its time on the monotonic clock; `nil` if there is none yet.
    func next() throws(StreamError) -> (frame: VideoFrame, time: Duration)? {
        try buffers.queueReleased()
        while let filled = try takeFilled() {
            if let frame = try makeFrame(filled) { return (frame, filled.time) }
        }
        return nil
    }

    /// The next undamaged buffer.
    ///
    /// If latency matters most and every frame can be decoded on its own, the newest one instead; older ones are
    /// skipped.
    private func takeFilled() throws(StreamError) -> CaptureBuffers.Filled? {
        var newest: CaptureBuffers.Filled?
        while let filled = try buffers.take() {
            counts.captured += 1
            if let lastSequence {
                // Sequence numbers wrap around. A number that goes back means that the driver started counting again.
                let missing = filled.sequence &- lastSequence &- 1
                if missing < 1 << 31 {
                    counts.lost += Int(missing)
                    packetNumber += Int64(missing)
                }
            }
            lastSequence = filled.sequence
            packetNumber += 1
            guard filled.flags & vitrail_buf_flag_error == 0, buffers.isComplete(filled.index) else {
                counts.damaged += 1
                try buffers.queue(filled.index)
                continue
            }
            if let newest {
                counts.skipped += 1
                try buffers.queue(newest.index)
            }
            newest = filled
            if !isLatencyFirst || needsAllFrames { break }
        }
        return newest
    }

    /// Whether a frame can only be decoded after the frames before it.
    private var needsAllFrames: Bool {
        if let track { track.codec != .motionJPEG } else { false }
    }

    private func makeFrame(_ filled: CaptureBuffers.Filled) throws(StreamError) -> VideoFrame? {
        switch format.mode.handling {
        case .drawn(let pixels):
            guard buffers.queuedCount < Self.leastQueued else {
                return VideoFrame(try buffers.lend(filled.index, pixels), attributes: format.attributes)
            }
            counts.copied += 1
            let planes = buffers.planes(filled.index)
            let copy = try pool.makeBuffer(format: pixels, size: format.mode.size) { try $0.copy(planes) }
            try buffers.queue(filled.index)
            return VideoFrame(copy, attributes: format.attributes)
        case .encoded, .converted:
            var frame: VideoFrame?
            do throws(StreamError) {
                frame = try packet(filled)
            } catch {
                guard error.code == .malformed else { throw error }
                counts.damaged += 1
            }
            try buffers.queue(filled.index)
            return frame
        }
    }

    /// Copies and decodes frames into the memory that sinks prefer; lent frames stay in the driver's memory.
    func adapt(to wants: VideoSinkWants) {
        pool.memory = wants.memory
    }

    /// An encoded frame, or one that libv4l has converted.
    private func packet(_ filled: CaptureBuffers.Filled) throws(StreamError) -> VideoFrame? {
        let packet = buffers.packet(filled.index)
        if let converter { return VideoFrame(try converter.convert(packet), attributes: format.attributes) }
        guard let track else { return nil }
        let now = MachineClock.read()
        let timing = EncodedPacket.Timing(
            arrival: now.at.sinceBoot, capture: now.sinceEpoch - (now.at.sinceBoot - filled.time))
        // Pictures of Motion JPEG do not depend on those before them.
        let number = track.codec == .motionJPEG ? nil : packetNumber
        let isKeyFrame = track.codec.isKeyFrame(packet)
        return VideoFrame(
            .encoded(
                try EncodedPacket(
                    copying: packet, of: track, timing: timing,
                    marks: EncodedPacket.Marks(isKeyFrame: isKeyFrame, sequence: number))))
    }

    private static func noFormat(
        _ camera: CameraDevice, _ request: CameraRequest, _ formats: [CameraFormat]
    ) -> StreamError {
        let names = formats.map(\.name).joined(separator: ", ")
        let has = names.isEmpty ? "its driver lists no format" : "it has \(names)"
        if let format = request.format {
            let others = formats.compactMap { if case .drawn(let other) = $0.handling { "\(other)" } else { nil } }
            let hint = others.isEmpty ? has : "choose one of \(others.joined(separator: ", "))"
            return StreamError(
                .unsupported, "\(camera.name) (\(camera.path)) does not have the format \(format): \(hint).")
        }
        return StreamError(
            .unsupported, "\(camera.name) (\(camera.path)) has no format that can be shown: \(has).")
    }
}
