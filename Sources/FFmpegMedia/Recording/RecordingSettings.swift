public import MediaIO

/// What a ``PacketRecorder`` records, and where to.
public struct RecordingSettings: Hashable, Sendable {
    /// The folder; it is made with the first file.
    public var folder: String
    /// How its files are named.
    public var pattern: RecordingPattern
    /// How long a file becomes: another one begins with the next key frame; `nil` for any length.
    public var partDuration: Duration?
    /// How many bytes a file gets: another one begins with the next key frame; `nil` for any number.
    public var partByteCount: Int?
    /// Whether sound is recorded, too.
    public var hasSound = true
    /// The rotation that the file states; `nil` for that of the stream.
    public var rotation: VideoRotation?
    /// The mirror that the file states; `nil` for that of the stream.
    public var mirror: VideoMirror?
    /// The bytes of the disk that stay free.
    public var reserve = 1 << 30
    /// Whether the oldest files that the pattern names are deleted to keep that reserve; otherwise recording pauses.
    ///
    /// A file then takes an eighth of the room at most, so that there is an older one; nothing is deleted if all together
    /// were not enough.
    public var deletesOldest = false

    /// Describes recordings without parts.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - pattern: how the files are named.
    public init(folder: String, pattern: RecordingPattern = .standard) {
        (self.folder, self.pattern) = (folder, pattern)
    }
}

/// How a recorder is.
public enum RecorderCondition: Hashable, Sendable {
    /// Nothing is recorded yet: it waits for a key frame.
    case waiting
    /// It writes to a file; the omission, if any, says for people which sound the file lacks, and why.
    case recording(path: String, omission: String?)
    /// It writes nothing, and goes on by itself when it can; the reason is for people.
    case paused(_ reason: String)
    /// It cannot record this stream; the reason is for people.
    case failed(_ reason: String)
    /// It was detached, and its last file is closed.
    case ended
}

/// What a recorder has done.
public struct RecorderCounts: Hashable, Sendable {
    /// The packets that were written.
    public var packets = 0
    /// Their bytes.
    public var bytes = 0
    /// The packets that were left out: before the first key frame, and because the disk was too slow, full or lost.
    public var omitted = 0
    /// The files that were begun.
    public var files = 0

    /// Begins at zero.
    public init() {}
}
