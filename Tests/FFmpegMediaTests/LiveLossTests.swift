import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// What a network loses of a live stream costs pictures up to the next key frame, as far as it is noticed.
@Suite(.timeLimit(.minutes(25))) struct LiveLossTests {
    /// A transport stream that lacks some of its packets of 188 bytes, as one over UDP does.
    private static func lossy(_ bytes: [UInt8], seed: UInt64, keeping first: Int) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let count = bytes.count / 188
        let lost = Set((0..<13).map { _ in Int.random(in: first..<count, using: &random) })
        return (0..<count).filter { !lost.contains($0) }.flatMap { bytes[188 * $0..<188 * ($0 + 1)] }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func picturesAreWholeAndTheOthersAreCounted(_ seed: UInt64) throws {
        let folder = try ClipFolder()
        let options = ["-bf", "2", "-g", "25", "-x264-params", "scenecut=0", "-pix_fmt", "yuv420p"]
        try folder.makeClip("a.ts", size: "160x120", frames: 250, ["-c:v", "libx264"] + options)
        let bytes = try folder.bytes("a.ts")
        let server = try LoopbackServer(.bytes(Self.lossy(bytes, seed: seed, keeping: bytes.count / 188 / 5)))
        defer { server.close() }
        let whole = try readAll(try folder.reader("a.ts")).map(\.packedBytes)
        #expect(whole.count == 250)
        let reader = try MediaReader(.network(url: "tcp://127.0.0.1:\(server.port)"))
        #expect(reader.info.isLive)
        var numbers: [Int] = []
        var wrong: [Int] = []
        while let frame = try? reader.next() {
            let number = Int((frame.time / .milliseconds(40)).rounded())
            numbers.append(number)
            if frame.packedBytes != whole[number] { wrong.append(number) }
            #expect(!frame.attributes.isDamaged)
        }
        #expect(wrong.isEmpty)
        #expect((60..<240).contains(numbers.count))
        // The first group is whole.
        #expect(Set(numbers).isSuperset(of: 0..<25))
        #expect(reader.corruptCount > 13)
    }

    /// RTP packets with whole pictures, whose loss nothing but the numbers of the pictures shows.
    @Test func lostPicturesOfRTP() throws {
        let folder = try ClipFolder()
        var pictures: [[Int: [UInt8]]] = []
        // A key frame is every tenth.
        for lost in [[], [13, 27, 41, 44]] as [Set<Int>] {
            let server = try LoopbackServer(RTSPCamera(folder, frames: 60, losing: lost).answer)
            defer { server.close() }
            let reader = try MediaReader(.network(url: "rtsp://127.0.0.1:\(server.port)/camera"))
            var found: [Int: [UInt8]] = [:]
            while found[55] == nil, let frame = try reader.next() {
                found[Int((frame.time / .milliseconds(40)).rounded())] = frame.packedBytes
            }
            pictures.append(found)
            // Four losses, and the packets left out because of them.
            #expect(reader.corruptCount == (lost.isEmpty ? 0 : 4 + 15))
        }
        let (whole, rest) = (pictures[0], pictures[1])
        #expect(whole.keys.sorted() == Array(0...55))
        #expect(rest.keys.sorted() == Array(0...12) + Array(20...26) + Array(30...40) + Array(50...55))
        #expect(rest.allSatisfy { whole[$0] == $1 })
    }

    @Test func theStatisticsAddUp() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.ts", size: "160x120", frames: 250, ["-c:v", "libx264", "-bf", "2", "-g", "25"])
        let bytes = try folder.bytes("a.ts")
        let server = try LoopbackServer(.bytes(Self.lossy(bytes, seed: 1, keeping: bytes.count / 188 / 5)))
        defer { server.close() }
        let watcher = LiveTests.Watcher()
        // On a busy machine, packets of a second connection would wait behind those of the first, and be left out with them.
        let location = MediaLocation.network(url: "tcp://127.0.0.1:\(server.port)")
        let source = LiveTests.source(location, .seconds(10), retryingAfter: .seconds(60))
        try source.initialize(consumer: watcher)
        try source.start()
        #expect(watcher.wait { $0.conditions.contains { "\($0)".contains("lost") } })
        source.dispose()
        let (frames, omitted) = try #require(watcher.beforeLoss)
        // The last group may have no key frame.
        #expect(frames + omitted > 220 && frames + omitted <= 250)
        #expect(omitted > 13)
    }
}
