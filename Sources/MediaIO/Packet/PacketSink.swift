/// A user of a stream's packets, such as a recorder; pictures are decoded elsewhere.
///
/// **Thread:** a thread of its own, one call at a time: a sink that is slow delays nobody.
public protocol PacketSink: AnyObject, Sendable {
    /// Whether it wants the packets of a track.
    ///
    /// **Thread:** any, at any time. Always the same answer for the same track.
    func wants(_ track: TrackInfo) -> Bool

    /// Consumes a packet.
    ///
    /// The first packet of a track of video is a key frame, also after packets were lost. A packet with other
    /// ``TrackInfo`` than the one before it begins another codec, or another connection.
    func consume(_ packet: EncodedPacket)

    /// Called if the sink was too slow, so that packets were left out for it.
    ///
    /// - Parameter count: how many.
    func didLose(_ count: Int)

    /// Called when the source's condition changes.
    func sourceDidChange(_ condition: SourceCondition)
}

extension PacketSink {
    /// True for video and audio.
    public func wants(_ track: TrackInfo) -> Bool { track.kind != .data }

    /// Does nothing, for sinks that do not count.
    public func didLose(_ count: Int) {}

    /// Does nothing, for sinks that need only packets.
    public func sourceDidChange(_ condition: SourceCondition) {}
}

/// A sink of packets that takes those that came as frames as such, with the times and attributes of the frames.
protocol PacketFrameSink: PacketSink {
    /// Consumes a packet as a frame; called instead of ``PacketSink/consume(_:)``.
    func consume(_ frame: VideoFrame)
}

/// A source whose pictures are decoded from packets, which others may have, too.
public protocol PacketSource: VideoSource {
    /// Where sinks of packets attach.
    var packets: PacketOutlet { get }
}
