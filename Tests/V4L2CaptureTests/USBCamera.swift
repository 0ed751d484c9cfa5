import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A USB camera that a test plugs in: the kernel's drivers are real, and its side of the cable is here.
///
/// It is a device of the USB Video Class 1.0 with a bulk endpoint, connected to the kernel's `vhci_hcd` by a socket that
/// speaks USB/IP (the kernel's *Documentation/usb/usbip_protocol.rst*). It sends a frame when it is told to.
final class USBCamera: Sendable {
    private static let controller = "/sys/devices/platform/vhci_hcd.0"

    /// The condition of all tests with a USB camera.
    static let isThere: ConditionTrait = .enabled(
        if: access("\(controller)/attach", W_OK) == 0,
        "There is no vhci_hcd driver here: make test-v4l2 runs these tests in a virtual machine.")

    /// A transfer that the host waits for.
    private struct Transfer {
        let number: UInt32
        let length: Int
    }

    private struct State {
        /// −1 while it is unplugged.
        var socket: Int32 = -1
        var port = 0
        var thread: SystemThread?
        var transfers: [Transfer] = []
        var payloads: [[UInt8]] = []
        /// Alternates from frame to frame.
        var frameBit: UInt8 = 0
        var parameters = [UInt8](repeating: 0, count: 26)
        var brightness = 0
        var refusesVideo = false
        var last: [UInt8] = []
    }

    private let descriptors: USBCameraDescriptors
    private let state = Monitor(State())

    /// Makes a camera; it is not plugged in.
    init(_ name: String, serial: String) { descriptors = USBCameraDescriptors(name: name, serial: serial) }

    /// What the host has set.
    var brightness: Int { state.withLock { $0.brightness } }

    /// Whether it refuses all requests for video.
    var refusesVideo: Bool {
        get { state.withLock { $0.refusesVideo } }
        set { state.withLock { $0.refusesVideo = newValue } }
    }

    /// Chooses a request for video at which its cable breaks, once.
    func setLast(_ request: UInt8, _ selector: UInt8) { state.withLock { $0.last = [request, selector] } }

    // MARK: The cable

    /// Plugs it in.
    ///
    /// - Parameter port: one of 15.
    /// - Throws: the failure of the test.
    func plugIn(port: Int = 0) throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let (host, device) = (ends[0], ends[1])
        state.withLock { ($0.socket, $0.port, $0.transfers, $0.payloads) = (device, port, [], []) }
        let thread = try SystemThread(for: "USB camera") { self.serve(device) }
        state.withLock { $0.thread = thread }
        // 3 is high speed. The port of a camera that was just unplugged becomes free soon.
        let isPlugged = eventually { Self.write("\(port) \(host) \(0x10002 + port) 3", to: "attach") }
        close(host)
        try #require(isPlugged)
    }

    /// Pulls it out.
    func unplug() {
        let (socket, port, thread) = state.withLock { state in
            defer { (state.socket, state.thread) = (-1, nil) }
            return (state.socket, state.port, state.thread)
        }
        guard socket >= 0 else { return }
        _ = Self.write("\(port)", to: "detach")
        shutdown(socket, Int32(SHUT_RDWR))
        thread?.join()
        close(socket)
    }

    private static func write(_ text: String, to file: String) -> Bool {
        let descriptor = open("\(controller)/\(file)", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
    }

    // MARK: Video

    /// Sends a frame, if the host waits for one.
    ///
    /// - Returns: whether it does.
    @discardableResult
    func send(_ frame: [UInt8], isDamaged: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.transfers.isEmpty, state.payloads.isEmpty else { return false }
            let most = USBCameraDescriptors.payloadLength - 2
            for start in stride(from: 0, to: frame.count, by: most) {
                let end = min(start + most, frame.count)
                // Headers end with these flags: end of header, error, end of frame, frame bit.
                let flags = 0x80 | (isDamaged ? 0x40 : 0) | (end == frame.count ? 2 : 0) | state.frameBit
                state.payloads.append([2, flags] + frame[start..<end])
            }
            state.frameBit ^= 1
            transfer(&state)
            return true
        }
    }

    private func transfer(_ state: inout State) {
        while let first = state.transfers.first, let payload = state.payloads.first {
            state.transfers.removeFirst()
            state.payloads.removeFirst()
            reply(first.number, payload.prefix(first.length), to: state.socket)
        }
    }

    // MARK: USB/IP

    private func serve(_ socket: Int32) {
        while let header = Self.read(48, from: socket) {
            let words = stride(from: 0, to: 48, by: 4).map { place in
                header[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            let (number, endpoint) = (words[1], words[4])
            if words[0] == 2 {
                // The host no longer waits.
                state.withLock { state in
                    let count = state.transfers.count
                    state.transfers.removeAll { $0.number == words[5] }
                    let status = state.transfers.count < count ? -ECONNRESET : 0
                    Self.send([4, number, 0, 0, 0, UInt32(bitPattern: status), 0, 0, 0, 0, 0, 0], [], to: socket)
                }
                continue
            }
            if endpoint == 0, header[44] == 1, isLast([header[41], header[43]]) {
                // The host's controller notices that nothing answers, and then that nothing is there.
                state.withLock { _ in reply(number, nil, error: EPROTO, to: socket) }
                shutdown(socket, Int32(SHUT_RDWR))
                return
            }
            let (isIn, length) = (words[3] == 1, Int(words[6]))
            guard let data = isIn ? [] : Self.read(length, from: socket) else { return }
            state.withLock { state in
                if endpoint == 0 {
                    let answer = answer(Array(header[40...]), data, &state)
                    reply(number, answer?.prefix(length), written: data.count, to: socket)
                } else {
                    state.transfers.append(Transfer(number: number, length: length))
                    transfer(&state)
                }
            }
        }
    }

    private func isLast(_ request: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.last == request else { return false }
            state.last = []
            return true
        }
    }

    /// Ends a transfer: with data for the host, or, without, as refused.
    private func reply(
        _ number: UInt32, _ data: ArraySlice<UInt8>?, written: Int = 0, error: Int32 = EPIPE, to socket: Int32
    ) {
        let status = data == nil ? UInt32(bitPattern: -error) : 0
        let length = UInt32((data?.count ?? 0) + written)
        Self.send([3, number, 0, 0, 0, status, length, 0, 0, 0, 0, 0], data ?? [], to: socket)
    }

    private static func send(_ words: [UInt32], _ data: ArraySlice<UInt8>, to socket: Int32) {
        let message = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } } + data
        var place = 0
        while place < message.count {
            let count = message[place...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            place += count
        }
    }

    private static func read(_ count: Int, from socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0 else { return bytes }
        return recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    // MARK: Requests

    /// The answer to a control request; `nil` for one that the camera does not have.
    private func answer(_ setup: [UInt8], _ data: [UInt8], _ state: inout State) -> [UInt8]? {
        let (kind, request, index) = (setup[0], setup[1], setup[3])
        switch (kind, request) {
        case (0x80, 6): return descriptors.descriptor(setup[3], setup[2])
        // States, which are all 0, and what a real device does here: configuration, interface, end of a halt.
        case (0x80...0x82, 0): return [0, 0]
        case (0...2, _): return []
        default: break
        }
        // Requests of the class: to the brightness (unit 2 of interface 0) or about the video (interface 1).
        let isSet = kind == 0x21 && request == 1
        switch (setup[4], setup[5], index) {
        case (0, 2, 2):
            if isSet { state.brightness = Int(Int16(bitPattern: UInt16(data[0]) | UInt16(data[1]) << 8)) }
            let values = [0x81: state.brightness, 0x82: -64, 0x83: 64, 0x84: 1, 0x85: 2, 0x86: 3, 0x87: 0]
            guard let value = values[Int(request)] else { return isSet ? [] : nil }
            return UInt16(truncatingIfNeeded: value).littleEndianBytes
        case (1, 0, 1) where !state.refusesVideo, (1, 0, 2) where !state.refusesVideo:
            if isSet { state.parameters = descriptors.parameters(data) }
            return isSet ? [] : state.parameters
        default: return nil
        }
    }
}
