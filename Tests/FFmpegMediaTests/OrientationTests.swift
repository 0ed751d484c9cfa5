import FFmpegMedia
import MediaIO
import Testing

/// All eight ways to turn and mirror a picture, against FFmpeg's own program, which turns the pixels.
@Suite struct OrientationTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Where a step to the right and a step down go, in whole steps; y points down.
        var right: (x: Int32, y: Int32)
        var down: (x: Int32, y: Int32)
        var rotation: VideoRotation
        var mirror: VideoMirror
    }

    static let ways = [
        Way(testDescription: "upright", right: (1, 0), down: (0, 1), rotation: .upright, mirror: .unmirrored),
        Way(testDescription: "clockwise", right: (0, 1), down: (-1, 0), rotation: .clockwise90, mirror: .unmirrored),
        Way(
            testDescription: "half a turn", right: (-1, 0), down: (0, -1), rotation: .clockwise180, mirror: .unmirrored),
        Way(
            testDescription: "counterclockwise", right: (0, -1), down: (1, 0), rotation: .clockwise270,
            mirror: .unmirrored),
        Way(testDescription: "left to right", right: (-1, 0), down: (0, 1), rotation: .upright, mirror: .horizontal),
        Way(testDescription: "upside down", right: (1, 0), down: (0, -1), rotation: .upright, mirror: .vertical),
        Way(testDescription: "main diagonal", right: (0, 1), down: (1, 0), rotation: .clockwise90, mirror: .horizontal),
        Way(
            testDescription: "other diagonal", right: (0, -1), down: (-1, 0), rotation: .clockwise270,
            mirror: .horizontal),
    ]

    @Test(arguments: ways) func tagTurnsThePictureAsFFmpegDoes(_ way: Way) throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", size: "64x48", frames: 2, DecodingTests.h264)
        try patchMatrix(way, "a.mp4", folder)
        let reader = try folder.reader("a.mp4")
        #expect(reader.info.attributes.rotation == way.rotation)
        #expect(reader.info.attributes.mirror == way.mirror)
        let frames = try readAll(reader)
        #expect(frames.allSatisfy { $0.attributes.rotation == way.rotation && $0.attributes.mirror == way.mirror })
        let upright = try folder.decodedBytes("a.mp4", [])
        #expect(frames.flatMap(uprightBytes) == upright)
    }

    /// What a picture says of itself (an H.264 message) counts more than what the container says.
    @Test func pictureMayTurnItself() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.h264", frames: 3, DecodingTests.h264)
        try folder.ffmpeg([
            "-i", folder.file("a.h264"), "-c", "copy", "-bsf:v",
            "h264_metadata=display_orientation=insert:rotate=90:flip=horizontal", folder.file("b.mp4"),
        ])
        try patchMatrix(Self.ways[2], "b.mp4", folder)
        let reader = try folder.reader("b.mp4")
        #expect(reader.info.attributes.rotation.isQuarterTurn)
        #expect(reader.info.attributes.mirror == .horizontal)
        #expect(
            try readAll(reader).allSatisfy {
                $0.attributes.rotation.isQuarterTurn && $0.attributes.mirror == .horizontal
            })
    }

    /// Overwrites the matrix of the track header: 44 bytes after the box's type (ISO/IEC 14496-12, clause 8.3.2).
    private func patchMatrix(_ way: Way, _ name: String, _ folder: ClipFolder) throws {
        var bytes = try folder.bytes(name)
        let header = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
        let one: Int32 = 1 << 16
        let numbers = [way.right.x * one, way.right.y * one, 0, way.down.x * one, way.down.y * one, 0, 0, 0, 1 << 30]
        let matrix = numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian, Array.init) }
        bytes.replaceSubrange(header.lowerBound + 44..<header.lowerBound + 80, with: matrix)
        try folder.write(bytes, to: name)
    }

    /// The planes as a sink shows them: rotated clockwise, then mirrored.
    private func uprightBytes(_ frame: VideoFrame) -> [UInt8] {
        let size = frame.planes.size
        var rest = frame.packedBytes[...]
        return frame.planes.format.planes.flatMap { plane in
            let (width, height) = (plane.width(size), plane.height(size))
            let bytes = Array(rest.prefix(width * height))
            rest = rest.dropFirst(width * height)
            let (shownWidth, shownHeight) = frame.attributes.rotation.isQuarterTurn ? (height, width) : (width, height)
            return (0..<shownHeight).flatMap { row in
                (0..<shownWidth).map { column in
                    let x = frame.attributes.mirror.isHorizontal ? shownWidth - 1 - column : column
                    let y = frame.attributes.mirror.isVertical ? shownHeight - 1 - row : row
                    return switch frame.attributes.rotation {
                    case .upright: bytes[y * width + x]
                    case .clockwise90: bytes[(height - 1 - x) * width + y]
                    case .clockwise180: bytes[(height - 1 - y) * width + width - 1 - x]
                    case .clockwise270: bytes[x * width + width - 1 - y]
                    }
                }
            }
        }
    }
}
