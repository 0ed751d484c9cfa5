import CVitrailPipeWire
import Glibc
import MediaIO

/// A node of PipeWire that has a program's pictures, in I420.
///
/// A picture is copied only while another program looks, into memory that all share. Programs give it back; one that keeps
/// it, or that ends while it has some, takes it from the others. When none is left, the node has failed.
///
/// **Thread:** the one that made it. **Cost:** every frame; one copy, and in steady state no allocation.
final class PipeWireOutput {
    /// Whether other programs can see it.
    private(set) var isThere = false
    /// Why it is there no longer.
    private(set) var failure: StreamError?
    /// What those who looked were given, and were too slow for, since somebody has asked.
    var counts = SenderCounts()
    private let name: String
    private let size: VideoSize
    private let connection: PipeWireConnection
    private let stream: OpaquePointer
    private let listener: PipeWireListener<pw_stream_events>
    /// Whether somebody looks.
    private(set) var isWatched = false
    /// Since when there has been no memory for pictures.
    private var dryBegin: MonotonicTime?
    /// The number of the next picture.
    private var number: UInt64 = 0
    private static let longestDryTime = Duration.seconds(1)
    /// What PipeWire has not asked for yet.
    private var pending: (picture: PixelBuffer, number: UInt64, time: Duration)?
    /// Where the planes of a picture lie: as GStreamer and others expect them, one after another.
    private var layout: [(offset: Int, bytesPerRow: Int)] = []

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - node: its name, also that for people.
    ///   - size: the size of its pictures, each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: its pictures per second.
    ///   - connection: where it is made.
    /// - Throws: ``StreamError/Code/cannotOpen``; ``StreamError/Code/unsupported`` for a size that PipeWire cannot have.
    init(
        _ node: String, _ size: VideoSize, _ frameRate: Rational, _ connection: PipeWireConnection
    ) throws(StreamError) {
        let name = "pipewire:\(node)"
        (self.name, self.size, self.connection) = (name, size, connection)
        guard (size.width + 3) * (size.height + 1) < Int(Int32.max) / 2 else {
            throw StreamError(.unsupported, "\(name) cannot have pictures of \(size).")
        }
        // Portals show programs the cameras only.
        let properties = pw_properties_new_string("media.class=Video/Source media.role=Camera")
        for key in ["node.name", "node.description"] { pw_properties_set(properties, key, node) }
        guard let stream = pw_stream_new(connection.core, node, properties) else {
            throw StreamError(.cannotOpen, "\(name) cannot be made: PipeWire takes no stream.", underlying: errno)
        }
        self.stream = stream
        var events = pw_stream_events()
        events.version = UInt32(PW_VERSION_STREAM_EVENTS)
        events.state_changed = { data, _, state, message in PipeWireOutput.of(data)?.change(to: state, message) }
        events.param_changed = { data, id, parameter in
            if id == SPA_PARAM_Format.rawValue, let parameter { PipeWireOutput.of(data)?.agree(on: parameter) }
        }
        events.process = { data in PipeWireOutput.of(data)?.write() }
        listener = PipeWireListener(events)
        pw_stream_add_listener(stream, listener.hook, listener.events, Unmanaged.passUnretained(self).toOpaque())
        var format = spa_video_info_raw()
        format.format = SPA_VIDEO_FORMAT_I420
        format.size = spa_rectangle(width: UInt32(size.width), height: UInt32(size.height))
        format.framerate = spa_fraction(
            num: UInt32(clamping: frameRate.numerator), denom: UInt32(clamping: frameRate.denominator))
        (format.color_matrix, format.color_range) = (SPA_VIDEO_COLOR_MATRIX_BT709, SPA_VIDEO_COLOR_RANGE_16_235)
        (format.color_primaries, format.transfer_function) = (
            SPA_VIDEO_COLOR_PRIMARIES_BT709, SPA_VIDEO_TRANSFER_BT709
        )
        format.chroma_site = SPA_VIDEO_CHROMA_SITE_JPEG
        let result = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { room in
            var offers = [vitrail_pw_format_of(room.baseAddress, &format)]
            let flags = PW_STREAM_FLAG_DRIVER.rawValue | PW_STREAM_FLAG_MAP_BUFFERS.rawValue
            return pw_stream_connect(
                stream, SPA_DIRECTION_OUTPUT, vitrail_pw_any_id, pw_stream_flags(flags), &offers, 1)
        }
        guard result >= 0 else {
            throw StreamError(.cannotOpen, "\(name) cannot be made: PipeWire refuses it.", underlying: -result)
        }
    }

    deinit {
        listener.remove()
        pw_stream_destroy(stream)
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> PipeWireOutput? {
        data.map { Unmanaged<PipeWireOutput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func change(to state: pw_stream_state, _ message: UnsafePointer<CChar>?) {
        switch state {
        case PW_STREAM_STATE_PAUSED, PW_STREAM_STATE_STREAMING:
            isThere = true
            isWatched = state == PW_STREAM_STATE_STREAMING
            if !isWatched { (pending, dryBegin) = (nil, nil) }
        case PW_STREAM_STATE_UNCONNECTED: failure = StreamError(.writeFailed, "\(name) is gone: it is made again.")
        case PW_STREAM_STATE_ERROR where !isThere:
            let text = message.map { String(cString: $0) } ?? "an unknown error"
            failure = StreamError(.cannotOpen, "\(name) cannot be made: \(text).")
        // The link to a program has failed, as to one that takes no I420: others go on.
        default: break
        }
    }

    private func agree(on parameter: UnsafePointer<spa_pod>) {
        guard let format = PipeWireFormat(parameter), format.format == .i420, format.size == size else { return }
        layout.removeAll(keepingCapacity: true)
        format.withPlanes(stride: 0, byteCount: .max) { layout.append(($0, $1)) }
        guard let last = layout.last else { return }
        let byteCount = last.offset + last.bytesPerRow * ((size.height + 1) / 2)
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { room in
            _ = vitrail_pw_lend(stream, room.baseAddress, Int32(byteCount), Int32(layout[0].bytesPerRow))
        }
    }

    /// Shows a picture to those who look.
    ///
    /// - Parameters:
    ///   - picture: of the node's size, in I420.
    ///   - time: when it is to be seen, on the monotonic clock.
    func show(_ picture: PixelBuffer, at time: Duration) {
        guard isWatched else { return }
        if pending != nil { counts.omitted += 1 }
        pending = (picture, number, time)
        // A number that is missing is a picture that was left out.
        number += 1
        pw_stream_trigger_process(stream)
    }

    private func write() {
        guard let (picture, number, time) = pending, !layout.isEmpty else { return }
        pending = nil
        guard let buffer = pw_stream_dequeue_buffer(stream) else { return noteDry() }
        dryBegin = nil
        defer { pw_stream_queue_buffer(stream, buffer) }
        guard let memory = buffer.pointee.buffer, memory.pointee.n_datas > 0,
            let start = memory.pointee.datas.pointee.data, let chunk = memory.pointee.datas.pointee.chunk
        else { return }
        let room = UnsafeMutableRawBufferPointer(start: start, count: Int(memory.pointee.datas.pointee.maxsize))
        let byteCount = copy(picture, to: room)
        (chunk.pointee.offset, chunk.pointee.size) = (0, UInt32(byteCount))
        (chunk.pointee.stride, chunk.pointee.flags) = (Int32(layout[0].bytesPerRow), 0)
        if let header = vitrail_pw_header(memory) {
            let header = UnsafeMutablePointer(mutating: header)
            header.pointee.flags = 0
            header.pointee.seq = number
            (header.pointee.pts, header.pointee.dts_offset) = (time.wholeNanoseconds, 0)
        }
        counts.sent += 1
    }

    private func noteDry() {
        counts.omitted += 1
        let begin = dryBegin ?? .now
        dryBegin = begin
        guard .now - begin >= Self.longestDryTime else { return }
        failure = StreamError(
            .writeFailed, "\(name) is made again: a program that looked at it has kept the memory of its pictures.")
    }

    /// Copies the rows of all planes.
    ///
    /// - Returns: the bytes from the first row to the end of the last one; 0 if there is no room for them.
    private func copy(_ picture: PixelBuffer, to room: UnsafeMutableRawBufferPointer) -> Int {
        var end = 0
        for (index, plane) in layout.enumerated() {
            let description = picture.format.planes[index]
            for row in 0..<description.height(size) {
                let begin = plane.offset + row * plane.bytesPerRow
                end = begin + plane.bytesPerRow
                guard end <= room.count else { return 0 }
                picture.withRow(row, ofPlane: index) { samples in
                    samples.withUnsafeBytes {
                        UnsafeMutableRawBufferPointer(rebasing: room[begin..<end]).copyMemory(from: $0)
                    }
                }
            }
        }
        return end
    }
}
