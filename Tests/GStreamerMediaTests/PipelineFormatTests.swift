import CVitrailGStreamer
import GStreamerMedia
import MediaIO
import SoftwareRendering
import TestSupport
import Testing
import VideoWall
import WallRendering

/// Formats and colours, compared with GStreamer's own conversion.
@Suite(.timeLimit(.minutes(25))) struct PipelineFormatTests {
    private static let size = VideoSize(width: 320, height: 240)

    /// The colours of a picture, drawn by Vitrail, in the middle of each of the pattern's areas.
    private func colors(_ frame: VideoFrame) throws -> [[Int]] {
        let wall = Wall()
        wall.addTile(named: "picture").mailbox.put(frame)
        let renderer = SoftwareRenderer()
        let target = try renderer.makeOffscreenTarget(size: Self.size)
        try renderer.render(wall, into: target)
        let pixels = try target.readPixels()
        // The seven bars, and four of the areas below them.
        let places =
            (0..<7).map { (x: $0 * 320 / 7 + 22, y: 60) } + [30, 80, 140, 200].map { (x: $0, y: 220) }
        return places.map { place in (0..<3).map { Int(pixels[(place.y * 320 + place.x) * 4 + $0]) } }
    }

    private func frame(_ conversion: String) throws -> VideoFrame {
        let reader = try PipelineReader(
            "videotestsrc num-buffers=1 pattern=smpte ! video/x-raw,width=320,height=240,framerate=25/1,\(conversion)")
        return try #require(try reader.next())
    }

    @Test(
        "Every format that GStreamer has too is what it is there",
        arguments: PixelFormat.allCases.filter { format in
            // Newer versions of GStreamer have more.
            format.names(in: .gstreamer).first.map { gst_video_format_from_string($0).rawValue > 1 } ?? false
        })
    func formats(_ format: PixelFormat) throws {
        let name = try #require(format.names(in: .gstreamer).first)
        let frame = try frame("format=\(name)")
        #expect(frame.image.format == format)
        let own = try colors(frame)
        // GStreamer's conversion of the same picture; with 8 bits, it would be some code values off.
        let reference = try colors(try self.frame("format=\(name) ! videoconvert ! video/x-raw,format=GBR_12LE"))
        // A bit more for what GStreamer rounds to the format's own bits, and for its 8-bit arithmetic.
        let tolerance = format == .rgb565 || format == .xrgb1555 ? 9 : 3
        for (one, other) in zip(own, reference) {
            #expect(zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }, "\(one) for \(other)")
        }
    }

    @Test(
        "Colours are those that the stream states",
        arguments: [
            (
                "format=I420,colorimetry=bt709,chroma-site=jpeg",
                ColorTags(
                    matrix: .bt709, range: .limited, primaries: .bt709, transfer: .bt709, chromaLocation: .center)
            ),
            (
                "format=P010_10LE,colorimetry=bt2100-pq,chroma-site=cosited",
                ColorTags(
                    matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq, chromaLocation: .topLeft)
            ),
            (
                "format=NV12,colorimetry=1:4:16:3",
                ColorTags(matrix: .bt601, range: .full, primaries: .bt601Lines625, transfer: .bt709)
            ),
            ("format=RGBA,colorimetry=sRGB", ColorTags(matrix: .rgb, range: .full, primaries: .bt709, transfer: .sRGB)),
        ])
    func colors(_ caps: String, _ tags: ColorTags) throws {
        let reader = try PipelineReader(
            "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=48,\(caps) ! appsink")
        var found = try #require(try reader.next()).attributes.colorTags
        // GStreamer adds a position where none is asked for.
        if tags.chromaLocation == nil { found.chromaLocation = nil }
        #expect(found == tags)
    }

    @Test("The shape of pixels, the visible part and the brightness of HDR are those of the stream")
    func attributes() throws {
        let reader = try PipelineReader(
            "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=64,height=48,pixel-aspect-ratio=16/11 "
                + "! capssetter caps=\"video/x-raw,content-light-level=(string)1000:400,mastering-display-info="
                + "(string)34000:16000:13250:34500:7500:3000:15635:16450:10000000:50\" ! appsink")
        let attributes = try #require(try reader.next()).attributes
        #expect(attributes.pixelAspectRatio == Rational(16, 11))
        #expect(
            attributes.hdrMetadata
                == HDRMetadata(
                    maximumLuminance: 1000, minimumLuminance: 0.005, maximumContentLight: 1000,
                    maximumFrameAverageLight: 400))
    }
}
