import MediaIO
import Testing

@testable import WindowGL

@Suite struct ClickCounterTests {
    private struct Press {
        var button = WindowEvent.MouseButton.left
        var x = 100.0
        var y = 100.0
        var milliseconds: Int
    }

    @Test(arguments: [
        ([0, 200, 400, 600], [1, 2, 3, 4]), ([0, 501], [1, 1]), ([0, 500], [1, 2]),
        ([0, 100, 900, 1000], [1, 2, 1, 2]),
    ])
    func pressesInTimeAreCounted(_ times: [Int], _ counts: [Int]) {
        #expect(count(times.map { Press(milliseconds: $0) }) == counts)
    }

    @Test func anotherPlaceOrButtonBeginsAnew() {
        #expect(count([Press(milliseconds: 0), Press(x: 105, y: 95, milliseconds: 100)]) == [1, 2])
        #expect(count([Press(milliseconds: 0), Press(x: 106, milliseconds: 100)]) == [1, 1])
        #expect(count([Press(milliseconds: 0), Press(y: 90, milliseconds: 100)]) == [1, 1])
        #expect(count([Press(milliseconds: 0), Press(button: .right, milliseconds: 100)]) == [1, 1])
    }

    @Test func aDragEndsTheCount() {
        for (x, next) in [(105.0, 2), (106, 1)] {
            var counter = ClickCounter()
            _ = counter.press(.left, x: 100, y: 100, time: MonotonicTime(sinceBoot: .zero))
            counter.release(x: x, y: 100)
            #expect(counter.press(.left, x: 100, y: 100, time: MonotonicTime(sinceBoot: .milliseconds(100))) == next)
        }
    }

    private func count(_ presses: [Press]) -> [Int] {
        var counter = ClickCounter()
        return presses.map {
            counter.press($0.button, x: $0.x, y: $0.y, time: MonotonicTime(sinceBoot: .milliseconds($0.milliseconds)))
        }
    }
}
