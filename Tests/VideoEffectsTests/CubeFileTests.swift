import TestSupport
import Testing
import VideoEffects
import VideoWall

@Suite struct CubeFileTests {
    @Test func cubesAndCurvesAreRead() throws {
        let cube = try CubeFile.table(
            """
            # A comment
            TITLE "Two"
            LUT_3D_SIZE 2
            DOMAIN_MIN -1 0 0
            DOMAIN_MAX 1 2 1

            0 0 0\r
            1 0 0
            0 1 0
            1 1 0
            0 0 1
            1e0 0 1
            0 1.0 +1
            .5 -0.25 2
            """, name: "a.cube")
        #expect(
            cube.isCube && cube.size == 2 && cube.colors[1] == SIMD3(1, 0, 0) && cube.colors[7] == SIMD3(0.5, -0.25, 2))
        #expect(cube.lowest == SIMD3(-1, 0, 0) && cube.highest == SIMD3(1, 2, 1))
        let curve = try CubeFile.table("LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE 0.0 2.0\n0 0 0\n1 0.5 0\n1 1 1\n", name: "b")
        #expect(!curve.isCube && curve.size == 3 && curve.highest == SIMD3(2, 2, 2))
    }

    @Test(arguments: [
        ("LUT_3D_SIZE 1\n", 1, "2 to 256"), ("LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n", 2, "twice"),
        ("0 0 0\n", 1, "must precede"), ("LUT_1D_SIZE 2\n0 0\n", 2, "three numbers"),
        ("LUT_1D_SIZE 2\n0 0 nan\n", 2, "three numbers"), ("LUT_1D_SIZE 2\n0 0 0\n0 0 0\n0 0 0\n", 4, "more than 2"),
        ("", 1, "is it a .cube file"), ("GARBAGE\n", 1, "neither a keyword"),
    ]) func wrongLinesAreNamed(_ text: String, _ line: Int, _ reason: String) throws {
        let error = try #require(throws: EffectError.self) { try CubeFile.table(text, name: "a.cube") }
        #expect(error.line == line && error.reason.contains(reason), "\(error)")
    }

    /// A mark at the beginning, old line ends, and a title that is not UTF-8.
    @Test func filesOfOtherSystemsAreRead() throws {
        let folder = TemporaryFolder()
        let text = Array("\u{FEFF}LUT_1D_SIZE 2\rTITLE \"".utf8) + [0xE9] + Array("\"\r\n0 0 0\r1 1 1".utf8)
        #expect(try CubeFile.read(folder.write("a.cube", text)).colors == [.zero, .one])
    }

    @Test func incompleteFilesAreRefused() throws {
        let short = try #require(throws: EffectError.self) { try CubeFile.table("LUT_1D_SIZE 3\n0 0 0\n", name: "a") }
        #expect(short.reason.contains("1 colours instead of 3") && short.line == 2)
        let domain = try #require(throws: EffectError.self) {
            try CubeFile.table("LUT_1D_SIZE 2\nDOMAIN_MAX 0 0 0\n0 0 0\n1 1 1\n", name: "a")
        }
        #expect(domain.reason.contains("larger") && domain.line == 2)
    }
}
