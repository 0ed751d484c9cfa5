import Glibc
import PNGFile
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// Effects in files, with what is beside them.
@Suite struct EffectFileTests {
    private static let body = "vec4 effect(vec2 uv) { return sample(uv); }\n"

    @Test func includesAndTexturesAreRead() throws {
        let folder = TemporaryFolder()
        folder.makeFolder("parts")
        _ = folder.write("parts/one.glsl", Array("const float one = 1.0;\n#include \"parts/two.glsl\"\n".utf8))
        _ = folder.write("parts/two.glsl", Array("const float two = 2.0;\n".utf8))
        try [UInt8](repeating: 7, count: 2 * 3 * 4).withUnsafeBytes {
            try PNG.write(rgba: $0, width: 2, height: 3, bytesPerRow: 8, to: "\(folder.path)/grain.png")
        }
        let path = folder.write(
            "a.effect.glsl",
            Array("//! texture grain grain.png nearest repeat\n#include \"parts/one.glsl\"\n\(Self.body)".utf8))
        let effect = try EffectFile.read(path)
        #expect(effect.name == "a")
        #expect(effect.sources.map(\.file) == [path, "parts/one.glsl", "parts/two.glsl", path])
        #expect(effect.sources.map(\.firstLine) == [1, 1, 1, 3])
        let texture = try #require(effect.textures.first)
        #expect(texture.image.width == 2 && texture.image.height == 3 && texture.image.rgba[0] == 7)
        #expect(texture.isNearest && texture.repeats)
    }

    /// What does not change is the same effect, which need not be compiled again.
    @Test func filesThatStayAreReadOnce() throws {
        let folder = TemporaryFolder()
        let part = folder.write("part.glsl", Array("const float one = 1.0;\n".utf8))
        let path = folder.write("a.effect.glsl", Array("#include \"part.glsl\"\n\(Self.body)".utf8))
        let table = folder.write("a.cube", Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8))
        /// Beyond what a file system's clock can tell.
        func wait() { usleep(50_000) }
        wait()
        let (effect, colors) = (try EffectFile.read(path), try CubeFile.read(table))
        #expect(try EffectFile.read(path) === effect)
        #expect(try CubeFile.read(table) === colors)
        #expect(try EffectFile.read(path, .effect) === effect)
        #expect(throws: EffectError.self) { try EffectFile.read(path, .shadertoy) }
        _ = folder.write("part.glsl", Array("const float two = 1.0;\n".utf8))
        _ = folder.write("a.cube", Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0\n".utf8))
        let (second, other) = (try EffectFile.read(path), try CubeFile.read(table))
        #expect(second.sources.contains { $0.file == "part.glsl" && $0.text.contains("two") })
        #expect(other.colors[1].z == 0)
        wait()
        let third = try EffectFile.read(path)
        #expect(try EffectFile.read(path) === third)
        #expect(unlink(part) == 0)
        #expect(throws: EffectError.self) { try EffectFile.read(path) }
        let names = BuiltInEffects.names
        #expect(try names.allSatisfy { try BuiltInEffects.effect(named: $0) === BuiltInEffects.effect(named: $0) })
    }

    /// Files from other systems: the lines, their numbers and what is said of them are the same.
    @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
    func allLineEndsAreRead(_ end: String, _ mark: String) throws {
        let folder = TemporaryFolder()
        func bytes(_ lines: [String]) -> [UInt8] { Array((mark + lines.joined(separator: end)).utf8) }
        _ = folder.write("part.glsl", bytes(["// A part.", "const float one = 1.0;", ""]))
        let path = folder.write(
            "a.effect.glsl",
            bytes([
                "//! name A", "//! param x float 0 1 0.5", "#include \"part.glsl\"", "// é", "vec4 effect(vec2 uv) {",
                "    return sample(uv) * one * x;", "}",
            ]))
        let effect = try EffectFile.read(path)
        #expect(effect.title == "A" && effect.parameters.map(\.name) == ["x"])
        #expect(effect.sources.map(\.firstLine) == [1, 1, 4])
        #expect(effect.error("", file: path, line: 6).source == "    return sample(uv) * one * x;")
        _ = folder.write("a.effect.glsl", bytes(["//! name A", "//! parm x", Self.body]))
        let error = try #require(throws: EffectError.self) { try EffectFile.read(path) }
        #expect(error.line == 2 && error.source == "//! parm x")
    }

    @Test func nothingOutsideTheFolderIsRead() throws {
        let folder = TemporaryFolder()
        _ = folder.write("secret.glsl", Array("const float a = 1.0;\n".utf8))
        folder.makeFolder("inner")
        #expect(symlink("\(folder.path)/secret.glsl", "\(folder.path)/inner/link.glsl") == 0)
        for name in ["../secret.glsl", "link.glsl", "\(folder.path)/secret.glsl", "../inner/../secret.glsl"] {
            let path = folder.write("inner/a.effect.glsl", Array("\n#include \"\(name)\"\n\(Self.body)".utf8))
            let error = try #require(throws: EffectError.self) { try EffectFile.read(path) }
            #expect(error.line == 2 && error.reason.contains("own folder"), "\(error)")
        }
        let path = folder.write("inner/a.effect.glsl", Array("//! texture t ../a.png\n\(Self.body)".utf8))
        #expect(throws: EffectError.self) { try EffectFile.read(path) }
    }

    @Test func filesThatCannotBeUsedAreNamed() throws {
        let folder = TemporaryFolder()
        func error(_ bytes: [UInt8]) throws -> EffectError {
            let path = folder.write("a.effect.glsl", bytes)
            return try #require(throws: EffectError.self) { try EffectFile.read(path) }
        }
        #expect(try error([]).reason.contains("empty"))
        #expect(try error(Array(" \n\n".utf8)).reason.contains("empty"))
        let invalid = try error(Array("//! name A\n// \n".utf8) + [0x2F, 0x2F, 0xFF, 0x0A] + Array(Self.body.utf8))
        #expect(invalid.line == 3 && invalid.reason.contains("UTF-8"))
        let zero = try error(Array(Self.body.utf8) + [0])
        #expect(zero.line == 2 && zero.reason.contains("zero byte"))
        let comment = try error(Array("// A\n/* b\n\(Self.body)".utf8))
        #expect(comment.line == 2 && comment.reason.contains("no end"))
        #expect(try error(Array("//! texture t none.png\n\(Self.body)".utf8)).line == 1)
        #expect(try error(Array("#include \"a.effect.glsl\"\n\(Self.body)".utf8)).reason.contains("includes itself"))
        let missing = try #require(throws: EffectError.self) { try EffectFile.read("\(folder.path)/none.effect.glsl") }
        #expect(missing.reason.contains("No such file"))
        #expect(throws: EffectError.self) { try EffectFile.read("\(folder.path)/") }
    }

    @Test func chainsAreRead() throws {
        let folder = TemporaryFolder()
        let path = folder.write("a,b:c%.effect.glsl", Array("//! param x float 0 1 0.5\n\(Self.body)".utf8))
        let escaped = path.replacing("%", with: "%25").replacing(",", with: "%2C").replacing(":", with: "%3A")
        var notes: [String] = []
        let chain = try EffectChain("grayscale,\(escaped):x=0.25,\(escaped):x=7", notes: &notes)
        #expect(chain.steps.map(\.effect.name) == ["grayscale", "a,b:c%", "a,b:c%"])
        #expect(chain.steps[1].values == [.float(0.25)] && chain.steps[2].values == [.float(1)])
        #expect(notes.count == 1 && notes[0].contains("x=7 is out of range (0 to 1), so 1 is used"))
        #expect(try EffectChain("none", notes: &notes).steps.isEmpty)
        for (text, reason) in [
            ("blurr", "the effects are"), ("grayscale:x=1", "no parameter “x”"), ("\(escaped):x", "PARAMETER=VALUE"),
            ("\(escaped):x=red", "use 0 to 1"), ("grayscale,", "no effect"),
            ("lut:table=/none/no.cube", "opened"),
        ] {
            let error = try #require(throws: EffectError.self) { try EffectChain(text, notes: &notes) }
            #expect(error.reason.contains(reason), "\(error)")
        }
    }

    @Test func settingsReachTheirEffects() throws {
        var notes: [String] = []
        let one = try Effect("//! param x float 0 1 0\n\(Self.body)", file: "one.effect.glsl")
        let two = try Effect("//! param x float 0 1 0\n\(Self.body)", file: "two.effect.glsl")
        var chain = EffectChain([one, two])
        #expect(try EffectSetting("x=0.5").apply(to: &chain, notes: &notes) == 2)
        #expect(try EffectSetting("two.x=0.75").apply(to: &chain, notes: &notes) == 1)
        #expect(try EffectSetting("two.y=0.75").apply(to: &chain, notes: &notes) == 0)
        #expect(chain.steps.map(\.values) == [[.float(0.5)], [.float(0.75)]])
        #expect(throws: EffectError.self) { try EffectSetting("x") }
        #expect(throws: EffectError.self) { try EffectSetting("x=red").apply(to: &chain, notes: &notes) }
    }
}
