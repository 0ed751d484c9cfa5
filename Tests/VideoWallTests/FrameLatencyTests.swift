import Foundation
import MediaIO
import TestSupport
import Testing

@testable import VideoWall

struct FrameLatencyTests {
    @Test func percentilesAreWithinFivePercent() {
        var generator = SeededGenerator(seed: 1)
        var latency = FrameLatency()
        #expect(latency.percentile(0.5) == nil && latency.maximum == .zero)
        var times: [Double] = []
        for _ in 0..<5000 {
            // From 2 µs to 20 s, as many in each octave.
            let microseconds = exp2(Double.random(in: 1...24, using: &generator))
            times.append(microseconds)
            latency.note(.microseconds(microseconds))
        }
        times.sort()
        for share in [0.01, 0.5, 0.9, 0.99, 0.999] {
            let exact = times[Int((share * 5000).rounded(.up)) - 1]
            let found = (latency.percentile(share) ?? .zero) / .microseconds(1)
            #expect(abs(found / exact - 1) < 0.05, "\(share): \(found), not \(exact)")
        }
        #expect(latency.count == 5000)
        #expect(abs(latency.maximum / .microseconds(times[4999]) - 1) < 1e-9)
    }

    @Test func extremesAreCounted() {
        var latency = FrameLatency()
        for time in [Duration.zero, .seconds(-1), .seconds(100_000)] { latency.note(time) }
        #expect(latency.count == 3 && latency.maximum == .seconds(100_000))
        #expect((latency.percentile(0.5) ?? .seconds(1)) < .microseconds(2))
    }

    @Test func countsAreAddedAndSubtracted() throws {
        var earlier = FrameLatency()
        for _ in 0..<100 { earlier.note(.milliseconds(1)) }
        var later = earlier
        for _ in 0..<10 { later.note(.milliseconds(40)) }
        let rest = later.since(earlier)
        let median = try #require(rest.percentile(0.5))
        #expect(rest.count == 10 && abs(median / .milliseconds(40) - 1) < 0.05)
        #expect(rest.maximum >= median && rest.maximum / .milliseconds(40) <= 1.1)
        var sum = rest
        sum.add(earlier)
        #expect(sum.count == 110 && (sum.percentile(0.5) ?? .zero) < .milliseconds(2))
    }

    @Test func aFrameIsCountedWhenItIsPresented() throws {
        let wall = Wall()
        let tiles = (0..<2).map { wall.addTile(named: "\($0)") }
        let image = try frame()
        func present() {
            wall.update(size: VideoSize(width: 16, height: 9))
            wall.notePresented()
        }
        present()
        #expect(tiles.map(\.latency.count) == [0, 0])
        tiles[0].mailbox.put(image)
        Thread.sleep(forTimeInterval: 0.02)
        for _ in 0..<3 { present() }
        #expect(tiles.map(\.latency.count) == [1, 0])
        #expect(tiles[0].latency.maximum >= .milliseconds(20))
        // The time counts from the frame that is shown, not from one that it replaced; and hidden tiles show none.
        let before = ContinuousClock.now
        for tile in tiles { tile.mailbox.put(image) }
        Thread.sleep(forTimeInterval: 0.1)
        let replaced = ContinuousClock.now
        for tile in tiles { tile.mailbox.put(image) }
        wall.focus = tiles[1].id
        present()
        #expect(tiles.map(\.latency.count) == [1, 1])
        #expect(tiles[1].latency.maximum <= before.duration(to: .now) - before.duration(to: replaced))
        tiles[1].clear()
        present()
        #expect(tiles.map(\.latency.count) == [1, 1])
    }
}
