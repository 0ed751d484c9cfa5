import MediaIO

/// What a decoder's process says of a packet, as far as it makes sense.
struct SandboxAnswer {
    /// FFmpeg's result.
    let result: Int32
    /// Whether no picture will follow.
    let isAtEnd: Bool
    /// The size of the picture decoded last, before a reduction.
    let codedSize: VideoSize?
    /// The pictures that are ready, all of whose pixels are in the shared memory.
    let pictures: [SandboxPicture]

    init(from reader: inout SandboxReader, memoryByteCount: Int) throws(SandboxReader.Fault) {
        result = try reader.take()
        isAtEnd = try reader.take(UInt8.self) != 0
        let (width, height) = (Int(try reader.take(Int64.self)), Int(try reader.take(Int64.self)))
        let sides = 1...PixelBuffer.maximumSide
        codedSize = sides.contains(width) && sides.contains(height) ? VideoSize(width: width, height: height) : nil
        var pictures: [SandboxPicture] = []
        for _ in 0..<(try reader.takeCount(MediaPacketDecoder.maximumReady + 1)) {
            pictures.append(try SandboxPicture(from: &reader, memoryByteCount: memoryByteCount))
        }
        self.pictures = pictures
    }
}
