import GL

/// The programs made so far.
///
/// One is made when the first frame of its kind is drawn.
final class VideoPrograms {
    private let context: GLContext
    private var programs: [VideoProgram.Kind: Result<VideoProgram, GLError>] = [:]

    init(_ context: GLContext) { self.context = context }

    /// The program of a kind.
    func program(_ kind: VideoProgram.Kind) throws(GLError) -> VideoProgram {
        if let made = programs[kind] { return try made.get() }
        // What does not compile once never will: it is not tried again for each frame.
        let made = Result { () throws(GLError) in try VideoProgram(context, kind) }
        programs[kind] = made
        return try made.get()
    }
}
