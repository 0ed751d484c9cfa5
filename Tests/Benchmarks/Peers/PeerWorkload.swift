import Foundation

/// A workload of `vitrail bench`, and the files with its frames.
struct PeerWorkload {
    let name: String
    let streams: Int
    let isNV12: Bool
    let width: Int
    let height: Int
    var outputWidth = 1920
    var outputHeight = 1080
    /// Whether only one stream has a new frame for each picture.
    var isSparse = false
    /// The beginning of the names of the files.
    var files: String
    /// The folder of the files.
    let folder: URL

    static func all(in folder: URL) -> [PeerWorkload] {
        func make(_ name: String, _ streams: Int, _ isNV12: Bool, _ width: Int, _ height: Int) -> PeerWorkload {
            PeerWorkload(
                name: name, streams: streams, isNV12: isNV12, width: width, height: height, files: name, folder: folder)
        }
        var (sparse, reduced) = (make("W4", 16, true, 640, 360), make("W5", 1, true, 3840, 2160))
        (sparse.isSparse, sparse.files) = (true, "W3")
        (reduced.outputWidth, reduced.outputHeight) = (1280, 720)
        return [
            make("W1", 1, false, 1920, 1080), make("W2", 4, false, 1280, 720), make("W3", 16, true, 640, 360), sparse,
            reduced,
        ]
    }

    /// The frames in each file.
    static let frameCount = 8

    /// The tiles in a row, and the rows.
    var columns: Int { Int(Double(streams).squareRoot()) }
    var cellWidth: Int { outputWidth / columns }
    var cellHeight: Int { outputHeight / columns }
    var frameBytes: Int { width * height * 3 / 2 }
    /// FFmpeg's name of the format.
    var format: String { isNV12 ? "nv12" : "yuv420p" }

    func file(_ stream: Int, _ type: String = "yuv") -> String {
        folder.appendingPathComponent("\(files)_\(stream < 10 ? "0" : "")\(stream).\(type)").path
    }

    /// Writes the files, unless they are there: gradients that move, with noise.
    func writeFrames() throws {
        for stream in 0..<streams where !FileManager.default.fileExists(atPath: file(stream)) {
            var random = UInt64(stream + 1) &* 0x9E37_79B9_7F4A_7C15
            var bytes = [UInt8](repeating: 0, count: frameBytes * Self.frameCount)
            for place in bytes.indices {
                // xorshift64 (Marsaglia, 2003).
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                let slope = place % width * 180 / width + place / frameBytes * 7 + stream * 29
                bytes[place] = UInt8(24 + (slope + Int(random >> 60)) % 200)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: file(stream)))
        }
    }
}
