import CVitrailPipeWire
import Glibc
import MediaIO

/// A stream from a node of PipeWire, whose newest picture is copied while its connection waits.
///
/// Pictures are copied, because their memory belongs to a program that may write it again, or end.
///
/// **Thread:** the one that made it. **Cost:** every frame; one copy, and in steady state no allocation.
final class PipeWireStream {
    /// The newest picture that nobody has taken.
    var newest: VideoFrame?
    /// What was agreed on last.
    private(set) var format: PipeWireFormat?
    private(set) var failure: StreamError?
    private(set) var corruptCount = 0
    private let name: String
    /// Kept, as it must not end before the stream.
    private let connection: PipeWireConnection
    private let stream: OpaquePointer
    private let listener: PipeWireListener<pw_stream_events>
    private let pool = PixelBufferPool()
    private var planes: [PixelBuffer.Plane] = []
    private var origin: Int64?

    /// Connects to a node.
    ///
    /// - Parameters:
    ///   - name: what is read, for errors.
    ///   - node: the node.
    ///   - connection: where it was found.
    ///   - formats: those that are accepted, as PipeWire numbers them, the preferred one first.
    /// - Throws: ``StreamError/Code/cannotOpen``.
    init(
        _ name: String, _ node: PipeWireNode, _ connection: PipeWireConnection, _ formats: [UInt32]
    ) throws(StreamError) {
        (self.name, self.connection) = (name, connection)
        let properties = pw_properties_new_string("media.type=Video media.category=Capture media.role=Camera")
        // A node that is gone comes back under its name: no other one is to take its place.
        for (key, value) in [("target.object", node.serial), ("node.dont-reconnect", "true"), ("node.name", "vitrail")]
        {
            pw_properties_set(properties, key, value)
        }
        guard let stream = pw_stream_new(connection.core, "vitrail", properties) else {
            throw StreamError(.cannotOpen, "\(name) cannot be read: PipeWire takes no stream.", underlying: errno)
        }
        self.stream = stream
        var events = pw_stream_events()
        events.version = UInt32(PW_VERSION_STREAM_EVENTS)
        events.state_changed = { data, _, state, message in
            if state == PW_STREAM_STATE_ERROR { PipeWireStream.of(data)?.fail(message) }
        }
        events.param_changed = { data, id, parameter in
            if id == SPA_PARAM_Format.rawValue, let parameter { PipeWireStream.of(data)?.agree(on: parameter) }
        }
        events.add_buffer = { data, buffer in PipeWireStream.of(data)?.check(buffer) }
        events.process = { data in PipeWireStream.of(data)?.take() }
        listener = PipeWireListener(events)
        pw_stream_add_listener(stream, listener.hook, listener.events, Unmanaged.passUnretained(self).toOpaque())
        try connect(formats)
    }

    deinit {
        listener.remove()
        pw_stream_destroy(stream)
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> PipeWireStream? {
        data.map { Unmanaged<PipeWireStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Offers first what moves smoothly and is large, which some cameras have in one format only; then everything.
    private func connect(_ formats: [UInt32]) throws(StreamError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 8)
        defer { room.deallocate() }
        func offer(_ index: Int, _ least: spa_rectangle, _ most: spa_rectangle, _ rates: ClosedRange<UInt32>)
            -> UnsafePointer<spa_pod>?
        {
            vitrail_pw_offer(
                room.baseAddress?.advanced(by: 4096 * index), formats, UInt32(formats.count), least, most,
                spa_fraction(num: rates.lowerBound, denom: 1), spa_fraction(num: rates.upperBound, denom: 1))
        }
        let side = UInt32(PixelBuffer.maximumSide)
        var offers = [
            offer(0, spa_rectangle(width: 1280, height: 720), spa_rectangle(width: 1920, height: 1080), 24...60),
            offer(1, spa_rectangle(width: 1, height: 1), spa_rectangle(width: side, height: side), 0...1000),
        ]
        let flags = PW_STREAM_FLAG_AUTOCONNECT.rawValue | PW_STREAM_FLAG_MAP_BUFFERS.rawValue
        let result = pw_stream_connect(
            stream, SPA_DIRECTION_INPUT, vitrail_pw_any_id,
            pw_stream_flags(flags | PW_STREAM_FLAG_DONT_RECONNECT.rawValue),
            &offers, UInt32(offers.count))
        guard result >= 0 else {
            throw StreamError(.cannotOpen, "\(name) cannot be read: PipeWire refuses the stream.", underlying: -result)
        }
    }

    private func fail(_ message: UnsafePointer<CChar>?) {
        let text = message.map { String(cString: $0) } ?? "an unknown error"
        // As in “no more input formats”, which not every version tells the stream.
        failure =
            format == nil && text.contains("format")
            ? noFormat : StreamError(.readFailed, "\(name) has failed: \(text): look at it with pw-top.")
    }

    /// Nothing was agreed on.
    var noFormat: StreamError {
        StreamError(
            .noVideo,
            "\(name) has no format that can be drawn: a camera whose pictures are encoded is shown as camera:NAME.")
    }

    private func agree(on parameter: UnsafePointer<spa_pod>) {
        guard let format = PipeWireFormat(parameter) else {
            failure = StreamError(.unsupported, "\(name) has a format that cannot be drawn.")
            return
        }
        self.format = format
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { room in
            _ = vitrail_pw_ask(stream, room.baseAddress)
        }
    }

    /// Memory that is shorter than it is said to be would end the program when it is read.
    private func check(_ buffer: UnsafeMutablePointer<pw_buffer>?) {
        guard let buffer = buffer?.pointee.buffer else { return }
        for data in UnsafeBufferPointer(start: buffer.pointee.datas, count: Int(buffer.pointee.n_datas))
        where data.type == SPA_DATA_MemFd.rawValue {
            var status = stat()
            guard fstat(Int32(data.fd), &status) == 0,
                Int64(data.mapoffset) + Int64(data.maxsize) <= Int64(status.st_size)
            else {
                failure = StreamError(.malformed, "\(name) lends memory that it does not have.")
                return
            }
        }
    }

    // MARK: Pictures

    private func take() {
        var chosen: UnsafeMutablePointer<pw_buffer>?
        while let buffer = pw_stream_dequeue_buffer(stream) {
            let older = Self.hasPicture(buffer) ? chosen : buffer
            if let older { pw_stream_queue_buffer(stream, older) }
            if older != buffer { chosen = buffer }
        }
        guard let chosen, let buffer = chosen.pointee.buffer else { return }
        defer { pw_stream_queue_buffer(stream, chosen) }
        guard failure == nil, let format else { return }
        do throws(StreamError) {
            newest = try frame(buffer, format)
        } catch {
            // It does not fit its format; the next one may.
            if error.code == .noMemory { failure = error }
            corruptCount += 1
        }
    }

    /// Whether there is one: a buffer may tell only where the pointer is.
    private static func hasPicture(_ buffer: UnsafeMutablePointer<pw_buffer>) -> Bool {
        guard let buffer = buffer.pointee.buffer, buffer.pointee.n_datas > 0, let data = buffer.pointee.datas,
            data.pointee.data != nil, let chunk = data.pointee.chunk
        else { return false }
        return chunk.pointee.size > 0 && chunk.pointee.flags & Int32(SPA_CHUNK_FLAG_EMPTY) == 0
    }

    private func frame(
        _ buffer: UnsafeMutablePointer<spa_buffer>, _ format: PipeWireFormat
    ) throws(StreamError) -> VideoFrame {
        findPlanes(UnsafeBufferPointer(start: buffer.pointee.datas, count: Int(buffer.pointee.n_datas)), format)
        let pixels = try pool.makeBuffer(format: format.format, size: format.size) { try $0.copy(planes) }
        var frame = VideoFrame(pixels, attributes: format.attributes)
        if let crop = vitrail_pw_crop(buffer)?.pointee.region, crop.size.width > 0, crop.size.height > 0 {
            frame.attributes.crop = Rectangle(
                x: Int(crop.position.x), y: Int(crop.position.y), width: Int(crop.size.width),
                height: Int(crop.size.height))
        }
        if let transform = vitrail_pw_transform(buffer) {
            let orientation = Orientation(pipeWire: transform.pointee.transform)
            (frame.attributes.rotation, frame.attributes.mirror) = (orientation.rotation, orientation.mirror)
        }
        var flags = buffer.pointee.datas.pointee.chunk.pointee.flags & Int32(SPA_CHUNK_FLAG_CORRUPTED)
        if let header = vitrail_pw_header(buffer) {
            flags |= Int32(bitPattern: header.pointee.flags) & SPA_META_HEADER_FLAG_CORRUPTED
            frame.presentationTime = time(header.pointee.pts)
        }
        if flags != 0 {
            frame.attributes.isDamaged = true
            corruptCount += 1
        }
        return frame
    }

    /// Finds each plane in memory of its own, or all of them in one.
    private func findPlanes(_ memory: UnsafeBufferPointer<spa_data>, _ format: PipeWireFormat) {
        func bytes(_ data: spa_data) -> UnsafeRawBufferPointer {
            guard let start = data.data, let chunk = data.chunk else {
                return UnsafeRawBufferPointer(start: nil, count: 0)
            }
            let room = UnsafeRawBufferPointer(start: start, count: Int(data.maxsize))
            return UnsafeRawBufferPointer(rebasing: room[min(Int(chunk.pointee.offset), room.count)...])
        }
        planes.removeAll(keepingCapacity: true)
        let count = format.format.planes.count
        if memory.count >= count, count > 1 {
            for index in 0..<count {
                let stride = memory[index].chunk.map { Int($0.pointee.stride) } ?? 0
                planes.append(
                    PixelBuffer.Plane(
                        bytes: bytes(memory[index]),
                        bytesPerRow: stride == 0 ? format.format.planes[index].rowBytes(format.size) : stride))
            }
        } else {
            let all = bytes(memory[0])
            format.withPlanes(
                stride: Int(memory[0].chunk.pointee.stride), byteCount: Int(memory[0].chunk.pointee.size)
            ) { offset, bytesPerRow in
                planes.append(
                    PixelBuffer.Plane(
                        bytes: UnsafeRawBufferPointer(rebasing: all[min(offset, all.count)...]),
                        bytesPerRow: bytesPerRow))
            }
        }
    }

    /// The time from the first picture on; `nil` if it is unknown.
    private func time(_ nanoseconds: Int64) -> Duration? {
        guard nanoseconds >= 0 else { return nil }
        let start = origin ?? nanoseconds
        origin = start
        return nanoseconds >= start ? .nanoseconds(nanoseconds - start) : nil
    }
}
