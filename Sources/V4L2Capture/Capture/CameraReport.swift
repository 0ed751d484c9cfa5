/// What a camera was asked for, what it gave, and counts since it was first opened.
public struct CameraReport: Hashable, Sendable {
    /// The camera.
    public var device: CameraDevice
    /// What it was asked for.
    public var asked: CameraRequest
    /// What it gives.
    public var given: CameraMode
    /// Frames that its driver delivered.
    public var captured = 0
    /// Frames that the driver reported as damaged, or that were too short; they are not shown.
    public var damaged = 0
    /// Frames that the driver lost, by its own numbers.
    public var lost = 0
    /// Frames that were not shown because a newer one was there.
    public var skipped = 0
    /// Frames that were copied, because sinks held too many of the driver's buffers.
    public var copied = 0
    /// How often it was restarted because no frames came.
    public var restarts = 0
    /// The time from the driver's timestamp of the last frame until it was delivered.
    public var latency = Duration.zero

    /// What was asked and what was given, for people.
    public var summary: String {
        "\(device.name) (\(device.identity), \(device.path)): asked for \(asked), gives \(given)"
    }
}
