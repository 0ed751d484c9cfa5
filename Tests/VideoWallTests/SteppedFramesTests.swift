import MediaIO
import TestSupport
import Testing
import VideoWall

/// Frames of a wall whose scenes are taken at ticks.
struct SteppedFramesTests {
    /// A wall, and a copy of it whose scene is taken every 40 ms, from streams whose frames arrive irregularly.
    private struct Run {
        let wall = Wall()
        let copy = Wall()
        var generator: SeededGenerator
        private var shown: [[Int]]
        private var hasScene = false
        private var taken = 0

        /// The numbers of the frames that the ticks show after the first second, of each stream.
        ///
        /// Their first ones arrive 4 ms apart, and each up to `jitter` ms later than its time. `isStepped`: whether each
        /// tick shows a frame more.
        static func pictures(
            _ periods: [Double], jitter: Int, isStepped: Bool = true, seed: UInt64 = 3
        ) throws -> [[Int]] {
            var run = Run(generator: SeededGenerator(seed: seed), shown: periods.map { _ in [] })
            let tiles = periods.indices.map { run.wall.addTile(named: "\($0)") }
            var counts = periods.map { _ in 0 }
            var due = periods.indices.map { 4 * $0 }
            var waiting = [Bool](repeating: false, count: periods.count)
            for time in 0..<8000 {
                for (index, tile) in tiles.enumerated() where time >= due[index] {
                    var frame = try frame()
                    frame.presentationTime = .seconds(counts[index])
                    tile.mailbox.put(frame)
                    counts[index] += 1
                    let next = Double(4 * index) + Double(counts[index]) * periods[index]
                    due[index] = max(time + 1, Int(next) + Int.random(in: 0...jitter, using: &run.generator))
                    waiting[index] = true
                }
                run.update(isStepped)
                if time % 40 == 20 { run.tick(after: time > 1000) }
                run.update(isStepped)
            }
            return run.shown
        }

        private init(generator: SeededGenerator, shown: [[Int]]) { (self.generator, self.shown) = (generator, shown) }

        private mutating func update(_ isStepped: Bool) {
            if wall.hasChanges { wall.update(size: screen) }
            copy.follow(wall)
            copy.takenScene = isStepped ? taken : nil
            if copy.hasChanges, copy.update(size: screen) { hasScene = true }
        }

        private mutating func tick(after isCounted: Bool) {
            if hasScene { (hasScene, taken) = (false, copy.scene.number) }
            guard isCounted else { return }
            for (index, tile) in copy.scene.tiles.enumerated() {
                shown[index].append(Int((tile.frame?.presentationTime ?? .zero) / .seconds(1)))
            }
        }
    }

    private func steps(_ pictures: [Int]) -> Set<Int> { Set(zip(pictures.dropFirst(), pictures).map { $0 - $1 }) }

    @Test("Of streams at the rate of the ticks, each frame is shown once, whenever they arrive")
    func sameRate() throws {
        let periods = [Double](repeating: 40, count: 10)
        for (index, pictures) in try Run.pictures(periods, jitter: 12).enumerated() {
            #expect(steps(pictures) == [1], "stream \(index)")
        }
        // The newest ones are not.
        let newest = try Run.pictures(periods, jitter: 12, isStepped: false)
        #expect(newest.contains { steps($0) != [1] })
    }

    @Test("Of streams that are faster, the same number of frames is left out as in the newest ones")
    func faster() throws {
        let pictures = try Run.pictures([20, 20, 1000.0 / 30, 1000.0 / 60], jitter: 4)
        // The first one's arrive just at the ticks.
        #expect(steps(pictures[0]).isSubset(of: [1, 2, 3]) && steps(pictures[1]) == [2])
        #expect(steps(pictures[2]) == [1, 2] && steps(pictures[3]).isSubset(of: [2, 3]))
        // Two frames behind at most: the newest one waits for the next tick.
        #expect((pictures[3].last ?? 0) >= 8 * 60 - 6)
    }

    @Test("Of slower streams, each frame is shown, and the last one remains")
    func slower() throws {
        let pictures = try Run.pictures([50, 200, 1000], jitter: 30)
        for pictures in pictures { #expect(steps(pictures) == [0, 1]) }
    }

    @Test("A stream that ends shows its last frame; what is cleared is gone at once")
    func ends() throws {
        let (wall, copy) = (Wall(), Wall())
        let tile = wall.addTile(named: "a")
        func update() -> Duration?? {
            wall.update(size: screen)
            copy.follow(wall)
            copy.update(size: screen)
            return copy.scene.tiles.first?.frame.map(\.presentationTime)
        }
        func put(_ number: Int) throws {
            var frame = try frame()
            frame.presentationTime = .seconds(number)
            tile.mailbox.put(frame)
        }
        copy.takenScene = 0
        for number in 0..<2 {
            try put(number)
            #expect(update() == .seconds(0))
        }
        #expect(copy.hasWaitingFrames && !copy.hasChanges)
        copy.takenScene = copy.scene.number
        #expect(copy.hasChanges)
        #expect(update() == .seconds(1))
        #expect(!copy.hasWaitingFrames && !copy.hasChanges)
        try put(2)
        #expect(update() == .seconds(1))
        tile.mailbox.clear()
        #expect(update() == .none && !copy.hasWaitingFrames)
    }
}
