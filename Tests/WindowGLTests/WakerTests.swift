import Testing

@testable import WindowGL

@Suite struct WakerTests {
    @Test func wakingTwiceIsWakingOnce() throws {
        let waker = try Waker()
        #expect(!waker.take())
        waker.wake()
        waker.wake()
        #expect(waker.take())
        #expect(!waker.take())
    }

    @Test func aFullWakerStaysAwakeAndBlocksNobody() throws {
        let waker = try Waker()
        for _ in 0..<100_000 { waker.wake() }
        #expect(waker.take())
        #expect(!waker.take())
    }

    @Test func anyThreadMayWake() async throws {
        let waker = try Waker()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1000 { waker.wake() } } }
        }
        #expect(waker.take())
    }
}
