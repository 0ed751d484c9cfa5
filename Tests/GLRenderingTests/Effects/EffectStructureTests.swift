import Foundation
import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// Whatever a file nests or repeats, and however often, the program goes on: it is drawn, or refused with its line.
///
/// Each structure has a process of its own, whose drawing thread has as small a stack as those of some hosts.
@Suite(.timeLimit(.minutes(25)), .serialized) struct EffectStructureTests {
    private static let size = VideoSize(width: 8, height: 4)
    private static let stackSize = 512 << 10

    @Test(
        .disabled(if: drawsWithES, "the driver has one compiler for both"), arguments: EffectStructure.allCases
    ) func structuresAreDrawnOrRefused(_ structure: EffectStructure) async {
        await #expect(processExitsWith: .success) { [structure] in
            for count in [10, 250, 20_000, 200_000] { try Self.draw(structure, count) }
        }
    }

    /// Draws a file on a thread with a small stack.
    private static func draw(_ structure: EffectStructure, _ count: Int) throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.effect.glsl", Array(structure.text(count).utf8))
        let result = Monitor<(any Error)?>(nil)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try check(path, structure, count) } catch { result.withLock { $0 = error } }
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        if let error = result.withLock({ $0 }) { throw error }
    }

    private static func check(_ path: String, _ structure: EffectStructure, _ count: Int) throws {
        let effect: Effect
        do throws(EffectError) { effect = try EffectFile.read(path) } catch {
            #expect(
                (error.line ?? 0) > 0 || error.reason.contains("more than 1024 KB"), "\(structure) \(count): \(error)")
            #expect(count > 10 || !structure.isEffect, "\(structure) \(count): \(error)")
            return
        }
        let test = try TestWall(with: .gl)
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, size).buffer()))
        tile.effects = EffectChain([effect])
        _ = try test.picture(size)
        let report = tile.report
        #expect(report.failure == nil, "\(structure) \(count): \(report.failure ?? "")")
        guard let error = report.effectFailure else { return }
        #expect((error.line ?? 0) > 0, "\(structure) \(count): \(error)")
        #expect(count > 10 || !structure.isEffect, "\(structure) \(count): \(error)")
    }
}
