import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A camera that fills its buffers when a test says so.
final class FakeCamera: Sendable {
    /// A format, its sizes and the intervals between frames.
    struct Format: Sendable {
        var fourCC: UInt32
        var sizes: [(width: UInt32, height: UInt32)]
        var rates: [UInt32] = [30]

        init(_ name: String, _ sizes: [(width: UInt32, height: UInt32)], rates: [UInt32] = [30]) {
            fourCC = name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            (self.sizes, self.rates) = (sizes, rates)
        }
    }

    /// What the driver does wrong.
    struct Behavior: Sendable {
        var capabilities = vitrail_cap_video_capture | vitrail_cap_streaming
        /// Added to the stride, or taken away.
        var strideError = 0
        /// The length of buffers; `nil` for enough.
        var bufferLength: UInt32?
        var field = V4L2_FIELD_NONE.rawValue
        /// Errors by calls.
        var errors: [UInt: Int32] = [:]
        var extraStride: UInt32 = 0
        /// What the driver says of the input; `nil` if it cannot tell.
        var input: (status: UInt32, capabilities: UInt32)?
        /// Whether the frames that are written to it stay with it.
        var isSlow = false
        /// The call during which the camera is pulled out.
        var lastCall: UInt?
    }

    private struct State {
        var behavior = Behavior()
        var pixels = v4l2_pix_format()
        var interval = v4l2_fract(numerator: 1, denominator: 30)
        var memory: [Int: UnsafeMutableRawBufferPointer] = [:]
        var queued: [UInt32] = []
        var done: [v4l2_buffer] = []
        var owner: Int32?
        var mapped = 0
        var isStreaming = false
        var isUnplugged = false
        var starts = 0
        var sequence: UInt32 = 0
        var questions = 0
        var written: [[UInt8]] = []
        /// The write ends of the pipes that stand for open nodes.
        var ends: [Int32: Int32] = [:]
    }

    let node: DeviceNode
    private let bus: String
    private let formats: [Format]
    private let state = Monitor(State())

    init(
        _ name: String, path: String = "/dev/video0", bus: String = "usb-1", serial: String? = nil, _ formats: [Format],
        _ behavior: Behavior = Behavior()
    ) {
        node = DeviceNode(path: path, name: name, usbID: serial == nil ? nil : "046d:0825", serial: serial)
        (self.bus, self.formats) = (bus, formats)
        state.withLock { $0.behavior = behavior }
    }

    // MARK: What a test says

    /// Changes what the driver does wrong.
    func change(_ change: (inout Behavior) -> Void) { state.withLock { change(&$0.behavior) } }

    /// How many buffers the driver has to fill; how often it was started; what it was set to.
    var status: (queued: Int, starts: Int, pixels: v4l2_pix_format) {
        state.withLock { ($0.queued.count, $0.starts, $0.pixels) }
    }

    /// The frames that were written to it.
    var written: [[UInt8]] { state.withLock { $0.written } }

    /// How often the driver was asked for the signal.
    var questions: Int { state.withLock { $0.questions } }

    /// Waits until the driver has a buffer and captures.
    func awaitStart(_ count: Int = 1) {
        #expect(eventually { state.withLock { $0.isStreaming && $0.starts >= count && !$0.queued.isEmpty } })
    }

    /// Fills the next buffer.
    ///
    /// - Parameters:
    ///   - bytes: its content; repeated.
    ///   - used: the bytes that the driver says it has filled; `nil` for all.
    ///   - flags: further flags of the buffer.
    ///   - lost: how many frames are missing before it.
    ///   - sequence: its number; `nil` for the next one.
    /// - Returns: false if the driver has no buffer.
    @discardableResult
    func fill(
        _ bytes: [UInt8], used: Int? = nil, flags: UInt32 = 0, lost: UInt32 = 0, sequence: UInt32? = nil
    ) -> Bool {
        state.withLock { state in
            guard state.isStreaming, !state.queued.isEmpty else { return false }
            let index = state.queued.removeFirst()
            guard let memory = state.memory[Int(index) << 12] else { return false }
            for place in memory.indices { memory[place] = bytes[place % bytes.count] }
            var buffer = v4l2_buffer()
            (buffer.index, buffer.bytesused) = (index, UInt32(used ?? Int(state.pixels.sizeimage)))
            buffer.flags = flags | vitrail_buf_flag_timestamp_monotonic
            buffer.sequence = sequence ?? state.sequence &+ lost
            state.sequence = buffer.sequence &+ 1
            let now = MonotonicTime.now.sinceBoot.components
            (buffer.timestamp.tv_sec, buffer.timestamp.tv_usec) = (
                Int(now.seconds), Int(now.attoseconds / 1_000_000_000_000)
            )
            state.done.append(buffer)
            if let owner = state.owner, let end = state.ends[owner] { _ = write(end, [1], 1) }
            return true
        }
    }

    /// Makes every call fail as for a camera that was pulled out.
    func unplug() {
        state.withLock { state in
            state.isUnplugged = true
            for end in state.ends.values { Glibc.close(end) }
            state.ends = [:]
        }
    }

    // MARK: The system's side

    func open() -> Int32 {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        state.withLock { $0.ends[ends[0]] = ends[1] }
        return ends[0]
    }

    func close(_ descriptor: Int32) {
        state.withLock { state in
            if let end = state.ends.removeValue(forKey: descriptor) { Glibc.close(end) }
            guard state.owner == descriptor else { return }
            (state.isStreaming, state.queued, state.done, state.memory) = (false, [], [], [:])
            // As in Linux, mapped memory retains the open file, and with it the buffers.
            state.owner = state.mapped > 0 ? Self.nobody : nil
        }
        Glibc.close(descriptor)
    }

    func map(_ offset: Int) -> UnsafeMutableRawBufferPointer? {
        state.withLock { state in
            if state.memory[offset] != nil { state.mapped += 1 }
            return state.memory[offset]
        }
    }

    func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        memory.deallocate()
        state.withLock { state in
            state.mapped -= 1
            if state.mapped == 0, state.owner == Self.nobody { state.owner = nil }
        }
    }

    /// The owner of buffers whose descriptor is closed.
    private static let nobody: Int32 = -1

    func control(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        state.withLock { state in
            if state.behavior.lastCall == request { state.isUnplugged = true }
            if state.isUnplugged { return ENODEV }
            if let error = state.behavior.errors[request] { return error }
            return answer(descriptor, request, argument, &state)
        }
    }

    private func answer(
        _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State
    ) -> Int32 {
        switch request {
        case vitrail_querycap:
            let capability = argument.assumingMemoryBound(to: v4l2_capability.self)
            Self.put(node.name, &capability.pointee.card)
            Self.put("fake", &capability.pointee.driver)
            Self.put(bus, &capability.pointee.bus_info)
            capability.pointee.capabilities = state.behavior.capabilities
        case vitrail_enum_fmt:
            let entry = argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
            guard entry.pointee.index < formats.count else { return EINVAL }
            entry.pointee.pixelformat = formats[Int(entry.pointee.index)].fourCC
        case vitrail_enum_framesizes:
            let entry = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
            let format = formats.first { $0.fourCC == entry.pointee.pixel_format }
            guard let format, entry.pointee.index < format.sizes.count else { return EINVAL }
            let size = format.sizes[Int(entry.pointee.index)]
            entry.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            entry.pointee.discrete = v4l2_frmsize_discrete(width: size.width, height: size.height)
        case vitrail_enum_frameintervals:
            let entry = argument.assumingMemoryBound(to: v4l2_frmivalenum.self)
            let format = formats.first { $0.fourCC == entry.pointee.pixel_format }
            guard let format, entry.pointee.index < format.rates.count else { return EINVAL }
            entry.pointee.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            entry.pointee.discrete = v4l2_fract(numerator: 1, denominator: format.rates[Int(entry.pointee.index)])
        case vitrail_s_fmt where state.owner != nil && state.owner != descriptor: return EBUSY
        case vitrail_s_fmt: setFormat(argument.assumingMemoryBound(to: v4l2_format.self), &state)
        case vitrail_g_parm, vitrail_s_parm:
            let parameters = argument.assumingMemoryBound(to: v4l2_streamparm.self)
            if request == vitrail_s_parm { state.interval = parameters.pointee.parm.capture.timeperframe }
            parameters.pointee.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
            parameters.pointee.parm.capture.timeperframe = state.interval
        case vitrail_reqbufs:
            let buffers = argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
            if buffers.pointee.count == 0, state.owner == descriptor {
                (state.owner, state.memory) = (nil, [:])
                return 0
            }
            guard state.owner == nil else { return EBUSY }
            state.owner = descriptor
            let length = Int(state.behavior.bufferLength ?? state.pixels.sizeimage)
            for index in 0..<Int(buffers.pointee.count) {
                state.memory[index << 12] = .allocate(byteCount: length, alignment: 64)
            }
        case vitrail_querybuf:
            let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
            buffer.pointee.m.offset = buffer.pointee.index << 12
            buffer.pointee.length = state.behavior.bufferLength ?? state.pixels.sizeimage
        case vitrail_qbuf where state.behavior.capabilities & UInt32(V4L2_CAP_VIDEO_OUTPUT) != 0:
            let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self).pointee
            guard let memory = state.memory[Int(buffer.index) << 12] else { return EINVAL }
            state.written.append(Array(memory.prefix(Int(buffer.bytesused))))
            state.behavior.isSlow ? state.queued.append(buffer.index) : state.done.append(buffer)
        case vitrail_qbuf: state.queued.append(argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index)
        case vitrail_dqbuf:
            guard !state.done.isEmpty else { return EAGAIN }
            var byte: UInt8 = 0
            _ = read(descriptor, &byte, 1)
            argument.assumingMemoryBound(to: v4l2_buffer.self).pointee = state.done.removeFirst()
        case vitrail_streamon:
            state.isStreaming = true
            state.starts += 1
        case vitrail_g_input where state.behavior.input != nil:
            argument.assumingMemoryBound(to: Int32.self).pointee = 2
        case vitrail_enuminput:
            state.questions += 1
            guard let known = state.behavior.input else { return ENOTTY }
            let input = argument.assumingMemoryBound(to: v4l2_input.self)
            guard input.pointee.index == 2 else { return EINVAL }
            Self.put("HDMI 2", &input.pointee.name)
            (input.pointee.status, input.pointee.capabilities) = known
        case vitrail_query_dv_timings where (state.behavior.input?.capabilities ?? 0) != 0: break
        case vitrail_streamoff:
            guard state.owner == descriptor else { return 0 }
            var byte: UInt8 = 0
            for _ in state.done { _ = read(descriptor, &byte, 1) }
            (state.isStreaming, state.queued, state.done) = (false, [], [])
        default: return ENOTTY
        }
        return 0
    }

    private func setFormat(_ format: UnsafeMutablePointer<v4l2_format>, _ state: inout State) {
        var pixels = format.pointee.fmt.pix
        // As drivers do, the nearest that there is.
        let known = formats.first { $0.fourCC == pixels.pixelformat } ?? formats[0]
        pixels.pixelformat = known.fourCC
        let size =
            known.sizes.first { $0.width == pixels.width && $0.height == pixels.height } ?? known.sizes.first
            ?? (pixels.width, pixels.height)
        (pixels.width, pixels.height) = (size.width, size.height)
        let shape = VideoSize(width: Int(size.width), height: Int(size.height))
        if case .drawn(let layout) = CameraFormat.handling(of: known.fourCC) {
            let row = layout.planes[0].rowBytes(shape) + Int(state.behavior.extraStride)
            pixels.bytesperline = UInt32(max(row + state.behavior.strideError, 0))
            pixels.sizeimage = UInt32(
                row * shape.height * layout.packedByteCount(shape) / (layout.planes[0].rowBytes(shape) * shape.height))
        } else {
            (pixels.bytesperline, pixels.sizeimage) = (0, UInt32(shape.width * shape.height))
        }
        pixels.field = state.behavior.field
        pixels.colorspace = V4L2_COLORSPACE_SRGB.rawValue
        state.pixels = pixels
        format.pointee.fmt.pix = pixels
    }

    private static func put<Field>(_ text: String, _ field: inout Field) {
        withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: text.utf8.prefix($0.count - 1)) }
    }
}
