import FFmpegMedia
import MediaIO
import Testing

/// Motion JPEG that is decoded in a lower resolution.
@Suite struct LowerResolutionTests {
    private static func makeClip(_ folder: borrowing ClipFolder, _ size: String, _ codec: [String]) throws {
        // Slopes in both directions, in all planes: a displaced picture has other values.
        let planes = "lum='128+100*sin(X/12+Y/17+N/3)':cb='128+60*sin(X/9+N/5)':cr='128+60*cos(Y/7)'"
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "nullsrc=s=\(size):r=25:d=0.8,geq=\(planes)"] + codec + [folder.file("a.avi")])
    }

    private static let motionJPEG = ["-c:v", "mjpeg", "-q:v", "1", "-qmin", "1"]

    /// The mean of each square of samples.
    private static func squares(_ frame: VideoFrame, _ plane: Int, side: Int) throws -> [Double] {
        let buffer = try frame.pixelBuffer
        let description = buffer.format.planes[plane]
        var rows: [[UInt8]] = []
        for row in 0..<description.height(buffer.size) {
            rows.append(buffer.withRow(row, ofPlane: plane) { span in span.indices.map { span[$0] } })
        }
        var result: [Double] = []
        for top in stride(from: 0, to: rows.count, by: side) {
            for left in stride(from: 0, to: rows[0].count, by: side) {
                let sum = rows[top..<top + side].reduce(0) { $0 + $1[left..<left + side].reduce(0) { $0 + Int($1) } }
                result.append(Double(sum) / Double(side * side))
            }
        }
        return result
    }

    @Test("Frames are those of the full size, averaged", arguments: [1, 2, 3], ["yuvj420p", "yuvj422p", "yuvj444p"])
    func averages(_ reduction: Int, _ format: String) throws {
        // The decoder makes slopes inside a block somewhat steeper than they are. Displaced by half a pixel, values would
        // be off by 10, 20 and 40.
        let tolerance = [3.0, 6, 2][reduction - 1]
        let folder = try ClipFolder()
        try Self.makeClip(folder, "160x96", Self.motionJPEG + ["-pix_fmt", format])
        let full = try readAll(folder.reader("a.avi"))
        let reader = try folder.reader("a.avi")
        // The first frame is decoded already.
        _ = try reader.next()
        reader.demand?.wants = VideoSinkWants(maximumPixels: (160 >> reduction) * (96 >> reduction))
        let reduced = try readAll(reader)
        #expect(reduced.count == 19 && full.count == 20)
        for (small, large) in zip(reduced, full.dropFirst()) {
            #expect(try small.pixelBuffer.size == VideoSize(width: 160 >> reduction, height: 96 >> reduction))
            #expect(small.presentationTime == large.presentationTime)
            #expect(small.colorSpace == large.colorSpace && small.chromaLocation == large.chromaLocation)
            for plane in 0..<3 {
                let found = try Self.squares(small, plane, side: 1)
                let expected = try Self.squares(large, plane, side: 1 << reduction)
                #expect(found.count == expected.count)
                let error = zip(found, expected).map { abs($0 - $1) }.max() ?? 0
                #expect(error <= tolerance, "plane \(plane)")
            }
        }
    }

    /// What was enough of large pictures is too little of small ones, and the other way round.
    @Test(arguments: [["640x480", "80x60"], ["80x60", "640x480"]]) func theSizeChanges(_ sizes: [String]) throws {
        let folder = try ClipFolder()
        var bytes: [UInt8] = []
        for (index, size) in sizes.enumerated() {
            try folder.makeClip("\(index).mjpeg", size: size, frames: 5, Self.motionJPEG)
            bytes += try folder.bytes("\(index).mjpeg")
        }
        try folder.write(bytes, to: "a.mjpeg")
        let reader = try folder.reader("a.mjpeg")
        reader.demand?.wants = VideoSinkWants(maximumPixels: 80 * 60)
        let frames = try readAll(reader)
        try #require(frames.count == 10)
        let size = VideoSize(width: 80, height: 60)
        for index in [3, 4, 8, 9] { #expect(frames[index].image.size == size, "frame \(index)") }
    }

    @Test("No frame is lost when sinks change their minds", arguments: ["64x48", "1920x1080"])
    func changes(_ size: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.avi", size: size, frames: 20, Self.motionJPEG)
        let full = try readAll(folder.reader("a.avi"))
        let reader = try folder.reader("a.avi")
        var (frames, sizes) = ([VideoFrame](), Set<VideoSize>())
        while let frame = try reader.next() {
            frames.append(frame)
            sizes.insert(try frame.pixelBuffer.size)
            if frames.count % 3 == 0 {
                reader.demand?.wants = VideoSinkWants(maximumPixels: frames.count % 2 == 0 ? 1 : nil)
            }
        }
        #expect(frames.map(\.presentationTime) == full.map(\.presentationTime))
        let whole = try #require(VideoSize(size))
        #expect(sizes == [whole, VideoSize(width: whole.width / 8, height: whole.height / 8)])
        try reader.rewind()
        #expect(try readAll(reader).count == full.count)
    }

    @Test(
        "Sides are only halved without a rest, and frames never smaller than wanted",
        arguments: [
            ("160x96", 15_360, 1), ("160x96", 3841, 1), ("160x96", 3840, 2), ("160x96", 960, 4), ("160x96", 1, 8),
            ("164x100", 1, 4), ("166x98", 1, 2), ("165x97", 1, 1), ("164x97", 1, 1),
        ])
    func sizes(_ size: String, _ pixels: Int, _ divisor: Int) throws {
        let folder = try ClipFolder()
        try Self.makeClip(folder, size, Self.motionJPEG + ["-pix_fmt", "yuvj420p"])
        let reader = try folder.reader("a.avi")
        _ = try reader.next()
        reader.demand?.wants = VideoSinkWants(maximumPixels: pixels)
        _ = try reader.next()
        // A hidden stream stays as it is.
        reader.demand?.wants = .nothing
        let whole = try #require(VideoSize(size))
        let frame = try #require(try reader.next())
        #expect(
            try frame.pixelBuffer.size == VideoSize(width: whole.width / divisor, height: whole.height / divisor))
        #expect(reader.info.size == whole)
    }

    @Test("Codecs that predict frames from others keep their size", arguments: ["libx264", "mpeg4", "mpeg2video"])
    func predicted(_ codec: String) throws {
        let folder = try ClipFolder()
        try Self.makeClip(folder, "160x96", ["-c:v", codec, "-pix_fmt", "yuv420p"])
        let reader = try folder.reader("a.avi")
        reader.demand?.wants = VideoSinkWants(maximumPixels: 1)
        let frames = try readAll(reader)
        #expect(try frames.allSatisfy { try $0.pixelBuffer.size == VideoSize(width: 160, height: 96) })
    }
}
