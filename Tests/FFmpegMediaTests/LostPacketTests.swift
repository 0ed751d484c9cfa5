import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Lost packets cost pictures, which are counted, but show no broken ones, although FFmpeg conceals what is missing.
@Suite(.timeLimit(.minutes(30))) struct LostPacketTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var codec: PacketCodec
        var arguments: [String]
        var testDescription: String { name }
    }

    static let count = 250
    private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25"]
    private static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-g", "25"]
    static let rows = [
        Row(name: "H.264 without B-frames", codec: .h264, arguments: h264 + ["-tune", "zerolatency"]),
        Row(
            name: "H.264 with B-frames", codec: .h264,
            arguments: h264 + ["-bf", "3", "-x264-params", "b-pyramid=normal:scenecut=0"]),
        Row(
            name: "H.264 with open groups", codec: .h264,
            arguments: h264 + ["-bf", "3", "-x264-params", "open-gop=1:b-adapt=0:scenecut=0"]),
        Row(name: "HEVC", codec: .hevc, arguments: hevc + ["-x265-params", "log-level=error:open-gop=0:bframes=3"]),
        Row(
            name: "HEVC with open groups", codec: .hevc,
            arguments: hevc + ["-x265-params", "log-level=error:open-gop=1:bframes=3:b-adapt=0"]),
        Row(name: "VP8", codec: .vp8, arguments: ["-c:v", "libvpx", "-g", "25", "-auto-alt-ref", "0"]),
        Row(
            name: "VP9", codec: .vp9,
            arguments: ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-deadline", "realtime", "-g", "25"]),
        Row(
            name: "AV1", codec: .av1,
            arguments: ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-g", "25"]),
    ]

    /// What a consumer gets of packets that are pushed.
    final class Run {
        struct Content {
            var pictures: [(number: Int, isDamaged: Bool, bytes: [UInt8])] = []
            var omitted = 0
            var requests = 0
            var conditions: [SourceCondition] = []
        }

        private final class Consumer: VideoFrameConsumer {
            let content = Monitor(Content())

            func consume(_ frame: VideoFrame) {
                let number = frame.presentationTime.map { Int(($0 / PacketClip.time(1)).rounded()) } ?? -1
                let picture = (number, frame.attributes.isDamaged, frame.packedBytes)
                content.change { $0.pictures.append(picture) }
            }

            func sourceDidOmit(_ count: Int) { content.change { $0.omitted += count } }
            func sourceDidChange(_ condition: SourceCondition) { content.change { $0.conditions.append(condition) } }
        }

        private let consumer = Consumer()
        private let packets: PushSource
        private let source: DecodingSource

        init(_ damagedPictures: DecodingSource.DamagedPictures = .omitted) throws {
            packets = PushSource(name: "packets", bufferKind: .encoded) { [content = consumer.content] in
                content.change { $0.requests += 1 }
            }
            // The clock stands still, so that no picture comes too late.
            source = DecodingSource(
                packets, damagedPictures: damagedPictures, now: { MonotonicTime(sinceBoot: .zero) }
            ) { packet throws(StreamError) in try MediaPacketDecoder(for: packet) }
            try source.initialize(consumer: consumer)
            try source.start()
        }

        var content: Content { consumer.content.withLock { $0 } }

        /// Pushes a packet, and waits until so many pictures have come or are counted as omitted.
        func push(_ frame: VideoFrame, waiting count: Int) {
            #expect(packets.push(frame) == .delivered)
            let isDone: Void? = consumer.content.wait(until: .now + .seconds(60)) {
                $0.pictures.count + $0.omitted >= count ? () : nil
            }
            if isDone == nil { Issue.record("\(count) pictures are not accounted for within a minute.") }
        }

        /// Ends the stream, and returns what came of it.
        func end() -> Content {
            packets.report(.ended)
            let hasEnded: Void? = consumer.content.wait(until: .now + .seconds(60)) {
                $0.conditions.contains(.ended) ? () : nil
            }
            #expect(hasEnded != nil)
            source.dispose()
            return content
        }
    }

    /// Loses packets of a clip.
    private static func run(
        _ clip: PacketClip, losing lost: Set<Int>, _ damagedPictures: DecodingSource.DamagedPictures = .omitted,
        hasNumbers: Bool = true, hasTimes: Bool = true
    ) throws -> Run.Content {
        let run = try Run(damagedPictures)
        var isAfterLoss = false
        for index in clip.packets.indices {
            if lost.contains(index) {
                isAfterLoss = true
                continue
            }
            var frame = try clip.frame(
                index, sequence: hasNumbers ? 65_500 + Int64(index) : nil, discontinuity: isAfterLoss && !hasNumbers)
            if !hasTimes { frame.presentationTime = nil }
            isAfterLoss = false
            // The decoder may hold some, and refuse those up to the next key frame, which is known when that comes;
            // without times it takes longer to know that one will not come.
            let refused = damagedPictures == .shown && mayRefuse(clip.codec) ? 25 : 0
            run.push(frame, waiting: hasNumbers ? index - (hasTimes ? 8 + refused : 72) : 0)
        }
        return run.end()
    }

    /// Whether the decoder may refuse any picture between a loss and the next key frame: dav1d 1.5 does, 1.0 does not.
    private static func mayRefuse(_ codec: PacketCodec) -> Bool { codec == .av1 }

    private static func losses(_ seed: UInt64) -> Set<Int> {
        var random = SeededGenerator(seed: seed)
        var lost: Set<Int> = []
        while lost.count < 13 { lost.insert(Int.random(in: 1..<count - 1, using: &random)) }
        return lost
    }

    @Test(arguments: rows) func everyPictureIsWholeAndTheOthersAreCounted(_ row: Row) throws {
        let clip = try PacketClip(row.codec, count: Self.count, row.arguments)
        #expect(clip.packets.count == Self.count && clip.packets.count(where: \.isKeyFrame) >= 10)
        for seed in 1...3 as ClosedRange<UInt64> {
            let lost = Self.losses(seed)
            let result = try Self.run(clip, losing: lost)
            let wrong = result.pictures.filter { $0.bytes != clip.pictures[$0.number] }.map(\.number)
            #expect(wrong.isEmpty, "lost: \(lost.sorted())")
            #expect(result.pictures.count + result.omitted == Self.count)
            #expect((80..<Self.count - 13).contains(result.pictures.count))
            #expect(!result.pictures.contains { $0.isDamaged })
            #expect(zip(result.pictures, result.pictures.dropFirst()).allSatisfy { $0.number < $1.number })
            #expect((1...13).contains(result.requests))
        }
    }

    @Test(arguments: rows) func withoutALossNothingIsMissing(_ row: Row) throws {
        let clip = try PacketClip(row.codec, count: Self.count, row.arguments)
        let result = try Self.run(clip, losing: [])
        #expect(result.pictures.map(\.bytes) == clip.pictures)
        #expect(result.omitted == 0 && result.requests == 0)
    }

    /// Every picture that is not marked is whole.
    @Test(arguments: rows) func damagedPicturesMayBeShown(_ row: Row) throws {
        let clip = try PacketClip(row.codec, count: Self.count, row.arguments)
        let lost = Self.losses(4)
        let result = try Self.run(clip, losing: lost, .shown)
        let wrong = result.pictures.filter { !$0.isDamaged && $0.bytes != clip.pictures[$0.number] }.map(\.number)
        #expect(wrong.isEmpty, "lost: \(lost.sorted())")
        let showsDamaged = result.pictures.contains { $0.isDamaged }
        #expect(showsDamaged || Self.mayRefuse(row.codec))
        #expect(result.pictures.count + result.omitted == Self.count)
        #expect((13..<(Self.mayRefuse(row.codec) ? 170 : 40)).contains(result.omitted))
        // One that waits already need not be asked for.
        #expect(((Self.mayRefuse(row.codec) ? 0 : 1)...13).contains(result.requests))
    }

    /// Without times, too, every picture that is not marked is whole, and they come in their order.
    @Test(arguments: rows, [DecodingSource.DamagedPictures.omitted, .shown])
    func packetsWithoutTimes(_ row: Row, _ damagedPictures: DecodingSource.DamagedPictures) throws {
        let clip = try PacketClip(row.codec, count: Self.count, row.arguments)
        for lost in [[], Self.losses(6)] {
            let result = try Self.run(clip, losing: lost, damagedPictures, hasTimes: false)
            var rest = clip.pictures.indices[...]
            for picture in result.pictures where !picture.isDamaged {
                let found = rest.firstIndex { clip.pictures[$0] == picture.bytes }
                #expect(found != nil, "after \(rest.startIndex), lost: \(lost.sorted())")
                if let found { rest = rest[(found + 1)...] }
            }
            // None has a time.
            #expect(result.pictures.allSatisfy { $0.number == -1 })
            #expect(result.pictures.count + result.omitted == Self.count)
            let showsDamaged = result.pictures.contains { $0.isDamaged }
            let mayShowDamaged = !lost.isEmpty && damagedPictures == .shown
            #expect(showsDamaged == mayShowDamaged || mayShowDamaged && Self.mayRefuse(row.codec))
            if lost.isEmpty { #expect(result.omitted == 0 && result.requests == 0) }
        }
    }

    /// Who has no numbers says where packets were lost; how many, nobody knows.
    @Test func discontinuities() throws {
        let row = Self.rows[1]
        let clip = try PacketClip(row.codec, count: 60, row.arguments)
        let result = try Self.run(clip, losing: [10, 30], hasNumbers: false)
        #expect(!result.pictures.contains { $0.bytes != clip.pictures[$0.number] })
        #expect(result.pictures.count + result.omitted == 58)
    }

    /// Packets that come twice or too late are passed over, and a sender may begin to count anew.
    @Test func oldPacketsAndNewNumbers() throws {
        let row = Self.rows[0]
        let clip = try PacketClip(row.codec, count: 100, row.arguments)
        let run = try Run()
        // 0, 1, 2, 2, 1 and so on: all pictures of the first group.
        for index in 0..<25 {
            run.push(try clip.frame(index, sequence: Int64(index)), waiting: index + 1)
            for old in max(0, index - 10)..<index where old % 3 == index % 3 {
                run.push(try clip.frame(old, sequence: Int64(old)), waiting: index + 1)
            }
        }
        #expect(run.content.pictures.count == 25 && run.content.omitted == 0)
        // Number 27 comes after 28: the group ends with 26.
        for index in [25, 26, 28, 27] { run.push(try clip.frame(index, sequence: Int64(index)), waiting: 0) }
        for index in 29..<50 { run.push(try clip.frame(index, sequence: Int64(index)), waiting: 0) }
        // At a key frame, the sender begins at zero; in the next group, a number of 16 bits wraps around.
        for index in 50..<75 { run.push(try clip.frame(index, sequence: Int64(index - 50)), waiting: 0) }
        for index in 75..<100 {
            run.push(try clip.frame(index, sequence: Int64((65_530 + index - 75) % 65_536)), waiting: 0)
        }
        let result = run.end()
        #expect(!result.pictures.contains { $0.bytes != clip.pictures[$0.number] })
        #expect(result.pictures.map(\.number) == Array(0...26) + Array(50..<81))
        #expect(result.pictures.count + result.omitted == 100)
    }

    /// A packet that is broken spoils no other picture than those up to the next key frame, which are counted.
    @Test(arguments: rows.filter { $0.codec == .h264 || $0.codec == .hevc }, ["cut off", "noise"])
    func brokenPackets(_ row: Row, _ damage: String) throws {
        let clip = try PacketClip(row.codec, count: 100, row.arguments)
        var random = SeededGenerator(seed: 5)
        let run = try Run()
        for index in clip.packets.indices {
            var bytes = clip.packets[index].bytes
            if index == 33 {
                for place in 8..<bytes.count {
                    if damage == "noise" { bytes[place] = .random(in: 0...255, using: &random) }
                }
                if damage == "cut off" { bytes = Array(bytes.prefix(bytes.count / 2)) }
            }
            run.push(try clip.frame(index, sequence: Int64(index), bytes: bytes), waiting: index - 8)
        }
        let result = run.end()
        #expect(result.pictures.count + result.omitted == 100)
        #expect(Set(result.pictures.map(\.number)).isSuperset(of: 60..<100))
        #expect(!result.pictures.contains { $0.number >= 60 && $0.bytes != clip.pictures[$0.number] })
        // What is left of a packet may look like a whole one: few pictures are wrong then.
        let wrong = result.pictures.filter { $0.bytes != clip.pictures[$0.number] }
        #expect(wrong.count <= 2)
        #expect(result.requests <= 1)
    }

    @Test func aStreamWithoutKeyFramesSaysSo() throws {
        let row = Self.rows[0]
        let clip = try PacketClip(row.codec, count: 170, row.arguments)
        let run = try Run()
        for index in clip.packets.indices {
            run.push(try clip.frame(index, sequence: Int64(index), isKeyFrame: false), waiting: index + 1)
        }
        var result = run.content
        #expect(result.pictures.isEmpty && result.omitted == 170)
        let told = result.conditions.map { "\($0)" }.filter { $0.contains("is a key frame") }
        #expect(told.count == 1)
        // Once, and again because the request may have been lost.
        #expect(result.requests == 2)
        // The first key frame ends that.
        run.push(try clip.frame(150, sequence: 170), waiting: 171)
        result = run.end()
        #expect(result.pictures.count == 1 && result.conditions.suffix(2) == [.live, .ended])
    }
}
