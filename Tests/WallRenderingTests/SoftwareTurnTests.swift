import MediaIO
import Testing
import VitrailSupport

@testable import WallRendering

@Suite(.timeLimit(.minutes(25)))
struct SoftwareTurnTests {
    @Test("One thread has a turn, the next one when it has ended; who waits gives up in time")
    func oneAtATime() throws {
        let first = try #require(SoftwareTurn.take())
        let begin = MonotonicTime.now
        #expect(SoftwareTurn.take(until: begin + .milliseconds(50)) == nil)
        #expect(MonotonicTime.now - begin >= .milliseconds(50))
        let taken = Monitor(false)
        let thread = try SystemThread(for: "a test") {
            let turn = SoftwareTurn.take()
            taken.change { $0 = true }
            turn?.end()
        }
        #expect(taken.wait(until: .now + .milliseconds(50)) { $0 ? true : nil } == nil)
        first.end()
        #expect(taken.wait(until: .now + .seconds(120)) { $0 ? true : nil } == true)
        thread.join()
    }

    @Test("A turn that has ended ends no other one")
    func endsOnce() throws {
        let first = try #require(SoftwareTurn.take())
        first.end()
        let second = try #require(SoftwareTurn.take())
        first.end()
        #expect(SoftwareTurn.take(until: .now) == nil)
        second.end()
    }
}
