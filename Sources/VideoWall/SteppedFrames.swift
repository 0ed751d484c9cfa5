import MediaIO

/// Chooses the frames of a stream for a wall whose scenes are taken at ticks, so that each tick shows one frame more.
///
/// If frames arrive at about the time of the ticks, a little earlier or later, the newest one at each tick would be one frame
/// twice, and then one left out. Here, a frame that nobody has taken yet stays, and the next one waits for the next tick. So
/// the first irregularity costs one repetition, and delays the stream by up to a frame; then each frame is shown once. If
/// the stream is faster than the ticks, one frame waits at most.
struct SteppedFrames {
    /// What is shown.
    private(set) var frame: VideoFrame?
    /// Its number.
    private(set) var frameNumber = -1
    /// The scene that has it first.
    private var firstScene = 0
    /// The frame that waits.
    private var next: (frame: VideoFrame, number: Int)?

    /// Whether one waits, which a taken scene makes room for.
    var isWaiting: Bool { next != nil }

    /// Whether the one that is shown has been taken, and another one waits.
    func isDue(_ taken: Int) -> Bool { next != nil && taken >= firstScene }

    /// Chooses the frame for a scene.
    ///
    /// - Parameters:
    ///   - newest: the newest frame; one that is `nil` is shown at once: nothing of the stream may be seen any more.
    ///   - number: its number.
    ///   - taken: the number of the scene that was taken last.
    ///   - scene: the number of the scene that is made.
    mutating func update(_ newest: VideoFrame?, _ number: Int, taken: Int, for scene: Int) {
        guard let newest, frame != nil else {
            if frameNumber != number { (frame, frameNumber, firstScene, next) = (newest, number, scene, nil) }
            return
        }
        if isDue(taken) { advance(scene) }
        guard number != next?.number ?? frameNumber else { return }
        // Only one waits.
        if next != nil { advance(scene) }
        next = (newest, number)
        if taken >= firstScene { advance(scene) }
    }

    private mutating func advance(_ scene: Int) {
        guard let next else { return }
        (frame, frameNumber, firstScene) = (next.frame, next.number, scene)
        self.next = nil
    }
}
