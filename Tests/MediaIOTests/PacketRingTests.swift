import Testing

@testable import MediaIO

/// The newest packets of streams stay within their bounds, and sinks begin with them.
@Suite(.timeLimit(.minutes(25))) struct PacketRingTests {
    /// A stream that sends packets without waiting, by a clock of its own.
    private struct Camera {
        let outlet: PacketOutlet
        let ring: PacketRing
        let begin = MonotonicTime.now
        var number: Int64 = 0
        var interval = Duration.milliseconds(40)
        var group: Int64 = 50
        var byteCount = 1000

        init(_ rings: PacketRings) {
            outlet = PacketOutlet(name: "door")
            ring = rings.makeRing()
            outlet.ring = ring
        }

        /// Sends pictures, each with a packet of sound.
        mutating func send(_ count: Int) throws {
            for _ in 0..<count {
                let arrival = begin.sinceBoot + interval * Int(number)
                for kind in [TrackInfo.Kind.video, .audio] {
                    let packet = try withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 1) { bytes in
                        bytes.initializeMemory(as: UInt8.self, repeating: 1)
                        return try EncodedPacket(
                            copying: UnsafeRawBufferPointer(bytes),
                            of: TrackInfo(id: kind == .video ? 0 : 1, kind: kind, codec: .h264),
                            timing: EncodedPacket.Timing(arrival: arrival),
                            marks: EncodedPacket.Marks(isKeyFrame: number % group == 0, sequence: number))
                    }
                    outlet.distribute(packet)
                }
                number += 1
            }
        }

        /// The numbers of the pictures in the ring.
        var numbers: [Int64] {
            ring.past(from: begin - .seconds(1)).entries.filter { $0.packet.track.kind == .video }.compactMap(
                \.packet.marks.sequence)
        }
    }

    @Test("A ring goes back as far as it may, up to a key frame, and begins with one")
    func duration() throws {
        let rings = PacketRings(byteCount: 1 << 30, duration: .seconds(10))
        var camera = Camera(rings)
        camera.number = 7
        try camera.send(1000)
        let numbers = camera.numbers
        let first = try #require(numbers.first)
        #expect(first % 50 == 0 && numbers == Array(first...1006))
        #expect(camera.ring.duration >= .seconds(10) && camera.ring.duration < .seconds(12))
        // From a time on, from the key frame before it on.
        let later = camera.ring.past(from: camera.begin + .milliseconds(40 * 912)).entries
        #expect(later.first?.packet.marks.sequence == 900 && later.first?.packet.track.kind == .video)
        #expect(later.count == 2 * (1007 - 900))
    }

    @Test("Rings share their memory: the largest gives way first")
    func shared() throws {
        let rings = PacketRings(byteCount: 4 << 20, duration: .seconds(3600))
        var (large, small) = (Camera(rings), Camera(rings))
        (large.byteCount, small.byteCount) = (20_000, 500)
        for _ in 0..<100 {
            try large.send(25)
            try small.send(25)
            #expect(rings.usedByteCount <= rings.byteCount)
            #expect(rings.usedByteCount == large.ring.byteCount + small.ring.byteCount)
        }
        #expect(rings.usedByteCount > rings.byteCount / 2)
        #expect(small.ring.duration > large.ring.duration * 4, "\(small.ring.duration) \(large.ring.duration)")
        #expect(large.numbers.first.map { $0 % 50 == 0 } == true)
        small.outlet.ring = nil
        #expect(small.ring.byteCount == 0 && rings.usedByteCount == large.ring.byteCount)
    }

    @Test("A hundred streams and a megabyte: what is too large is not kept, and nothing grows")
    func scarce() throws {
        let rings = PacketRings(byteCount: 1_000_000, duration: .seconds(30))
        var cameras = (0..<100).map { _ in Camera(rings) }
        for _ in 0..<20 {
            for index in cameras.indices {
                try cameras[index].send(10)
                #expect(rings.usedByteCount <= 1_000_000)
            }
        }
        for camera in cameras { #expect(camera.numbers.first.map { $0 % 50 == 0 } ?? true) }
        cameras = []
        #expect(rings.usedByteCount == 0)
    }

    @Test("Pictures that are all key frames are released together, a tenth of a second at a time")
    func allKeyFrames() throws {
        let rings = PacketRings(byteCount: 1 << 30, duration: .seconds(2))
        var camera = Camera(rings)
        camera.group = 1
        try camera.send(500)
        #expect(camera.ring.duration >= .seconds(2) && camera.ring.duration <= .milliseconds(2200))
    }

    @Test("A sink that goes back begins with a key frame, and then gets what comes, each packet once")
    func before() throws {
        let rings = PacketRings(byteCount: 1 << 30, duration: .seconds(60))
        let requests = Monitor(0)
        let outlet = PacketOutlet(name: "door") { requests.withLock { $0 += 1 } }
        outlet.ring = rings.makeRing()
        for number in 0..<Int64(100) {
            outlet.distribute(try PacketOutletTests.packet(number, isKeyFrame: number % 10 == 0))
        }
        let sink = PacketOutletTests.Recorder([.video])
        try outlet.attach(sink, before: .seconds(60))
        for number in 100..<Int64(110) {
            outlet.distribute(try PacketOutletTests.packet(number, isKeyFrame: number % 10 == 0))
        }
        sink.await(109)
        #expect(sink.content.withLock { $0.numbers } == Array(0..<110))
        #expect(requests.withLock { $0 } == 0)
        let late = PacketOutletTests.Recorder([.video])
        try outlet.attach(late)
        #expect(requests.withLock { $0 } == 1)
        outlet.distribute(try PacketOutletTests.packet(110, isKeyFrame: true))
        late.await(110)
        #expect(late.content.withLock { $0.numbers } == [110])
        outlet.end()
        #expect(rings.usedByteCount == 0)
    }

    @Test("After a connection was lost, a ring goes on with the next key frame")
    func interrupted() throws {
        let rings = PacketRings(byteCount: 1 << 30, duration: .seconds(60))
        var camera = Camera(rings)
        try camera.send(60)
        camera.outlet.beginConnection()
        try camera.send(60)
        #expect(camera.numbers == Array(0..<60) + Array(100..<120))
    }

    @Test("What the network delays, at first or later, delays no picture, also where a clock was set")
    func moments() throws {
        let ring = PacketRings(byteCount: 1 << 30, duration: .seconds(600)).makeRing()
        let begin = MonotonicTime.now
        var clock = Duration.seconds(7000)
        func send(_ range: Range<Int>, delay: (Int) -> Duration) throws {
            for number in range {
                let time = Duration.milliseconds(40 * number)
                let bytes: [UInt8] = [1, 2, 3]
                let packet = try bytes.withUnsafeBytes { bytes in
                    try EncodedPacket(
                        copying: bytes, of: TrackInfo(id: 0, kind: .video, codec: .h264),
                        timing: EncodedPacket.Timing(
                            presentation: clock + time, arrival: (begin + time + delay(number)).sinceBoot),
                        marks: EncodedPacket.Marks(isKeyFrame: number % 25 == 0, sequence: Int64(number)))
                }
                ring.append(packet, time: nil, attributes: nil)
            }
        }
        func moments(_ range: Range<Int>) -> [Duration] {
            range.map { (ring.entry(at: $0)?.moment ?? begin) - begin - .milliseconds(40 * $0) }
        }
        // Two groups are late, by less and less; then it is as quick as it gets, with jitter.
        try send(0..<60) { .milliseconds(300 - 4 * $0) }
        try send(60..<200) { .milliseconds(10 + $0 % 7) }
        #expect(
            moments(0..<200).allSatisfy { $0 >= .milliseconds(10) && $0 < .milliseconds(11) }, "\(moments(0..<200))")
        // A clock that was set is another one: what came before it is left as it was.
        clock -= .seconds(100)
        try send(200..<300) { $0 < 220 ? .milliseconds(200) : .milliseconds(30) }
        #expect(moments(0..<200).allSatisfy { $0 >= .milliseconds(10) && $0 < .milliseconds(11) })
        #expect(moments(200..<300).allSatisfy { $0 == .milliseconds(30) }, "\(moments(200..<300))")
        #expect(ring.start(of: begin + .milliseconds(40 * 250 + 30)) == 250)
        // After a new connection, too.
        ring.interrupt()
        try send(300..<400) { $0 < 310 ? .milliseconds(90) : .milliseconds(20) }
        #expect(moments(200..<300).allSatisfy { $0 == .milliseconds(30) })
        #expect(moments(300..<400).allSatisfy { $0 == .milliseconds(20) })
        // What is a minute old is not corrected any more.
        try send(400..<2000) { _ in .milliseconds(25) }
        try send(2000..<2010) { _ in .zero }
        #expect(moments(300..<400).allSatisfy { $0 == .milliseconds(20) })
        #expect(moments(1990..<2010).allSatisfy { $0 == .zero })
    }
}
