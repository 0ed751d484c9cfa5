import Foundation
import MediaIO
import Testing

@testable import vitrail

/// What can be drawn, before and after it is known.
@Suite(.timeLimit(.minutes(25))) struct SizeLimitTests {
    @Test("A small frame needs no limit; a large one waits until it is known")
    func waits() {
        let limit = SizeLimit()
        #expect(limit.exceeded(by: VideoSize(width: 4096, height: 16)) == nil)
        let (began, result) = (DispatchSemaphore(value: 0), Monitor<Int??>(nil))
        Thread.detachNewThread {
            began.signal()
            let exceeded = limit.exceeded(by: VideoSize(width: 16, height: 8193))
            result.change { $0 = .some(exceeded) }
        }
        began.wait()
        usleep(50_000)
        #expect(result.withLock { $0 == nil })
        limit.set(8192)
        #expect(result.wait { $0 } == 8192)
        #expect(limit.exceeded(by: VideoSize(width: 8192, height: 8192)) == nil)
    }

    @Test("A limit that is known counts for every frame")
    func known() {
        let limit: SizeLimit = 2048
        #expect(limit.exceeded(by: VideoSize(width: 2049, height: 16)) == 2048)
        #expect(limit.exceeded(by: VideoSize(width: 2048, height: 2048)) == nil)
        // Another renderer may draw more.
        limit.set(16384)
        #expect(limit.exceeded(by: VideoSize(width: 16384, height: 16)) == nil)
    }
}
