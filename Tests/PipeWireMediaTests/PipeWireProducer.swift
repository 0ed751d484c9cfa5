import CVitrailPipeWire
import Glibc
import MediaIO
import Synchronization
import TestSupport
import Testing

@testable import PipeWireMedia

/// A program that PipeWire has pictures of: one node, on a thread of its own.
final class PipeWireProducer: Sendable {
    /// What it shows, until it is told something else.
    struct Picture: Sendable {
        /// The memory of each block.
        var blocks: [[UInt8]]
        /// The strides that it says.
        var strides: [Int32] = [0, 0, 0, 0]
        var flags: UInt32 = 0
        /// Whether it only says something else, as where the pointer is.
        var isEmpty = false
        /// Whether its time moves on.
        var hasTime = true
        var crop: Rectangle?
        var transform: UInt32 = 0
    }

    /// What it offers.
    struct Offer: Sendable {
        var name = "producer"
        var format: UInt32
        var size: VideoSize
        /// Further properties of its format: identifiers and values.
        var properties: [UInt32: UInt32] = [:]
        /// How long the memory is said to be, if that is more than it is.
        var claimedBytes: UInt32?
    }

    private final class State: Sendable {
        let picture: Mutex<Picture>
        let stop = ReadCancellation()

        init(_ picture: Picture) { self.picture = Mutex(picture) }
    }

    private let state: State
    private let thread: SystemThread
    private let hasEnded = Atomic(false)

    init(_ socket: String, _ offer: Offer, _ picture: Picture) throws {
        let state = State(picture)
        self.state = state
        thread = try SystemThread(for: "the producer") {
            guard let node = try? ProducingNode(socket, offer) else { return }
            while !state.stop.isCancelled {
                node.picture = state.picture.withLock { $0 }
                guard (try? node.produce()) != nil else { return }
            }
        }
    }

    deinit { end() }

    /// Shows another picture from now on.
    func show(_ picture: Picture) { state.picture.withLock { $0 = picture } }

    /// Ends it, and waits until its node is gone.
    func end() {
        guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
        state.stop.cancel()
        thread.join()
    }
}

/// The node, on the thread that made it.
private final class ProducingNode {
    var picture: PipeWireProducer.Picture?
    private let offer: PipeWireProducer.Offer
    private let connection: PipeWireConnection
    private let stream: OpaquePointer
    private let listener: PipeWireListener<pw_stream_events>
    private var files: [Int32] = []
    private var number: Int64 = 0

    init(_ socket: String, _ offer: PipeWireProducer.Offer) throws {
        self.offer = offer
        connection = try PipeWireConnection("the producer", socket: socket)
        let properties = pw_properties_new_string("media.class=Video/Source")
        pw_properties_set(properties, "node.name", offer.name)
        pw_properties_set(properties, "node.description", "The \(offer.name)")
        stream = try #require(pw_stream_new(connection.core, offer.name, properties))
        var events = pw_stream_events()
        events.version = UInt32(PW_VERSION_STREAM_EVENTS)
        events.param_changed = { data, id, parameter in
            if id == SPA_PARAM_Format.rawValue, parameter != nil { ProducingNode.of(data)?.ask() }
        }
        events.add_buffer = { data, buffer in ProducingNode.of(data)?.allocate(buffer) }
        events.process = { data in ProducingNode.of(data)?.write() }
        listener = PipeWireListener(events)
        pw_stream_add_listener(stream, listener.hook, listener.events, Unmanaged.passUnretained(self).toOpaque())
        var flags = PW_STREAM_FLAG_DRIVER.rawValue | PW_STREAM_FLAG_MAP_BUFFERS.rawValue
        if offer.claimedBytes != nil { flags |= PW_STREAM_FLAG_ALLOC_BUFFERS.rawValue }
        Self.withBuilder { builder in
            var frame = spa_pod_frame()
            spa_pod_builder_push_object(
                &builder, &frame, UInt32(SPA_TYPE_OBJECT_Format), SPA_PARAM_EnumFormat.rawValue)
            func id(_ key: UInt32, _ value: UInt32) {
                spa_pod_builder_prop(&builder, key, 0)
                spa_pod_builder_id(&builder, value)
            }
            id(SPA_FORMAT_mediaType.rawValue, SPA_MEDIA_TYPE_video.rawValue)
            id(SPA_FORMAT_mediaSubtype.rawValue, SPA_MEDIA_SUBTYPE_raw.rawValue)
            id(SPA_FORMAT_VIDEO_format.rawValue, offer.format)
            spa_pod_builder_prop(&builder, SPA_FORMAT_VIDEO_size.rawValue, 0)
            spa_pod_builder_rectangle(&builder, UInt32(offer.size.width), UInt32(offer.size.height))
            spa_pod_builder_prop(&builder, SPA_FORMAT_VIDEO_framerate.rawValue, 0)
            spa_pod_builder_fraction(&builder, 25, 1)
            for (key, value) in offer.properties { id(key, value) }
            var parameters = [
                spa_pod_builder_pop(&builder, &frame).map { UnsafePointer($0.assumingMemoryBound(to: spa_pod.self)) }
            ]
            pw_stream_connect(
                stream, SPA_DIRECTION_OUTPUT, vitrail_pw_any_id, pw_stream_flags(flags), &parameters, 1)
        }
    }

    deinit {
        listener.remove()
        pw_stream_destroy(stream)
        for file in files { close(file) }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> ProducingNode? {
        data.map { Unmanaged<ProducingNode>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func withBuilder(_ body: (inout spa_pod_builder) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
            var builder = spa_pod_builder()
            spa_pod_builder_init(&builder, room.baseAddress, 4096)
            body(&builder)
        }
    }

    /// Waits for the time of the next picture, and makes it.
    func produce() throws {
        let end = MonotonicTime.now + .milliseconds(20)
        while MonotonicTime.now < end { try connection.wait(until: end) }
        var error: UnsafePointer<CChar>?
        if pw_stream_get_state(stream, &error) == PW_STREAM_STATE_STREAMING { pw_stream_trigger_process(stream) }
    }

    /// Asks for blocks of memory, and for room for what is known of a picture.
    private func ask() {
        let blocks = picture?.blocks ?? []
        Self.withBuilder { builder in
            var parameters: [UnsafePointer<spa_pod>?] = []
            func object(_ raw: UInt32, _ id: UInt32, _ properties: [(UInt32, Int32, Bool)]) {
                var frame = spa_pod_frame()
                spa_pod_builder_push_object(&builder, &frame, raw, id)
                for (key, value, isID) in properties {
                    spa_pod_builder_prop(&builder, key, 0)
                    if isID {
                        spa_pod_builder_id(&builder, UInt32(value))
                    } else {
                        spa_pod_builder_int(&builder, value)
                    }
                }
                parameters.append(
                    spa_pod_builder_pop(&builder, &frame).map {
                        UnsafePointer($0.assumingMemoryBound(to: spa_pod.self))
                    })
            }
            let longest = Int32(blocks.map(\.count).max() ?? 1)
            object(
                UInt32(SPA_TYPE_OBJECT_ParamBuffers), SPA_PARAM_Buffers.rawValue,
                [
                    (SPA_PARAM_BUFFERS_buffers.rawValue, 4, false),
                    (SPA_PARAM_BUFFERS_blocks.rawValue, Int32(blocks.count), false),
                    (SPA_PARAM_BUFFERS_size.rawValue, longest, false),
                    (SPA_PARAM_BUFFERS_stride.rawValue, picture?.strides[0] ?? 0, false),
                    (SPA_PARAM_BUFFERS_dataType.rawValue, 1 << Int32(SPA_DATA_MemFd.rawValue), false),
                ])
            let metas: [(spa_meta_type, Int)] = [
                (SPA_META_Header, MemoryLayout<spa_meta_header>.size),
                (SPA_META_VideoCrop, MemoryLayout<spa_meta_region>.size),
                (SPA_META_VideoTransform, MemoryLayout<spa_meta_videotransform>.size),
            ]
            for (type, size) in metas {
                object(
                    UInt32(SPA_TYPE_OBJECT_ParamMeta), SPA_PARAM_Meta.rawValue,
                    [
                        (SPA_PARAM_META_type.rawValue, Int32(type.rawValue), true),
                        (SPA_PARAM_META_size.rawValue, Int32(size), false),
                    ])
            }
            pw_stream_update_params(stream, &parameters, UInt32(parameters.count))
        }
    }

    /// Lends memory that is shorter than it says.
    private func allocate(_ buffer: UnsafeMutablePointer<pw_buffer>?) {
        guard let claimed = offer.claimedBytes, let data = buffer?.pointee.buffer.pointee.datas else { return }
        var name = Array("/tmp/vitrail-short-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        unlink(name)
        files.append(file)
        ftruncate(file, 4096)
        (data.pointee.type, data.pointee.fd) = (SPA_DATA_MemFd.rawValue, Int64(file))
        (data.pointee.mapoffset, data.pointee.maxsize) = (0, claimed)
        data.pointee.flags = UInt32(SPA_DATA_FLAG_READWRITE)
        data.pointee.data = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    }

    private func write() {
        guard let picture, let buffer = pw_stream_dequeue_buffer(stream), let memory = buffer.pointee.buffer else {
            return
        }
        defer { pw_stream_queue_buffer(stream, buffer) }
        number += 1
        for index in 0..<min(Int(memory.pointee.n_datas), picture.blocks.count) {
            let (data, block) = (memory.pointee.datas[index], picture.blocks[index])
            guard let start = data.data, let chunk = data.chunk else { continue }
            let length = min(block.count, Int(data.maxsize), offer.claimedBytes == nil ? .max : 4096)
            block.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: start, count: length).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[..<length]))
            }
            (chunk.pointee.offset, chunk.pointee.size) = (0, picture.isEmpty ? 0 : UInt32(block.count))
            (chunk.pointee.stride, chunk.pointee.flags) = (picture.strides[index], 0)
        }
        if let header = vitrail_pw_header(memory) {
            let header = UnsafeMutablePointer(mutating: header)
            (header.pointee.flags, header.pointee.seq) = (picture.flags, UInt64(number))
            header.pointee.pts = picture.hasTime ? 1_000_000_000 + number * 40_000_000 : -1
        }
        if let region = vitrail_pw_crop(memory) {
            let region = UnsafeMutablePointer(mutating: region)
            let crop = picture.crop ?? Rectangle(x: 0, y: 0, width: 0, height: 0)
            region.pointee.region.position = spa_point(x: Int32(crop.x), y: Int32(crop.y))
            region.pointee.region.size = spa_rectangle(width: UInt32(crop.width), height: UInt32(crop.height))
        }
        if let transform = vitrail_pw_transform(memory) {
            UnsafeMutablePointer(mutating: transform).pointee.transform = picture.transform
        }
    }
}
