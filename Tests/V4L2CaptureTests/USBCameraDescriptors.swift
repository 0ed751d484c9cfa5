/// What a USB camera says of itself, in the structures of the USB Video Class 1.0.
struct USBCameraDescriptors: Sendable {
    /// A size, and its rates.
    struct Frame: Sendable {
        var width: Int
        var height: Int
        var rates: [Int]
    }

    /// As usual, uncompressed video only has low rates at large sizes.
    static let uncompressed = [
        Frame(width: 320, height: 240, rates: [30, 15]), Frame(width: 640, height: 480, rates: [10]),
    ]
    static let motionJPEG = [
        Frame(width: 320, height: 240, rates: [30]), Frame(width: 640, height: 480, rates: [30]),
        Frame(width: 1280, height: 720, rates: [30]),
    ]
    /// The bytes of a payload, with its header.
    static let payloadLength = 16384

    let name: String
    let serial: String

    /// A standard descriptor; `nil` for one that the camera does not have.
    func descriptor(_ type: UInt8, _ index: UInt8) -> [UInt8]? {
        switch (type, index) {
        // USB 2.0, several interfaces, packets of 64 bytes, vendor 1209, product 0001, strings 1 to 3.
        case (1, _): Self.make(1, [0, 2, 0xef, 2, 1, 64, 0x09, 0x12, 0x01, 0, 0, 1, 1, 2, 3, 1])
        case (2, _):
            Self.make(2, UInt16(9 + Self.interfaces.count).littleEndianBytes + [2, 1, 0, 0x80, 50]) + Self.interfaces
        case (3, 0): Self.make(3, [0x09, 0x04])
        case (3, 1...3): Self.make(3, ["Vitrail", name, serial][Int(index) - 1].utf16.flatMap(\.littleEndianBytes))
        default: nil
        }
    }

    /// The camera's answer to what the host proposes: format, frame and interval, to which it adds lengths.
    func parameters(_ proposal: [UInt8]) -> [UInt8] {
        let frames = proposal[2] == 2 ? Self.motionJPEG : Self.uncompressed
        let frame = frames[min(max(Int(proposal[3]), 1), frames.count) - 1]
        return proposal[..<18] + UInt32(frame.width * frame.height * 2).littleEndianBytes
            + UInt32(Self.payloadLength).littleEndianBytes
    }

    private static func make(_ type: UInt8, _ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count + 2), type] + bytes }

    /// Descriptors of a class, of which the first has the length of all.
    private static func group(_ first: (UInt16) -> [UInt8], _ others: [UInt8]) -> [UInt8] {
        make(0x24, first(UInt16(make(0x24, first(0)).count + others.count))) + others
    }

    private static let interfaces: [UInt8] =
        // Two interfaces of one function: control and streaming.
        make(11, [0, 2, 14, 3, 0, 2]) + make(4, [0, 0, 0, 14, 1, 0, 0]) + control
        // The streaming interface has one bulk endpoint for packets of 512 bytes.
        + make(4, [1, 0, 1, 14, 2, 0, 0]) + streaming + make(5, [0x82, 2, 0, 2, 0])

    /// Sensor 1, processing unit 2 with a brightness, output 3.
    private static let control = group(
        { [1, 0, 1] + $0.littleEndianBytes + UInt32(48_000_000).littleEndianBytes + [1, 1] },
        make(0x24, [2, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0])
            + make(0x24, [5, 2, 1, 0, 0, 2, 1, 0, 0]) + make(0x24, [3, 3, 1, 1, 0, 2, 0]))

    private static let streaming = group(
        { [1, 2] + $0.littleEndianBytes + [0x82, 0, 3, 0, 0, 0, 1, 0, 0] },
        make(0x24, [4, 1, UInt8(uncompressed.count)] + yuy2 + [16, 1, 0, 0, 0, 0]) + frames(5, uncompressed) + colors
            + make(0x24, [6, 2, UInt8(motionJPEG.count), 1, 1, 0, 0, 0, 0]) + frames(7, motionJPEG) + colors)

    /// The identifier of the format.
    private static let yuy2: [UInt8] = Array("YUY2".utf8) + [0, 0, 16, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]

    /// Primaries and transfer function of BT.709, matrix of BT.601.
    private static let colors = make(0x24, [13, 1, 1, 4])

    private static func frames(_ subtype: UInt8, _ frames: [Frame]) -> [UInt8] {
        frames.enumerated().flatMap { index, frame in
            let intervals = frame.rates.flatMap { UInt32(10_000_000 / $0).littleEndianBytes }
            let numbers = [1, 1, UInt32(frame.width * frame.height * 2)].flatMap(\.littleEndianBytes)
            let size = [UInt16(frame.width), UInt16(frame.height)].flatMap(\.littleEndianBytes)
            return make(
                0x24,
                [subtype, UInt8(index + 1), 0] + size + numbers + intervals[..<4] + [UInt8(frame.rates.count)]
                    + intervals)
        }
    }
}

extension FixedWidthInteger {
    /// Its bytes, the lowest first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
