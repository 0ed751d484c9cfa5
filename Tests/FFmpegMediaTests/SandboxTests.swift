import CVitrailFFmpeg
import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// A decoder's process by itself: what it shares, and what it believes.
struct SandboxTests {
    @Test("Blocks of shared memory do not overlap, and are used again") func memory() throws {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { bytes.deallocate() }
        let memory = SharedFrameMemory(bytes)
        var random = SeededGenerator(seed: 7)
        var blocks: [(block: FrameMemoryBlock, mark: UInt8)] = []
        for round in 0..<3000 {
            let count = Int.random(in: 1...60_000, using: &random)
            if let block = memory.allocate(byteCount: count) {
                #expect(block.bytes.count == count)
                block.bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: round))
                blocks.append((block, UInt8(truncatingIfNeeded: round)))
            }
            guard blocks.count > 8 || round % 3 == 0, !blocks.isEmpty else { continue }
            let (block, mark) = blocks.remove(at: Int.random(in: blocks.indices, using: &random))
            #expect(block.bytes.allSatisfy { $0 == mark })
            block.release()
        }
        for (block, _) in blocks { block.release() }
        // All of it is one part again.
        let all = try #require(memory.allocate(byteCount: 1 << 20))
        #expect(memory.allocate(byteCount: 1) == nil)
        all.release()
    }

    @Test("Messages that end early or lie are no pictures") func lies() throws {
        var random = SeededGenerator(seed: 9)
        var accepted = 0
        for round in 0..<20_000 {
            var writer = SandboxWriter()
            writer.put(UInt64(1))
            for number: Int32 in [64, 48, 0] { writer.put(number) }
            writer.put(UInt32(3))
            for (offset, stride): (UInt64, Int32) in [(0, 64), (3072, 32), (3840, 32)] {
                writer.put(offset)
                writer.put(stride)
            }
            for _ in 0..<3 { writer.put(Int64(0)) }
            for _ in 0..<3 { writer.put(UInt8(0)) }
            for _ in 0..<5 { writer.put(Int32(0)) }
            for _ in 0..<5 { writer.put(UInt32(0)) }
            for _ in 0..<4 { writer.put(UInt64(0)) }
            writer.put(UInt32(0))
            var bytes = Array(writer.bytes)
            if round > 0 {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if round % 7 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
            }
            let picture = bytes.withUnsafeBytes { bytes in
                var reader = SandboxReader(bytes)
                // A picture of 64 × 48 in 4:2:0 has 4608 bytes.
                return try? SandboxPicture(from: &reader, memoryByteCount: 4608 + SandboxPicture.padding)
            }
            if round == 0 { #expect(picture != nil) }
            accepted += picture == nil ? 0 : 1
        }
        // Times and colours may be anything.
        #expect(accepted > 5000)
    }

    @Test("To examine a stream, nothing of it is decoded in the program") func examination() throws {
        let folder = try ClipFolder()
        let path = folder.file("a.mkv")
        try folder.ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", "3", "-c:v", "ffv1", path])
        for isSandboxed in [false, true] {
            var options = MediaReader.Options()
            options.isSandboxed = isSandboxed
            let input = try MediaInput(.file(path: path), options, ReadCancellation())
            let parameters = try #require(input.streams.first?.pointee.codecpar.pointee)
            #expect(parameters.width == 64)
            // The container does not say it: FFmpeg's decoder does.
            #expect((parameters.format < 0) == isSandboxed)
        }
    }

    @Test("Who sends a byte now and then, or reads one, does not hold up a decoder") func trickle() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (own, other) = (ends[0], ends[1])
        let channel = SandboxChannel(own, limit: 1 << 20, patience: 1)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var bytes: [UInt8] = [100, 0, 0, 0]
            // Half a minute, unless the other end is gone.
            for _ in 0..<150 {
                guard send(other, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
                _ = recv(other, &bytes, 1, 0)
                bytes = [1]
                usleep(200_000)
            }
            close(other)
            done.signal()
        }
        var message = SandboxWriter()
        [UInt8](repeating: 0, count: 16 << 20).withUnsafeBytes { message.put(bytes: $0) }
        let start = MonotonicTime.now
        #expect(!channel.send(&message))
        #expect(channel.receive() == nil)
        #expect(MonotonicTime.now.sinceBoot - start.sinceBoot < .seconds(15))
        shutdown(own, Int32(SHUT_RDWR))
        done.wait()
    }
}
