import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Frames that are decoded into memory that a sink offers.
@Suite struct DecoderMemoryTests {
    private static func read(_ reader: MediaReader, in memory: CountingMemory) throws -> [VideoFrame] {
        reader.demand?.wants = VideoSinkWants(memory: memory)
        return try readAll(reader)
    }

    @Test("Every codec decodes the same there, and writes nowhere else", arguments: DecodingTests.clips, [1, 4])
    func sameFrames(_ clip: DecodingTests.Clip, _ threads: Int) throws {
        let folder = try ClipFolder()
        try folder.makeClip(clip.name, size: clip.size, frames: 30, clip.arguments)
        let expected = try folder.decodedBytes(clip.name, pixelFormat: clip.pixelFormat)
        let memory = CountingMemory()
        do {
            var options = MediaReader.Options()
            options.threadCount = threads
            var reader: MediaReader? = try MediaReader(folder.location(clip.name), options: options)
            var frames = try Self.read(try #require(reader), in: memory)
            let areSame = frames.flatMap(\.packedBytes) == expected
            #expect(areSame && frames.count == 30)
            // The first frames were decoded before. Raw video is not decoded at all.
            let isRaw = clip.codec == "rawvideo"
            let inMemory = frames.count { $0.planes.memory === memory }
            #expect(isRaw ? inMemory == 0 : inMemory >= 15, "\(inMemory)")
            // Frames outlive the reader.
            frames.removeFirst(20)
            reader = nil
            let isRestSame = frames.flatMap(\.packedBytes) == Array(expected.suffix(expected.count / 3))
            #expect(isRestSame && (isRaw || memory.blocks > 0))
        }
        #expect(memory.blocks == 0 && memory.overruns == 0)
    }

    @Test("Ordinary memory is used where there is no room, and later where no memory is offered")
    func refusal() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 60, DecodingTests.h264)
        let expected = try folder.decodedBytes("a.mp4")
        let reader = try folder.reader("a.mp4")
        let memory = CountingMemory()
        var frames: [VideoFrame] = []
        func read(_ count: Int) throws { frames += try readAll(reader, limit: count) }
        memory.fill(true)
        reader.demand?.wants = VideoSinkWants(memory: memory)
        try read(20)
        memory.fill(false)
        try read(20)
        reader.demand?.wants = VideoSinkWants()
        try read(20)
        let areSame = frames.flatMap(\.packedBytes) == expected
        #expect(areSame)
        let places = frames.map { $0.planes.memory === memory }
        #expect(!places[..<20].contains(true) && places[25..<38].allSatisfy(\.self) && !places[45...].contains(true))
        // After seeking and a new beginning it is still not offered.
        try reader.rewind()
        #expect(try reader.next()?.planes.memory == nil)
    }

    @Test("Frames that must be converted are decoded into ordinary memory, and converted into the offered memory")
    func conversion() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mkv", frames: 5, ["-c:v", "ffv1", "-pix_fmt", "gray10le"])
        let memory = CountingMemory()
        let frames = try Self.read(try folder.reader("a.mkv"), in: memory)
        #expect(frames.dropFirst().allSatisfy { $0.planes.memory === memory })
        #expect(memory.blocks <= 5)
    }
}
