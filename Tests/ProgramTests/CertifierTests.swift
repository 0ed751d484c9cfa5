import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VitrailGL

@testable import vitrail

/// The measurement: that the renderer passes it, and that it finds what is wrong.
@Suite(.renderTurn) struct CertifierTests {
    @Test("Every format is drawn within the bound", arguments: CertifyCommand.formats + [.yuyv, .vuyx, .y210, .nv24])
    func holds(_ format: PixelFormat) throws {
        let entry = try Self.measure(format, ColorSpace(matrix: .bt709, range: .limited))
        #expect(entry.holds, "\(entry)")
        #expect(entry.triples == CodeLattice(format, step: 17).tripleCount)
        #expect(entry.histogram.reduce(0, +) == 3 * entry.triples)
        #expect(entry.largestError > 0.4)
    }

    @Test(
        "A wrong matrix, range or order is found",
        arguments: [
            ColorSpace(matrix: .bt709, range: .full), ColorSpace(matrix: .bt601, range: .limited),
            ColorSpace(matrix: .bt2020, range: .limited),
        ])
    func findsWhatIsWrong(_ wrong: ColorSpace) throws {
        let entry = try Self.measure(.i444, ColorSpace(matrix: .bt709, range: .limited), against: wrong)
        #expect(!entry.holds)
        #expect(entry.largestError > 3)
        #expect(entry.histogram[8] > 0)
        // The worst triple is what it says.
        let worst = entry.worst
        let exact = ReferenceColors(wrong, depth: 8).color(worst.y, worst.u, worst.v)[
            "RGB".distance(of: worst.component)]
        #expect(abs(exact * 255 - worst.exact) < 1e-9)
        #expect(abs(abs(Double(worst.drawn) - worst.exact) - entry.largestError) < 1e-9)
        let context = try HeadlessContext.make()
        let error = #expect(throws: ProgramError.self) { try Certificate(context.information, [entry]).check() }
        #expect(error?.status == .failed)
        #expect(error?.description.contains("i444 bt709 limited") == true)
    }

    @Test("Frames are drawn as they are by default within the bound", arguments: [PixelFormat.i420, .nv12])
    func interpolates(_ format: PixelFormat) throws {
        for range in ColorSpace.Range.allCases {
            for drawing in CertifiedDrawing.allCases where drawing != .nearest {
                let entry = try Self.interpolate(format, range, drawing)
                #expect(entry.holds, "\(entry)")
                let size = drawing.size(of: WavePicture.size)
                #expect(entry.triples == size.width * size.height)
                #expect(entry.histogram.reduce(0, +) == 3 * entry.triples)
                #expect(entry.largestError > 0.4)
            }
        }
    }

    @Test(
        "A wrong siting is found", arguments: ChromaLocation.allCases.filter { $0 != .left },
        CertifiedDrawing.allCases.filter { $0 != .nearest })
    func findsAWrongSiting(_ siting: ChromaLocation, _ drawing: CertifiedDrawing) throws {
        let entry = try Self.interpolate(.nv12, .limited, drawing, WavePicture(siting: siting))
        #expect(!entry.holds && entry.largestError > 2, "\(entry)")
    }

    @Test("A wrong sampler is found")
    func findsAWrongSampler() throws {
        // What is drawn with the nearest sample is compared with what is interpolated.
        var entry = try Self.interpolate(.i420, .full, .nearest)
        #expect(!entry.holds && entry.largestError > 2, "\(entry)")
        entry.drawing = .unscaled
        #expect(entry.largestError > Certificate.Entry.interpolationBound)
    }

    @Test("The bound is the one in the help")
    func bound() throws {
        #expect(Certificate.decimals(Certificate.Entry.interpolationBound, 2) == "1.16")
        #expect(try Run(["certify", "--help"]).text.contains("or 1.16 where"))
    }

    private static func interpolate(
        _ format: PixelFormat, _ range: ColorSpace.Range, _ drawing: CertifiedDrawing,
        _ reference: WavePicture = .untagged
    ) throws -> Certificate.Entry {
        let space = ColorSpace(matrix: .bt709, range: range)
        let tally = try InterpolationCertifier(try HeadlessContext.make()).run(format, space, drawing, reference)
        return Certificate.Entry(format, drawing, space, tally)
    }

    /// A coarse measurement, against the right colours unless others are named.
    private static func measure(
        _ format: PixelFormat, _ space: ColorSpace, against other: ColorSpace? = nil
    ) throws -> Certificate.Entry {
        let lattice = CodeLattice(format, step: 17)
        let reference = ReferenceColors(other ?? space, depth: format.layout.depth)
        let certifier = try Certifier(try HeadlessContext.make(), lattice)
        let tallies = try certifier.run([space], [reference]) {}
        return Certificate.Entry(format, .nearest, space, try #require(tallies.first))
    }
}

extension String {
    fileprivate func distance(of letter: String) -> Int {
        Array(self).firstIndex { String($0) == letter } ?? 0
    }
}
