import Glibc
import PNGFile
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// Files that would fill the memory, or would never end to be read.
@Suite(.timeLimit(.minutes(25))) struct EffectLimitTests {
    private static let body = "vec4 effect(vec2 uv) { return sample(uv); }\n"

    @Test func pipesAreNotWaitedFor() throws {
        let folder = TemporaryFolder()
        let pipe = "\(folder.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for text in ["#include \"pipe\"\n", "//! texture t pipe\n"] {
            let path = folder.write("a.effect.glsl", Array((text + Self.body).utf8))
            let error = try #require(throws: EffectError.self) { try EffectFile.read(path) }
            #expect(error.line == 1 && error.reason.contains("pipe or device"), "\(error)")
        }
        var notes: [String] = []
        #expect(throws: EffectError.self) { try EffectFile.read(pipe) }
        #expect(throws: EffectError.self) { try EffectFile.read(pipe, .shadertoy) }
        #expect(throws: EffectError.self) { try CubeFile.read(pipe) }
        #expect(throws: EffectError.self) { try EffectPreset.chains(ofFileAt: pipe, notes: &notes) }
        #expect(throws: EffectError.self) { try EffectPreset.chains(ofFileAt: "/dev/zero", notes: &notes) }
    }

    /// A picture of one colour and one bit per pixel: a megabyte of pixels needs some hundred bytes.
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            let body = Array(name.utf8) + bytes
            return big(UInt32(bytes.count)) + body + big(crc(body))
        }
        func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        func crc(_ bytes: [UInt8]) -> UInt32 {
            var value = UInt32.max
            for byte in bytes {
                value ^= UInt32(byte)
                for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
            }
            return ~value
        }
        // Stored, not compressed.
        let raw = [UInt8](repeating: 0, count: (width + 7) / 8 + 1)
        var (data, a, b): ([UInt8], UInt32, UInt32) = ([0x78, 1], 1, 0)
        for row in 0..<height {
            let count = UInt16(raw.count)
            data += [
                row == height - 1 ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), ~UInt8(count & 255),
                ~UInt8(count >> 8),
            ]
            data += raw
            // All bytes are 0.
            b = (b + a * UInt32(raw.count)) % 65_521
        }
        a %= 65_521
        let header = big(UInt32(width)) + big(UInt32(height)) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", header)
            + chunk("IDAT", data + big(b << 16 | a)) + chunk("IEND", [])
    }

    @Test func texturesAreBounded() throws {
        let folder = TemporaryFolder()
        _ = folder.write("large.png", Self.png(8192, 4097))
        let large = folder.write("a.effect.glsl", Array("\n//! texture t large.png\n\(Self.body)".utf8))
        let error = try #require(throws: EffectError.self) { try EffectFile.read(large) }
        #expect(error.line == 2 && error.reason.contains("at most 33554432 pixels"), "\(error)")
        // Each alone fits.
        _ = folder.write("half.png", Self.png(6000, 4000))
        let names = (0..<3).map { "//! texture t\($0) half.png\n" }.joined()
        let several = folder.write("b.effect.glsl", Array((names + Self.body).utf8))
        let sum = try #require(throws: EffectError.self) { try EffectFile.read(several) }
        #expect(sum.line == 3 && sum.reason.contains("more than 256 MB"), "\(sum)")
        let one = folder.write("c.effect.glsl", Array(("//! texture t half.png\n" + Self.body).utf8))
        #expect(try EffectFile.read(one).textures[0].image.width == 6000)
        // Many effects in a chain: each has its own.
        var notes: [String] = []
        let chain = try #require(throws: EffectError.self) {
            try EffectChain(Array(repeating: one, count: 12).joined(separator: ","), notes: &notes)
        }
        #expect(chain.file == one && chain.reason.contains("more than 1024 MB"), "\(chain)")
    }

    @Test func chainsAreBounded() throws {
        var notes: [String] = []
        func text(_ count: Int) -> String { Array(repeating: "blur", count: count).joined(separator: ",") }
        #expect(try EffectChain(text(32), notes: &notes).steps.count == 32)
        let error = try #require(throws: EffectError.self) { try EffectChain(text(2000), notes: &notes) }
        #expect(error.reason.contains("at most 32 effects"), "\(error)")
        let folder = TemporaryFolder()
        let items = Array(repeating: #"{"effect": "blur"}"#, count: 33).joined(separator: ", ")
        for preset in [#"{"tiles": [[\#(items)]]}"#, #"{"tiles": [], "wall": [\#(items)]}"#] {
            let path = folder.write("a.json", Array(preset.utf8))
            let error = try #require(throws: EffectError.self) {
                try EffectPreset.chains(ofFileAt: path, notes: &notes)
            }
            #expect(error.file == path && error.reason.contains("at most 32 effects"), "\(error)")
        }
        let tiles = Array(repeating: "[]", count: 1025).joined(separator: ",")
        let path = folder.write("a.json", Array(#"{"tiles": [\#(tiles)]}"#.utf8))
        #expect(throws: EffectError.self) { try EffectPreset.chains(ofFileAt: path, notes: &notes) }
    }

    @Test func textIsBounded() throws {
        let folder = TemporaryFolder()
        let long = folder.write("a.effect.glsl", Array((Self.body + String(repeating: "// A.\n", count: 180_000)).utf8))
        let error = try #require(throws: EffectError.self) { try EffectFile.read(long) }
        #expect(error.reason.contains("more than 1024 KB"), "\(error)")
        // Together, and one in another.
        _ = folder.write("part.glsl", Array(String(repeating: "// A.\n", count: 20_000).utf8))
        let includes = String(repeating: "#include \"part.glsl\"\n", count: 20)
        let several = folder.write("b.effect.glsl", Array((Self.body + includes).utf8))
        let sum = try #require(throws: EffectError.self) { try EffectFile.read(several) }
        #expect(sum.reason.contains("at most 1024 KB"), "\(sum)")
        for index in 0..<40 {
            _ = folder.write("\(index).glsl", Array("#include \"\(index + 1).glsl\"\n".utf8))
        }
        _ = folder.write("40.glsl", Array(Self.body.utf8))
        let deep = folder.write("c.effect.glsl", Array("#include \"0.glsl\"\n".utf8))
        let depth = try #require(throws: EffectError.self) { try EffectFile.read(deep) }
        #expect(depth.reason.contains("include one another"), "\(depth)")
        let table = folder.write("a.cube", Array("LUT_1D_SIZE 2\n\(String(repeating: "0 ", count: 9999))\n".utf8))
        let line = try #require(throws: EffectError.self) { try CubeFile.read(table) }
        #expect(line.line == 2 && line.reason.contains("too long"), "\(line)")
    }
}
