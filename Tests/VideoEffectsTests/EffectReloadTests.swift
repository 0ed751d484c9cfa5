import Glibc
import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// Files that are saved while their effects are used.
@Suite(.timeLimit(.minutes(25))) struct EffectReloadTests {
    private static let body = "vec4 effect(vec2 uv) { return sample(uv); }\n"

    private static func bytes(_ header: String) -> [UInt8] { Array("\(header)\n\(body)".utf8) }

    /// Waits until a watcher reports files.
    private func wait(_ wakes: Monitor<Int>) {
        while wakes.withLock({ $0 }) == 0 { usleep(1000) }
        wakes.withLock { $0 = 0 }
    }

    /// Waits until a watcher reports saved files.
    private func saved(_ watcher: FileWatcher, _ wakes: Monitor<Int>) -> Set<String> {
        wait(wakes)
        return watcher.takeSaved()
    }

    /// Waits until a watcher reports lost files.
    private func lost(_ watcher: FileWatcher, _ wakes: Monitor<Int>) -> Set<String> {
        wait(wakes)
        return watcher.takeLost()
    }

    /// Reads files again that were saved.
    private func reload(_ chain: inout EffectChain, _ saved: Set<String>) -> [EffectError] {
        let saved = SavedEffects(saved, of: [chain])
        chain.reload(saved)
        return saved.errors
    }

    @Test func savedFilesAreReported() throws {
        let folder = TemporaryFolder()
        folder.makeFolder("inner")
        let (one, two) = (folder.write("one", [1]), folder.write("inner/two", [1]))
        let wakes = Monitor(0)
        let watcher = try FileWatcher { wakes.withLock { $0 += 1 } }
        watcher.watch([one, two])
        _ = folder.write("other", [1])
        _ = folder.write("one", [2])
        #expect(saved(watcher, wakes) == [one])
        #expect(watcher.takeSaved().isEmpty)
        _ = folder.write("inner/new", [3])
        #expect(rename("\(folder.path)/inner/new", two) == 0)
        #expect(saved(watcher, wakes) == [two])
        watcher.watch([one])
        _ = folder.write("inner/two", [4])
        _ = folder.write("one", [4])
        #expect(saved(watcher, wakes) == [one])
        // A file that a link leads to, a folder that comes, and one that goes and comes again.
        #expect(symlink(two, "\(folder.path)/link") == 0)
        watcher.watch(["\(folder.path)/link", "\(folder.path)/later/deep/three"])
        _ = folder.write("inner/two", [5])
        #expect(saved(watcher, wakes) == ["\(folder.path)/link"])
        for _ in 0..<2 {
            folder.makeFolder("later")
            folder.makeFolder("later/deep")
            let three = folder.write("later/deep/three", [6])
            var all = saved(watcher, wakes)
            #expect(all == [three])
            // It may be reported as the folder comes, and when it is written.
            usleep(100_000)
            wakes.withLock { $0 = 0 }
            _ = watcher.takeSaved()
            _ = folder.write("later/deep/three", [7])
            all = saved(watcher, wakes)
            #expect(all == [three])
            #expect(watcher.takeLost().isEmpty)
            #expect(unlink(three) == 0 && rmdir("\(folder.path)/later/deep") == 0 && rmdir("\(folder.path)/later") == 0)
            #expect(lost(watcher, wakes) == [three])
            #expect(watcher.takeSaved().isEmpty)
        }
        // A folder that is not there is no error.
        watcher.watch(["/none/here", one])
        _ = folder.write("one", [5])
        #expect(saved(watcher, wakes) == [one])
        // Other permissions, and another name.
        #expect(chmod(one, 0o400) == 0)
        #expect(lost(watcher, wakes) == [one])
        #expect(rename(one, "\(folder.path)/other") == 0)
        #expect(lost(watcher, wakes) == [one])
        #expect(watcher.takeSaved().isEmpty && watcher.takeLost().isEmpty)
    }

    @Test func aChainReadsWhatHasChanged() throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.effect.glsl", Self.bytes("//! param x float 0 1 0.5\n#include \"part.glsl\""))
        let part = folder.write("part.glsl", Array("const float part = 1.0;\n".utf8))
        #expect(throws: EffectError.self) { try EffectFile.read("\(folder.path)/b.effect.glsl") }
        var notes: [String] = []
        var chain = try EffectChain("\(path):x=0.75,invert", notes: &notes)
        #expect(chain.files == [path, part])
        let old = chain
        #expect(reload(&chain, ["/other"]).isEmpty && chain == old)
        _ = folder.write("a.effect.glsl", Self.bytes("//! param y float 0 1 0.25\n//! param x float 0 1 0.5"))
        #expect(reload(&chain, [path]).isEmpty)
        #expect(chain.steps[0].values == [.float(0.25), .float(0.75)] && chain.steps[1] == old.steps[1])
        // A file that cannot be used leaves the last version.
        let good = chain.steps[0].effect
        _ = folder.write("a.effect.glsl", Self.bytes("//! param y nothing"))
        let errors = reload(&chain, [path])
        #expect(errors.count == 1 && errors[0].line == 1 && chain.failure == errors[0])
        #expect(chain.steps[0].effect == good)
        _ = folder.write("a.effect.glsl", Self.bytes(""))
        #expect(reload(&chain, [path]).isEmpty && chain.failure == nil && chain.steps[0].values.isEmpty)
        // What was read stays as it is, whatever becomes of the file and the chains meanwhile.
        _ = folder.write("a.effect.glsl", Self.bytes("//! param y float 0 1 0.25"))
        let saved = SavedEffects([path], of: [chain, chain])
        _ = folder.write("a.effect.glsl", Self.bytes("//! param y nothing"))
        chain = try EffectChain("sepia,invert", notes: &notes)
        let other = chain
        chain.reload(saved)
        #expect(saved.errors.isEmpty && chain == other)
        chain.steps.append(EffectChain.Step(good))
        chain.reload(saved)
        #expect(chain.steps[0] == other.steps[0] && chain.steps[2].values == [.float(0.25)])
    }

    @Test func tablesAreReadAgain() throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.cube", Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8))
        var notes: [String] = []
        var chain = try EffectChain("lut:table=\(path)", notes: &notes)
        #expect(chain.files == [path])
        let old = chain
        _ = folder.write("a.cube", Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0.5\n".utf8))
        #expect(reload(&chain, [path]).isEmpty)
        guard case .lut(let table?)? = chain.steps[0].values.first else { return #expect(Bool(false)) }
        #expect(table.colors[1].z == 0.5 && chain != old)
        _ = folder.write("a.cube", Array("nonsense\n".utf8))
        #expect(reload(&chain, [path]).count == 1 && chain.steps[0].values.first == .lut(table))
    }

    @Test func presetsKeepEverything() throws {
        let folder = TemporaryFolder()
        let effect = folder.write("a.effect.glsl", Self.bytes("//! param x float 0 1 0.5\n//! param c color #102030"))
        let toy = folder.write("toy.frag", Array("void mainImage(out vec4 c, vec2 p) { c = vec4(iTime); }\n".utf8))
        var notes: [String] = []
        var first = try EffectChain("\(effect):x=0.1:c=a0b0c0,posterize:levels=5", notes: &notes)
        first.steps[1].isOn = false
        first.steps.append(EffectChain.Step(try EffectFile.read(toy, .shadertoy)))
        let whole = try EffectChain("vignette:center=0.25/0.75", notes: &notes)
        let preset = EffectPreset(tiles: [first, EffectChain()], wall: whole)
        let path = folder.write("a.json", preset.json)
        let read = try EffectPreset(contentsOf: path)
        #expect(read == preset)
        // By hand, numbers are numbers.
        let byHand = folder.write(
            "b.json", Array(#"{"tiles": [[{"effect": "blur", "values": {"radius": 4.5}}]]}"#.utf8))
        #expect(try EffectPreset.chains(ofFileAt: byHand, notes: &notes).tiles[0].steps[0].values == [.float(4.5)])
        for (text, words) in [
            (#"{"tiles": [[{"effect": "blur", "values": {"zz": 4.5}}]]}"#, "no parameter “zz”"),
            (#"{"tiles": [[{"effect": 1}]]}"#, "tiles[0][0].effect: a text"), ("{\n1}", "not JSON"),
            ("[]", "an object"),
        ] {
            let wrong = folder.write("wrong.json", Array(text.utf8))
            let error = try #require(throws: EffectError.self) {
                try EffectPreset.chains(ofFileAt: wrong, notes: &notes)
            }
            #expect(error.file == wrong && error.reason.contains(words), "\(error)")
        }
        let again = try EffectPreset.chain(read.tiles[0], notes: &notes)
        #expect(again.steps.map(\.values) == first.steps.map(\.values))
        #expect(again.steps.map(\.isOn) == [true, false, true])
        #expect(again.steps.map(\.effect.name) == first.steps.map(\.effect.name))
        #expect(again.steps[2].effect.dialect == .shadertoy)
        #expect(try EffectPreset.chain(read.wall ?? [], notes: &notes).steps[0].values == whole.steps[0].values)
        #expect(notes.isEmpty)
    }

    @Test(arguments: [
        ("{", "not a preset"), ("{}", "“tiles” is missing"), (#"{"tiles": 1}"#, "tiles: a list"),
        (#"{"tiles": [[{"isOn": true}]]}"#, "“effect” is missing"),
    ]) func whatIsNoPresetIsNamed(_ text: String, _ reason: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.json", Array(text.utf8))
        let error = try #require(throws: EffectError.self) { try EffectPreset(contentsOf: path) }
        #expect(error.reason.contains(reason), "\(error)")
    }
}
