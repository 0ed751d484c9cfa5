import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Small clips with seeded damage: frames or a `StreamError` come of them, never a crash, a hang or a time that falls.
@Suite(.timeLimit(.minutes(25))) struct FuzzTests {
    static let clips: [(name: String, arguments: [String])] = [
        ("a.mp4", DecodingTests.h264 + ["-bf", "2", "-g", "4"]),
        ("a.mkv", DecodingTests.h264 + ["-g", "4"]),
        ("a.webm", DecodingTests.vp9 + ["-g", "4"]),
    ]

    @Test(arguments: clips) func mutatedClip(_ name: String, _ arguments: [String]) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, arguments)
        let clip = try folder.bytes(name)
        var opened = 0
        let memory = CountingMemory()
        for seed in 0..<100 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed + 1)
            try folder.write(mutate(clip, &generator), to: "mutated-" + name)
            _ = try streamError {
                let reader = try folder.reader("mutated-" + name)
                opened += 1
                reader.demand?.wants = VideoSinkWants(memory: memory)
                try examine(reader, seed)
                try reader.seek(to: .milliseconds(Int.random(in: 0...500, using: &generator)))
                try examine(reader, seed)
                try reader.rewind()
                try examine(reader, seed)
            }
        }
        // Enough of the damaged clips can be opened, so that more than opening is tested.
        #expect(opened > 20)
        #expect(memory.blocks == 0 && memory.overruns == 0)
    }

    private func examine(_ reader: MediaReader, _ seed: UInt64) throws {
        var previous: Duration?
        for frame in try readAll(reader, limit: 60) {
            #expect(previous.map { frame.time > $0 } ?? true, "seed \(seed)")
            previous = frame.time
            #expect(frame.packedBytes.count == frame.planes.format.packedByteCount(frame.planes.size))
        }
    }

    private func mutate(_ clip: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = clip
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            // Half of the damage goes to the first bytes, where the headers are.
            let limit = Bool.random(using: &generator) ? bytes.count : min(bytes.count, 1200)
            let index = Int.random(in: 0..<limit, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 3: bytes.insert(contentsOf: [0, 0xFF, 0x7F, 0x80], at: index)
            case 4:
                let end = min(index + 8, bytes.count)
                bytes.replaceSubrange(index..<end, with: repeatElement(0xFF, count: end - index))
            default:
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    bytes.removeLast(min(index, bytes.count - 1))
                } else {
                    bytes.removeSubrange(index..<min(index + 3, bytes.count))
                }
            }
            if bytes.isEmpty { bytes = [0] }
        }
        return bytes
    }
}
