import Foundation
import Logging
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// A colour option means the same for every kind of input, and takes precedence over every rule.
@Suite(.timeLimit(.minutes(25)))
struct TypedColorTests {
    /// 64x48 frames in I010, of which only the range of an MP4 file can be tagged: VP9 always has it, and FFmpeg's
    /// decoder of HEVC fills it in, both as limited.
    ///
    /// - Returns: the inputs, each ending in an option.
    private static func inputs(in folder: borrowing TemporaryFolder) throws -> [String] {
        let bytes = [UInt8](repeating: 1, count: 64 * 48 * 3)
        _ = folder.write("a.i010", bytes)
        _ = folder.write("a.y4m", Array("YUV4MPEG2 W64 H48 F25:1 C420p10\nFRAME\n".utf8) + bytes)
        let picture = "testsrc2=size=64x48,format=yuv420p10le"
        let encoders = ["libvpx-vp9", "libx264", "libx265"]
        for encoder in encoders {
            try Clips.ffmpeg(
                ["-f", "lavfi", "-i", picture, "-frames:v", "1", "-c:v", encoder, "\(encoder).mp4"], in: folder.path)
        }
        return encoders.map { "\(folder.path)/\($0).mp4?" } + [
            "\(folder.path)/a.i010?size=64x48&", "\(folder.path)/a.y4m?",
            "test:bars?size=64x48&format=i010&", "test:bars?format=i010&size=64x48&crop=8x8+0+0&",
        ]
    }

    @Test("Each option alone gives the same colours for raw, Y4M, MP4 and test patterns")
    func kindsAgree() throws {
        let folder = TemporaryFolder()
        let inputs = try Self.inputs(in: folder)
        let untagged = ColorSpace(matrix: .bt601, range: .limited, primaries: .bt601Lines525)
        func with(_ change: (inout ColorSpace) -> Void) -> ColorSpace {
            var space = untagged
            change(&space)
            return space
        }
        var rows: [(option: String, space: ColorSpace, chroma: ChromaLocation)] = [
            ("label=none", untagged, .left), ("range=limited", untagged, .left),
            ("range=full", with { $0.range = .full }, .left),
        ]
        for matrix in ColorSpace.Matrix.allCases where matrix != .bt2020 {
            rows.append(("matrix=\(matrix)", with { $0.matrix = matrix }, .left))
        }
        for primaries in ColorSpace.Primaries.allCases where primaries != .bt2020 {
            rows.append(("primaries=\(primaries)", with { $0.primaries = primaries }, .left))
        }
        for transfer in ColorSpace.Transfer.allCases where !transfer.isHDR {
            rows.append(("transfer=\(transfer)", with { $0.transfer = transfer }, .left))
        }
        for chroma in ChromaLocation.allCases { rows.append(("chroma=\(chroma)", untagged, chroma)) }
        let wide = with { ($0.matrix, $0.primaries) = (.bt2020, .bt2020) }
        rows += [("matrix=bt2020", wide, .topLeft), ("primaries=bt2020", wide, .topLeft)]
        for transfer in [ColorSpace.Transfer.pq, .hlg] {
            var space = wide
            space.transfer = transfer
            rows.append(("transfer=\(transfer)", space, .topLeft))
        }
        #expect(rows.count == 3 + 7 + 7 + 7 + 6)
        for row in rows {
            for input in inputs {
                let reader = try InputSpecification(input + row.option).open()
                let frame = try #require(try reader.next())
                #expect(frame.image.format == .i010 && frame.image.size == VideoSize(width: 64, height: 48))
                #expect(frame.colorSpace == row.space, "\(input)\(row.option)")
                #expect(frame.chromaLocation == row.chroma, "\(input)\(row.option)")
                #expect(reader.info.colorSpace == row.space && reader.info.chromaLocation == row.chroma)
            }
        }
    }

    @Test("A test pattern that is painted smaller keeps the colours of its full size, and those that are typed")
    func smallerPatterns() throws {
        for (option, space, chroma) in [
            ("", ColorSpace(matrix: .bt709, range: .limited), ChromaLocation.left),
            ("?transfer=pq", ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq), .topLeft),
            ("?matrix=fcc&range=full", ColorSpace(matrix: .fcc, range: .full), .left),
        ] {
            let reader = try InputSpecification("test:bars" + option).open()
            reader.reader.demand?.wants = VideoSinkWants(maximumPixels: 100 * 100)
            let frame = try #require(try reader.next())
            #expect(frame.image.size.width < 200)
            #expect(frame.colorSpace == space && frame.chromaLocation == chroma, "\(option)")
        }
    }

    @Test("What is typed takes precedence over impossible and ignored tags, also for v210")
    func whatIsTypedWins() throws {
        let folder = TemporaryFolder()
        try Clips.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=96x48", "-frames:v", "1", "-c:v", "v210", "-pix_fmt",
                "yuv422p10le", "-color_range", "pc",
                "a.mkv",
            ], in: folder.path)
        _ = folder.write("a.v210", [UInt8](repeating: 0, count: 256 * 48))
        for (input, range) in [
            ("a.mkv", ColorSpace.Range.limited), ("a.mkv?range=full", .full), ("a.v210?size=96x48", .limited),
            ("a.v210?size=96x48&range=full", .full), ("test:bars?format=v210", .limited),
            ("test:bars?format=v210&range=full", .full),
        ] {
            let input = input.hasPrefix("test:") ? input : folder.path + "/" + input
            let frame = try #require(try InputSpecification(input).open().next())
            #expect(frame.colorSpace.range == range, "\(input)")
        }
        let frame = try #require(try InputSpecification("test:bars?matrix=rgb").open().next())
        #expect(frame.colorSpace.matrix == .rgb)
    }
}
