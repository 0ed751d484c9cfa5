import MediaIO
import VideoWall

/// Frames whose content does not matter.
func frame(_ width: Int = 32, _ height: Int = 18, luma: Int = 0) throws -> VideoFrame {
    try VideoFrame(
        PixelBuffer(format: .gray8, size: VideoSize(width: width, height: height)) { planes in
            for row in 0..<height {
                planes.withRow(row, ofPlane: 0) { row in
                    for index in row.indices { row[index] = UInt8(luma) }
                }
            }
        })
}

/// Makes an image as large as its room, or two letters wide, and counts.
final class StubPainter: TextPainter {
    private(set) var texts: [String] = []

    func coverage(of text: String, _ style: TextStyle, in room: VideoSize) -> CoverageImage {
        texts.append(text)
        let size = VideoSize(width: min(room.width, 2 * style.fontSize), height: min(room.height, style.fontSize))
        return CoverageImage(
            [UInt8](repeating: 255, count: size.width * size.height), size: size, bytesPerRow: size.width)
    }
}

let screen = VideoSize(width: 640, height: 360)
