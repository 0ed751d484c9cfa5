import Testing

@testable import MediaIO

/// Which pictures come, which never will, and which are damaged.
struct AwaitedPicturesTests {
    private static func packet(_ time: Int, isDamaged: Bool = false) -> AwaitedPictures.Packet {
        AwaitedPictures.Packet(
            time: .milliseconds(time), hasTime: true, isDamaged: isDamaged, isRestart: false)
    }

    @Test("A picture between two packets, as the second field of one, is as damaged as the one before")
    func fields() {
        var awaited = AwaitedPictures()
        for packet in [Self.packet(0), Self.packet(40, isDamaged: true), Self.packet(80)] { _ = awaited.await(packet) }
        let pictures = [0, 20, 40, 60, 80, 100].map { awaited.take(.milliseconds($0), isDamaged: false) }
        #expect(pictures.map(\.isDamaged) == [false, false, true, true, false, false])
        #expect(pictures.allSatisfy { $0.omitted == 0 })
        #expect(awaited.end() == 0)
    }

    @Test("A picture that is passed over never comes")
    func missing() {
        var awaited = AwaitedPictures()
        for time in [0, 120, 40, 80] { _ = awaited.await(Self.packet(time)) }
        #expect(awaited.take(.milliseconds(80), isDamaged: false).omitted == 2)
        #expect(awaited.take(.milliseconds(120), isDamaged: false).omitted == 0)
        _ = awaited.await(Self.packet(160))
        #expect(awaited.end() == 1)
    }

    @Test("Two packets with the same time are two pictures")
    func sameTime() {
        var awaited = AwaitedPictures()
        for packet in [Self.packet(40), Self.packet(40, isDamaged: true), Self.packet(80)] { _ = awaited.await(packet) }
        #expect(awaited.take(.milliseconds(40), isDamaged: false) == .init(isDamaged: true, hasTime: true))
        #expect(awaited.take(.milliseconds(80), isDamaged: false).omitted == 1)
        #expect(awaited.end() == 0)
    }
}
