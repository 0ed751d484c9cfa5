import ArgumentParser
import MediaIO
import VitrailGL

/// `vitrail certify`: how accurately this machine's driver draws colours.
struct CertifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certify", abstract: "Measure how accurately this machine's OpenGL driver draws colours.",
        discussion: """
            vitrail certify                              all, in about a minute
            vitrail certify --matrix bt709 --bits 8
            vitrail certify --json > certificate.json    for programs

            "nearest": draws all 16 777 216 triples of 8-bit Y, U and V with the
            shaders that draw streams, unscaled, with the nearest chroma sample and
            with each matrix and range; at 10 bits every Y with every eighth U and
            V and the last, into 10 bits. Compares R, G and B with the formulas of
            ITU-T H.273 in double precision. These are not rounded, so the largest
            error is at best half a code value. Errors are in code values of the
            target. Subsampled formats are drawn with one matrix, by default BT.709.

            "unscaled", "enlarged", "reduced": draws a picture of 8-bit 4:2:0 as
            streams are drawn by default, with chroma at its place between the luma
            samples; to half the size again; and, bilinear, to three quarters.
            Compares each pixel with samples weighted in double precision.

            The bound: no error above 1, or 1.16 where samples are weighted, since
            texture units have 8 bits for weights; at 8 bits, a mean below 0.3. The
            exit status is 1 if the bound is broken, and 69 without OpenGL. A run
            with options is partial, and says what it left out.
            """)

    @Option(help: ArgumentHelp("Matrix to check; by default all.", valueName: "name"))
    var matrix: ColorSpace.Matrix?

    @Option(help: ArgumentHelp("Range to check, limited or full; by default both.", valueName: "name"))
    var range: ColorSpace.Range?

    @Option(help: ArgumentHelp("Bit depth to check, 8 or 10; by default both.", valueName: "n"))
    var bits: Int?

    @Option(
        help: ArgumentHelp(
            "Step from one code value to the next; the last one is always drawn.", valueName: "n"))
    var step = 1

    @Flag(help: "Print JSON.")
    var json = false

    /// Formats without subsampling, drawn with every matrix, and the formats of most streams.
    static let formats: [PixelFormat] = [.i444, .i420, .nv12, .i410, .p010]

    func validate() throws {
        if let bits, bits != 8, bits != 10 { throw ValidationError("The value of --bits must be 8 or 10.") }
        guard (1...256).contains(step) else {
            throw ValidationError("The value of --step must be from 1 to 256, not \(step).")
        }
    }

    func run() throws {
        try ResourceCheck.run()
        let plans = Self.formats.map { format in (lattice: CodeLattice(format, step: step), spaces: spaces(format)) }
            .filter { !$0.spaces.isEmpty && (bits ?? $0.lattice.format.layout.depth) == $0.lattice.format.layout.depth }
        let context = try openHeadlessContext()
        let pictures = bits == 10 ? [] : interpolated
        var progress = ProgressBar(
            total: plans.reduce(pictures.count) { $0 + $1.lattice.pictureCount * $1.spaces.count })
        defer { progress.clear() }
        var entries: [Certificate.Entry] = []
        for (lattice, spaces) in plans {
            let references = spaces.map { ReferenceColors($0, depth: lattice.format.layout.depth) }
            let tallies = try Certifier(context, lattice).run(spaces, references) { progress.advance() }
            entries += zip(spaces, tallies).map { Certificate.Entry(lattice.format, .nearest, $0, $1) }
        }
        for (format, drawing, space) in pictures {
            let tally = try InterpolationCertifier(context).run(format, space, drawing)
            entries.append(Certificate.Entry(format, drawing, space, tally))
            progress.advance()
        }
        progress.clear()
        try print(Certificate(context.information, entries, omissions: omissions))
    }

    /// The pictures that are drawn as streams are by default.
    private var interpolated: [(format: PixelFormat, drawing: CertifiedDrawing, space: ColorSpace)] {
        [PixelFormat.i420, .nv12].flatMap { format in
            CertifiedDrawing.allCases.filter { $0 != .nearest }.flatMap { drawing in
                spaces(format).map { (format, drawing, $0) }
            }
        }
    }

    /// What the options leave out of a whole certificate.
    private var omissions: [String] {
        var omissions: [String] = []
        if step > 1 {
            let depths = [8, 10].filter { (bits ?? $0) == $0 }
            omissions += depths.map { depth in
                let format: PixelFormat = depth == 8 ? .i444 : .i410
                let (drawn, all) = (CodeLattice(format, step: step), CodeLattice(format, step: 1))
                let whole = depth == 8 ? "2^24" : "\(all.tripleCount)"
                return "\(drawn.tripleCount) of \(whole) \(depth)-bit triples"
            }
        }
        if let matrix { omissions.append("only \(matrix.rawValue)") }
        if let range { omissions.append("only \(range.rawValue) range") }
        if let bits { omissions.append("only \(bits) bits") }
        return omissions
    }

    private func print(_ certificate: Certificate) throws {
        if json {
            try StandardOutput.write(json: certificate)
        } else {
            try StandardOutput.write(table: certificate.machineRows)
            try StandardOutput.write("\nErrors of R, G and B in code values of the target\n")
            try StandardOutput.write(table: certificate.rows)
            try StandardOutput.write("\nDistribution of the errors\n")
            try StandardOutput.write(table: certificate.histogramRows)
        }
        try certificate.check()
    }

    /// The matrices and ranges that a format is drawn with.
    private func spaces(_ format: PixelFormat) -> [ColorSpace] {
        let matrices = ColorSpace.Matrix.allCases.filter { candidate in
            // The maths is the same in all formats, and reading planes does not depend on the matrix. R, G and B are
            // never subsampled.
            if format.layout.isSubsampled { return candidate == matrix ?? .bt709 && candidate != .rgb }
            return candidate == matrix ?? candidate
        }
        let ranges = ColorSpace.Range.allCases.filter { (range ?? $0) == $0 }
        return matrices.flatMap { matrix in ranges.map { ColorSpace(matrix: matrix, range: $0) } }
    }
}

extension Certificate {
    /// Throws if a bound is broken, which ends the program.
    ///
    /// - Throws: ``ProgramError/Status/failed``, naming the entries that are out of bounds.
    func check() throws(ProgramError) {
        let broken = entries.filter { !$0.holds }
        guard !broken.isEmpty else { return }
        let names = broken.map { "\($0.format) \($0.matrix) \($0.range) \($0.drawing.rawValue)" }.joined(
            separator: ", ")
        throw ProgramError(
            .failed, "\(openGL.renderer) does not draw accurately enough: \(names). Update the driver and report this.")
    }
}
