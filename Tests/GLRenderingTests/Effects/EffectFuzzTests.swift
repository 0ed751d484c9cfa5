import Foundation
import GLRendering
import MediaIO
import PNGFile
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// Whatever is in an effect's file, it is drawn, or an ``EffectError`` says in which file and line it is wrong.
///
/// With `VITRAIL_FUZZ=0-10000` in the environment these are more files: drawing ten thousand takes an hour.
@Suite struct EffectFuzzTests {
    private static let size = VideoSize(width: 24, height: 14)
    /// The numbers of the files; each number is always the same file.
    private static let rounds: Range<Int>? = {
        let ends = ProcessInfo.processInfo.environment["VITRAIL_FUZZ"]?.split(separator: "-").compactMap { Int($0) }
        return ends.flatMap { $0.count == 2 && $0[0] < $0[1] ? $0[0]..<$0[1] : nil }
    }()

    /// A folder of effects.
    private struct Effects: ~Copyable {
        let folder = TemporaryFolder()
        let mutation: EffectMutation

        init(_ mutation: EffectMutation) {
            self.mutation = mutation
            _ = folder.write("part.glsl", Array("// A part.\nfloat part(float x) { return 1.0 - x; }\n".utf8))
            _ = folder.write("empty.glsl", [])
            let dots = (0..<64).map { UInt8($0 * 4) }
            let png = dots.withUnsafeBytes { try? PNG.encode(rgba: $0, width: 4, height: 4, bytesPerRow: 16) }
            _ = folder.write("dots.png", png ?? [])
        }

        /// A damaged file, read.
        ///
        /// - Returns: the effect; `nil` if it was refused, with its place.
        func effect(_ round: Int) -> Effect? {
            var random = SeededGenerator(seed: UInt64(round + 1))
            let file = mutation.file(&random)
            let path = folder.write("fuzz.glsl", file.text)
            do throws(EffectError) {
                return try EffectFile.read(path, file.dialect)
            } catch {
                let names = [path, "part.glsl", "empty.glsl", "missing.glsl"]
                #expect(names.contains(error.file) && (error.line ?? 0) > 0, "round \(round): \(error)")
                return nil
            }
        }
    }

    @Test func filesAreRead() throws {
        let effects = Effects(try EffectMutation())
        var count = 0
        let rounds = Self.rounds ?? 0..<2000
        for round in rounds where effects.effect(round) != nil { count += 1 }
        // The damage is neither too mild nor too great.
        #expect((rounds.count * 3 / 10...rounds.count * 9 / 10).contains(count), "\(count)")
    }

    @Test func filesAreDrawn() throws {
        let rounds = Self.rounds ?? 0..<200
        let effects = Effects(try EffectMutation())
        let test = try TestWall()
        for _ in 0..<2 { test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer())) }
        let plain = try test.picture(VideoSize(width: 48, height: 14))
        var (drawn, refused): (Int, Int) = (0, 0)
        var slowest = (time: Duration.zero, round: 0)
        for round in rounds {
            guard let effect = effects.effect(round) else { continue }
            let start = ContinuousClock.now
            let tile = test.wall.tiles[0]
            tile.effects = EffectChain([effect])
            let picture = try test.picture(VideoSize(width: 48, height: 14))
            let report = tile.report
            #expect(report.failure == nil, "round \(round): \(report.failure ?? "")")
            if let error = report.effectFailure {
                refused += 1
                let files = Set(effect.sources.map(\.file) + [effect.file])
                #expect(files.contains(error.file) && (error.line ?? 0) > 0, "round \(round): \(error)")
            } else {
                drawn += 1
            }
            // The other tile is as it was.
            #expect((24..<48).allSatisfy { picture.pixel($0, 7) == plain.pixel($0, 7) }, "round \(round)")
            tile.effects = EffectChain()
            let time = ContinuousClock.now - start
            if time > slowest.time { slowest = (time, round) }
            let result = report.effectFailure?.description ?? "drawn"
            // A hang, not a measurement: on an idle machine the slowest take two seconds.
            #expect(time < .seconds(60), "round \(round): \(result)\n\(effect.text)")
        }
        print("\(rounds) files: \(drawn) drawn, \(refused) refused by the renderer; slowest \(slowest)")
        #expect(drawn > rounds.count / 20 && refused > rounds.count / 20)
    }
}

extension Effect {
    /// All of its GLSL.
    fileprivate var text: String { sources.map(\.text).joined() }
}
