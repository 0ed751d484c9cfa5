import Glibc
import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

@testable import vitrail

/// Effects that are read on a thread of their own.
@Suite(.timeLimit(.minutes(25))) struct EffectReaderTests {
    private static func write(_ folder: borrowing TemporaryFolder, _ factor: String) -> String {
        folder.write(
            "a.effect.glsl", Array("vec4 effect(vec2 uv) { return \(factor) * sample(uv); }\n".utf8))
    }

    /// What was just saved is known afterwards: an edit neither reads nor compiles it again.
    @Test func whatWasSavedIsKnown() throws {
        let folder = TemporaryFolder()
        let path = Self.write(folder, "0.5")
        var chain = EffectChain([try EffectFile.read(path)])
        let old = chain.steps[0].effect
        let wakes = Monitor(0)
        let reader = EffectReader { wakes.change { $0 += 1 } }
        func result() -> EffectReader.Result? {
            wakes.wait { $0 > 0 ? $0 = 0 : nil }
            return reader.take().first
        }
        _ = Self.write(folder, "0.25")
        reader.read(.saved([path], of: [chain], wall: nil))
        guard case .saved([path], let saved) = result() else {
            Issue.record("nothing was read")
            return
        }
        chain.reload(saved)
        #expect(chain.steps[0].effect !== old && chain.steps[0].failure == nil)
        var notes: [String] = []
        #expect(try EffectChain(chain.text, notes: &notes) == chain)
        // Saved once more, and broken.
        _ = folder.write("a.effect.glsl", [])
        reader.read(.saved([path], of: [chain], wall: nil))
        guard case .saved(_, let broken) = result() else {
            Issue.record("nothing was read")
            return
        }
        #expect(broken.errors.count == 1)
        reader.read(.dropped(["a.mp4", path, "\(folder.path)/none.cube"], on: nil))
        guard case .dropped(let paths, nil) = result() else {
            Issue.record("nothing was read")
            return
        }
        #expect(paths == ["a.mp4", path, "\(folder.path)/none.cube"])
    }
}
