public import MediaIO

extension VideoFrame {
    /// The planes of a frame that was made of planes in memory.
    public var planes: PixelBuffer {
        guard case .planes(let buffer) = image else { preconditionFailure("This frame is not made of planes.") }
        return buffer
    }

    /// The time of a frame that has one.
    public var time: Duration {
        guard let presentationTime else { preconditionFailure("This frame says no time.") }
        return presentationTime
    }
}
