import MediaIO
import VideoWall

/// Streams to draw, and the picture that they are drawn into.
struct BenchWorkload {
    let name: String
    var streams: Int
    var format: PixelFormat
    var size: VideoSize
    var output: VideoSize
    /// How many of the streams have a new frame for each picture; they take turns.
    var newFrames: Int
    /// The beginning of the names of files that have the frames.
    var files: String

    /// The named workloads.
    static let named: [BenchWorkload] = [
        BenchWorkload("W1", 1, .i420, 1920, 1080),
        BenchWorkload("W2", 4, .i420, 1280, 720),
        BenchWorkload("W3", 16, .nv12, 640, 360),
        BenchWorkload("W4", 16, .nv12, 640, 360, newFrames: 1, files: "W3"),
        BenchWorkload("W5", 1, .nv12, 3840, 2160, output: VideoSize(width: 1280, height: 720)),
    ]

    private init(
        _ name: String, _ streams: Int, _ format: PixelFormat, _ width: Int, _ height: Int,
        output: VideoSize = VideoSize(width: 1920, height: 1080), newFrames: Int? = nil, files: String? = nil
    ) {
        self.name = name
        self.streams = streams
        self.format = format
        size = VideoSize(width: width, height: height)
        self.output = output
        self.newFrames = newFrames ?? streams
        self.files = files ?? name
    }

    /// A workload of the user's own, by default with a new frame of every stream for each picture.
    init(streams: Int, format: PixelFormat, size: VideoSize, output: VideoSize, newFrames: Int? = nil) {
        self.init(
            "\(streams)x\(size)-\(format)", streams, format, size.width, size.height, output: output,
            newFrames: newFrames)
    }

    /// The number of a stream's frame at a picture; both begin with 0.
    func frame(_ stream: Int, at picture: Int) -> Int {
        guard newFrames < streams else { return picture }
        return (picture * newFrames + newFrames - 1 - stream + streams) / streams
    }

    /// Whether a stream has a new frame at a picture.
    func isNew(_ stream: Int, at picture: Int) -> Bool {
        let first = picture * newFrames % streams
        return (stream - first + streams) % streams < newFrames
    }

    /// The bytes of a frame, without padding.
    var frameBytes: Int { format.packedByteCount(size) }
}
