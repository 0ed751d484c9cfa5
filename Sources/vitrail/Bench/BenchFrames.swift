import Glibc
import MediaIO
import VideoWall

/// The frames of a workload in memory: several for each stream, which are shown in turn.
struct BenchFrames {
    /// By stream, then by number.
    private let frames: [[VideoFrame]]
    /// The bytes of all frames.
    let byteCount: Int

    /// The colours of every frame.
    private static let attributes = FrameAttributes(
        colorSpace: ColorSpace(matrix: .bt709, range: .limited), chromaLocation: .center)

    /// Generates frames: gradients that move, with noise, the same each time.
    ///
    /// Streams share frames if each one's own would take more than 256 MiB.
    ///
    /// - Parameters:
    ///   - workload: the streams.
    ///   - renderer: draws them; frames are made in the memory that it offers.
    /// - Throws: what allocating throws.
    init(generating workload: BenchWorkload, for renderer: any WallRenderer) throws {
        let own = max(1, min(workload.streams, (256 << 20) / max(1, 8 * workload.frameBytes)))
        let count = max(8, 16 / own)
        let memory = try Self.reserve(own * count, workload, renderer)
        var sets: [[VideoFrame]] = []
        for stream in 0..<own {
            var set: [VideoFrame] = []
            for number in 0..<count {
                set.append(
                    VideoFrame(try Self.generate(workload, stream, number, memory), attributes: Self.attributes))
            }
            sets.append(set)
        }
        frames = (0..<workload.streams).map { sets[$0 % own] }
        byteCount = own * count * workload.frameBytes
    }

    /// Maps the frames in files of raw planes, `NAME_00.yuv` and so on, one for each stream.
    ///
    /// - Parameters:
    ///   - folder: has the files.
    ///   - workload: the streams.
    ///   - renderer: draws them; frames are copied into the memory that it offers.
    /// - Throws: ``StreamError`` for a missing or short file, and what allocating throws.
    init(in folder: String, of workload: BenchWorkload, for renderer: any WallRenderer) throws {
        var frames: [[VideoFrame]] = []
        var total = 0
        for stream in 0..<workload.streams {
            let number = stream < 10 ? "0\(stream)" : "\(stream)"
            let path = "\(folder)/\(workload.files)_\(number).yuv"
            let bytes = try Self.map(path)
            let count = bytes.count / workload.frameBytes
            guard count > 0 else {
                throw StreamError(
                    .tooShort,
                    "\(path) has \(bytes.count) bytes, less than one frame of \(workload.size) \(workload.format).")
            }
            total += count * workload.frameBytes
            let memory = try Self.reserve(count, workload, renderer)
            var set: [VideoFrame] = []
            for index in 0..<count {
                let part = bytes[index * workload.frameBytes..<(index + 1) * workload.frameBytes]
                let planes = Self.planes(UnsafeRawBufferPointer(rebasing: part), workload)
                // The mapping remains until the program ends.
                let buffer =
                    if let memory {
                        try PixelBuffer(format: workload.format, size: workload.size, memory: memory) {
                            try $0.copy(planes)
                        }
                    } else {
                        try PixelBuffer(lending: planes, format: workload.format, size: workload.size, release: {})
                    }
                set.append(VideoFrame(buffer, attributes: Self.attributes))
            }
            frames.append(set)
        }
        (self.frames, byteCount) = (frames, total)
    }

    /// A stream's frame; after the last one, the first follows.
    func frame(_ stream: Int, _ number: Int) -> VideoFrame { frames[stream][number % frames[stream].count] }

    /// Makes room in the memory that a renderer offers; `nil` if it offers none.
    private static func reserve(
        _ count: Int, _ workload: BenchWorkload, _ renderer: any WallRenderer
    ) throws(RenderingError) -> (any FrameMemory)? {
        guard let memory = renderer.frameMemory else { return nil }
        // Rows and blocks are longer than the samples.
        try renderer.reserveFrameMemory(byteCount: count * (workload.frameBytes * 5 / 4 + 8192))
        return memory
    }

    private static func planes(_ bytes: UnsafeRawBufferPointer, _ workload: BenchWorkload) -> [PixelBuffer.Plane] {
        var place = 0
        return workload.format.planes.map { plane in
            let row = plane.rowBytes(workload.size)
            let length = row * plane.height(workload.size)
            defer { place += length }
            let part = UnsafeRawBufferPointer(rebasing: bytes[place..<place + length])
            return PixelBuffer.Plane(bytes: part, bytesPerRow: row)
        }
    }

    private static func map(_ path: String) throws(StreamError) -> UnsafeRawBufferPointer {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        let length = Int(lseek(descriptor, 0, SEEK_END))
        let memory = length > 0 ? mmap(nil, length, PROT_READ, MAP_PRIVATE | Int32(MAP_POPULATE), descriptor, 0) : nil
        guard let memory, memory != MAP_FAILED else {
            throw StreamError(.cannotOpen, "\(path) cannot be read: --frames-from needs a file for each stream.")
        }
        return UnsafeRawBufferPointer(start: memory, count: length)
    }

    private static func generate(
        _ workload: BenchWorkload, _ stream: Int, _ number: Int, _ memory: (any FrameMemory)?
    ) throws(StreamError) -> PixelBuffer {
        try PixelBuffer(format: workload.format, size: workload.size, memory: memory) { planes in
            var random = UInt64(truncatingIfNeeded: stream &* 1_000_003 &+ number &+ 1) &* 0x9E37_79B9_7F4A_7C15
            for index in 0..<planes.count {
                let height = workload.format.planes[index].height(workload.size)
                for row in 0..<height {
                    planes.withRowBytes(row, ofPlane: index) { bytes in
                        for column in 0..<bytes.count {
                            // xorshift64 (Marsaglia, 2003).
                            random ^= random << 13
                            random ^= random >> 7
                            random ^= random << 17
                            let slope = column * 180 / bytes.count + row * 90 / height + number * 7 + stream * 29
                            bytes[column] = UInt8(24 + (slope + Int(random >> 60)) % 200)
                        }
                    }
                }
            }
        }
    }
}
