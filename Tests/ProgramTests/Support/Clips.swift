import Foundation
import TestSupport

/// Small Y4M files.
enum Clips {
    /// Grey frames that become lighter, in I420 of limited range.
    ///
    /// - Parameters:
    ///   - frames: how many.
    ///   - width: of each, even.
    ///   - height: of each, even.
    ///   - shape: width to height of a pixel.
    /// - Returns: the content of a file.
    static func y4m(frames: Int, width: Int = 32, height: Int = 16, shape: String = "1:1") -> [UInt8] {
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F10:1 Ip A\(shape) C420\n".utf8)
        for index in 0..<frames {
            bytes += Array("FRAME\n".utf8)
            bytes += [UInt8](repeating: UInt8(30 + index * 10), count: width * height)
            bytes += [UInt8](repeating: 128, count: width * height / 2)
        }
        return bytes
    }

    /// Encodes two seconds of FFmpeg's moving test picture in H.264.
    static func encode(_ name: String, in folder: String) throws {
        try ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=2", "-c:v", "libx264", name], in: folder)
    }

    /// Encodes a file without loss, in a container that its name says, with a key frame in every fourth place.
    static func convert(_ name: String, to other: String, in folder: String) throws {
        try ffmpeg(["-i", name, "-c:v", "ffv1", "-g", "4", other], in: folder)
    }

    /// Runs FFmpeg's program without messages.
    static func ffmpeg(_ arguments: [String], in folder: String) throws {
        let run = try RunningProgram(
            executable: "/usr/bin/ffmpeg", ["-v", "error"] + taggingPictures(arguments), in: folder
        ).finish()
        guard run.status == 0 else { throw CocoaError(.executableLoad) }
    }
}

extension TemporaryFolder {
    /// The names of the files in it, in order.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// The content of a file in it.
    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)"))) }
}
