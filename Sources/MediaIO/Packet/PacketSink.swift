/// A user of a stream's packets, such as a recorder; pictures are decoded elsewhere.
///
/// **Thread:** a thread of its own, one call at a time: a sink that is slow delays nobody.
public protocol PacketSink: AnyObject, Sendable {
    /// Whether it wants the packets of a track.
    ///
    /// It is asked of each track when a connection begins, or when it attaches, and again with each packet.
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

    /// The last call: the sink was detached, or the source is disposed of.
    func didDetach()

    /// Whether a call may wait for any time, as for a disk that hangs.
    ///
    /// Nobody waits for such a sink: when it is detached, it first gets the packets that still wait for it, and
    /// ``didDetach()`` comes later, on its thread. **Thread:** any. Always the same answer.
    var mayHang: Bool { get }
}

extension PacketSink {
    /// True for video and audio.
    public func wants(_ track: TrackInfo) -> Bool { track.kind != .data }

    /// Does nothing, for sinks that do not count.
    public func didLose(_ count: Int) {}

    /// Does nothing, for sinks that need only packets.
    public func sourceDidChange(_ condition: SourceCondition) {}

    /// Does nothing, for sinks that have nothing to end.
    public func didDetach() {}

    /// False.
    public var mayHang: Bool { false }
}

/// A sink of packets that takes those that came as frames as such, with the times and attributes of the frames.
package protocol PacketFrameSink: PacketSink {
    /// Consumes a packet as a frame; called instead of ``PacketSink/consume(_:)``.
    func consume(_ frame: VideoFrame)
}

/// A source whose pictures are decoded from packets, which others may have, too.
public protocol PacketSource: VideoSource {
    /// Where sinks of packets attach.
    var packets: PacketOutlet { get }
}
