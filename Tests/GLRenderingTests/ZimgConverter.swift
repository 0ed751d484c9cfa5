import Glibc
import MediaIO
import TestSupport

/// Pictures by zimg, through `zscale` in FFmpeg's program: an independent implementation of the same formulas.
///
/// zimg is given planes of Y, Cb and Cr, whatever the format packs them into, and a size that the chroma samples divide, as it
/// demands: what an odd picture lacks is invented and then ignored, since chroma is not changed by it.
struct ZimgConverter {
    /// What the samples mean.
    struct Meaning: Hashable, Sendable {
        let matrix: ColorSpace.Matrix
        let range: ColorSpace.Range
        let location: ChromaLocation

        fileprivate var options: String {
            // The numbers of H.273: some of FFmpeg's names are misspelt.
            let matrix =
                switch matrix {
                case .rgb: 0
                case .bt709: 1
                case .fcc: 4
                case .bt601: 6
                case .smpte240m: 7
                case .ycgco: 8
                case .bt2020: 9
                }
            return "matrixin=\(matrix):rangein=\(range):chromalin=\(location.rawValue.lowercased())"
                + ":matrix=gbr:range=full:filter=bilinear"
        }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// R, G and B, 0…255, of every pixel, of every meaning of every picture; all pictures are of one format.
    static func colors(of pictures: [TestPicture], _ meanings: [Meaning]) throws -> [[[[Double]]]] {
        let folder = TemporaryFolder()
        var inputs: [String] = []
        var graph: [String] = []
        var outputs: [String] = []
        for (index, picture) in pictures.enumerated() {
            let planar = picture.planar
            let path = folder.write("in\(index)", planar.picture.planes.flatMap { $0.flatMap { $0 } })
            let size = planar.picture.size
            inputs += ["-f", "rawvideo", "-pix_fmt", planar.name, "-s", "\(size.width)x\(size.height)", "-i", path]
            let parts = meanings.indices.map { "[i\(index)m\($0)]" }
            graph.append("[\(index)]split=\(meanings.count)\(parts.joined())")
            for (part, meaning) in zip(parts, meanings) {
                graph.append("\(part)zscale=\(meaning.options),format=gbrp16le\(part.replacing("[i", with: "[o"))")
            }
            graph.append("\(parts.joined().replacing("[i", with: "[o"))concat=n=\(meanings.count)[out\(index)]")
            outputs += ["-map", "[out\(index)]", "-fps_mode", "passthrough", "-f", "rawvideo"]
            outputs.append("\(folder.path)/out\(index)")
        }
        try run(
            ["-nostdin", "-v", "verbose", "-y", "-filter_complex_threads", "1"] + inputs
                + ["-filter_complex", graph.joined(separator: ";")] + outputs)
        return try pictures.indices.map { index in
            let words = try words(of: "\(folder.path)/out\(index)")
            let (size, whole) = (pictures[index].size, pictures[index].planar.picture.size)
            let area = whole.width * whole.height
            guard words.count == 3 * area * meanings.count else {
                throw Failure(description: "FFmpeg wrote \(words.count) samples.")
            }
            return meanings.indices.map { meaning in
                (0..<size.width * size.height).map { pixel in
                    let place = 3 * area * meaning + pixel / size.width * whole.width + pixel % size.width
                    // Planes of G, B and R.
                    return [2, 0, 1].map { Double(words[place + $0 * area]) / 65_535 * 255 }
                }
            }
        }
    }

    private static func run(_ arguments: [String]) throws {
        // The shell sends standard error to standard output, where it can be read.
        let program = try LineProcess("/bin/sh", ["-c", "exec ffmpeg \"$@\" 2>&1", "ffmpeg"] + arguments)
        // It prints until it ends.
        while (try? program.wait(for: "")) != nil {}
        let report = program.lines.joined(separator: "\n")
        guard program.end() == 0 else { throw Failure(description: "FFmpeg failed: \(report)") }
        guard !report.contains("auto_scale") else {
            throw Failure(description: "FFmpeg's own scaler has converted something: \(report)")
        }
    }

    private static func words(of path: String) throws -> [UInt16] {
        guard let file = fopen(path, "rb") else { throw Failure(description: "\(path) cannot be read.") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }
}

extension TestPicture {
    /// The same samples in planes of their own, filled up to whole chroma samples, and FFmpeg's name for that format.
    fileprivate var planar: (picture: TestPicture, name: String) {
        let (columns, rows) = format.sharing
        let depth = format.bits("Y")
        let family =
            switch (columns, rows) {
            case (2, 2): "yuv420p"
            case (2, 1): "yuv422p"
            case (1, 2): "yuv440p"
            case (4, 1): "yuv411p"
            case (4, 4): "yuv410p"
            default: "yuv444p"
            }
        let planarFormat = PixelFormat.allCases.first { candidate in
            guard case .planes("YUV", let bits, columns, rows) = candidate.packing else { return false }
            return bits == depth
        }
        let whole = VideoSize(
            width: (size.width + columns - 1) / columns * columns, height: (size.height + rows - 1) / rows * rows)
        return (
            TestPicture(format: planarFormat ?? format, size: whole, value: value),
            depth > 8 ? "\(family)\(depth)le" : family
        )
    }
}
