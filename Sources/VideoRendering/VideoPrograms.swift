import GL
import MediaIO

/// The programs made so far.
///
/// One is made when the first frame of its kind comes.
final class VideoPrograms {
    private let context: GLContext
    private var programs: [VideoProgram.Kind: VideoProgram] = [:]

    init(_ context: GLContext) { self.context = context }

    /// The program for a frame.
    func program(for frame: VideoFrame) throws(GLError) -> VideoProgram {
        let kind = VideoProgram.Kind(frame)
        if let program = programs[kind] { return program }
        let program = try VideoProgram(context, kind)
        programs[kind] = program
        return program
    }
}
