import Foundation
import MediaIO
import Testing

@testable import vitrail

/// The certificate: what it measures against, how it counts errors, what it prints.
@Suite(.timeLimit(.minutes(25)))
struct CertifyTests {
    /// Worked by hand from the standards, to four digits; what is outside 0…1 is shown as 0 or 1.
    ///
    /// BT.601, table 3; BT.709, clause 3; BT.2020, table 4; SMPTE ST 240, clause 6; FCC Title 47, 73.682; H.273, equations
    /// of YCgCo.
    static let known: [(ColorSpace.Matrix, ColorSpace.Range, Int, [Int], [Double])] = [
        (.bt709, .limited, 8, [16, 128, 128], [0, 0, 0]), (.bt709, .limited, 8, [235, 128, 128], [1, 1, 1]),
        (.bt601, .limited, 8, [81, 90, 240], [0.9978, -0.0019, -0.0038]),
        (.bt709, .limited, 8, [63, 102, 240], [1.0020, 0.0023, -0.0008]),
        (.bt601, .full, 8, [76, 85, 255], [0.9963, 0.0004, -0.0008]),
        (.bt601, .full, 8, [29, 255, 107], [-0.0017, 0.0011, 0.9963]),
        (.bt2020, .limited, 10, [940, 512, 512], [1, 1, 1]),
        (.bt2020, .limited, 10, [294, 387, 960], [0.9999, -0.0002, 0.0001]),
        (.ycgco, .full, 8, [128, 128, 128], [0.502, 0.502, 0.502]),
        (.ycgco, .full, 8, [100, 150, 108], [0.2275, 0.4784, 0.3843]),
        // R 235, G 16 and B 16 as they are quantised.
        (.ycgco, .limited, 8, [71, 73, 238], [1, 0, 0]),
        // Red of SMPTE 240M: Y 0.212, PB −0.212 / 1.826, PR 0.5. Blue: Y 0.087, PB 0.5, PR −0.087 / 1.576.
        (.smpte240m, .limited, 8, [62, 102, 240], [0.9981, -0.0020, -0.0019]),
        (.smpte240m, .full, 8, [22, 255, 114], [-0.0003, -0.0004, 0.9957]),
        // Red of FCC: Y 0.3, PB −0.3 / 1.78, PR 0.5. Blue: Y 0.11, PB 0.5, PR −0.11 / 1.4.
        (.fcc, .limited, 8, [82, 90, 240], [1.0014, 0.0017, -0.0006]),
        (.fcc, .full, 8, [28, 255, 108], [0, 0.0004, 0.9963]),
        (.rgb, .full, 8, [255, 51, 102], [0.4, 1, 0.2]), (.rgb, .limited, 8, [235, 16, 16], [0, 1, 0]),
    ]

    @Test("The reference agrees with the standards", arguments: known)
    func reference(
        _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range, _ depth: Int, _ code: [Int], _ expected: [Double]
    ) {
        let color = ReferenceColors(ColorSpace(matrix: matrix, range: range), depth: depth).color(
            code[0], code[1], code[2])
        for (value, expected) in zip(color, expected) {
            #expect(abs(value - min(1, max(0, expected))) < 0.000_06, "\(color)")
        }
    }

    @Test("Every triple occurs exactly once", arguments: [PixelFormat.i444, .i420, .i410, .p010])
    func lattice(_ format: PixelFormat) throws {
        let lattice = CodeLattice(format, step: 15)
        var seen = Set<[Int]>()
        var places = Set<[Int]>()
        for picture in 0..<lattice.pictureCount {
            lattice.forEachSample(of: picture) { sample, y, u, v in
                places.insert([picture, sample])
                for index in 0..<min(lattice.columns * lattice.rows, lattice.luma.count - y) {
                    seen.insert([lattice.luma[y + index], lattice.chroma[u], lattice.chroma[v]])
                }
            }
        }
        #expect(seen.count == lattice.tripleCount)
        let last = 1 << format.layout.depth - 1
        #expect(lattice.luma.last == last && lattice.chroma.last == last && lattice.luma.first == 0)
        #expect(Set(lattice.luma).count == lattice.luma.count)
    }

    @Test("All of 8 bits are 2^24 in 16 pictures, at 10 bits all Y with every eighth U and V and the last")
    func counts() {
        for format in [PixelFormat.i444, .i420, .nv12] {
            let lattice = CodeLattice(format, step: 1)
            #expect(lattice.tripleCount == 1 << 24 && lattice.pictureCount == 16)
        }
        #expect(CodeLattice(.i410, step: 1).tripleCount == 1024 * 129 * 129)
    }

    @Test("An error of one code value in one component is found at its place")
    func findsOne() {
        let lattice = CodeLattice(.i444, step: 51)
        let reference = ReferenceColors(ColorSpace(matrix: .rgb, range: .full), depth: 8)
        var pixels = [UInt32](repeating: 0, count: CodeLattice.size.width * CodeLattice.size.height)
        lattice.forEachSample(of: 0) { sample, y, u, v in
            let (g, b, r) = (lattice.luma[y], lattice.chroma[u], lattice.chroma[v])
            pixels[sample] = UInt32(r | g << 8 | b << 16) | 0xFF00_0000
        }
        func tally() -> ErrorTally {
            var tally = ErrorTally()
            pixels.withUnsafeBufferPointer { tally.add($0, bits: 8, lattice, picture: 0, reference) }
            return tally
        }
        #expect(tally().largest == 0 && tally().mean == 0 && tally().triples == 216)
        // Y 51, U 102, V 204.
        pixels[1 * 36 + 2 * 6 + 4] += 2 << 16
        #expect(tally().largest == 2)
        #expect(tally().worst == ErrorTally.Worst(y: 51, u: 102, v: 204, component: "B", drawn: 104, exact: 102))
        #expect(tally().histogram == [647, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(abs(tally().mean - 2.0 / 648) < 1e-12)
    }

    @Test("The command prints the driver and its accuracy, as a table and as JSON")
    func command() throws {
        let run = try Run(["certify", "--step", "17", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == [])
        let certificate = try JSONDecoder().decode(Certificate.self, from: Data(run.output))
        #expect(certificate.holds && !certificate.openGL.renderer.isEmpty)
        #expect(certificate.entries.count == 14 + 14 + 3 * 2 + 2 * 3 * 2)
        #expect(certificate.isPartial)
        #expect(
            certificate.omissions == ["4096 of 2^24 8-bit triples", "\(62 * 9 * 9) of 17040384 10-bit triples"])
        #expect(certificate.entries.allSatisfy { $0.bound.largest == ($0.drawing == .nearest ? 1 : 1.155625) })
        #expect(certificate.entries.allSatisfy { $0.bound.mean == ($0.bits == 8 ? 0.3 : nil) })
        let table = try Run(["certify", "--step", "64", "--matrix", "rgb", "--range", "full", "--bits", "8"])
        #expect(table.status == 0)
        #expect(table.text.contains(certificate.openGL.renderer) && table.text.contains(certificate.openGL.version))
        #expect(table.text.contains("i444    8     rgb     full   nearest  125      0.0000   0.0000  1.00   holds"))
        #expect(table.text.split(separator: "\n").count { $0.hasPrefix("i4") } == 2)
        #expect(
            table.text.contains(
                /partial +125 of 2\^24 8-bit triples; only rgb; only full range; only 8 bits\n/))
    }

    @Test(
        "Wrong options are 64",
        arguments: [
            ["--bits", "9"], ["--step", "0"], ["--step", "257"], ["--matrix", "bt8"], ["--range", "odd"], ["a.mp4"],
        ])
    func usage(_ arguments: [String]) throws {
        let run = try Run(["certify"] + arguments)
        #expect(run.status == 64)
        #expect(run.errors.count == 1 && run.output.isEmpty)
    }

    @Test("Without OpenGL the status is 69")
    func noOpenGL() throws {
        let run = try Run(
            ["certify"], environment: ["EGL_PLATFORM": "surfaceless", "__EGL_VENDOR_LIBRARY_FILENAMES": "/none"])
        #expect(run.status == 69, "\(run.errors)")
        #expect(run.errors.count == 1)
    }
}
