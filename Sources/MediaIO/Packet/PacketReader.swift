/// A reader of encoded packets, such as the demuxer of a file or of a connection.
///
/// **Thread:** the one that made it.
public protocol PacketReader: AnyObject {
    /// The container or protocol: `mov,mp4`, `rtsp`.
    var container: String { get }

    /// Whether the stream is live, as from a camera.
    var isLive: Bool { get }

    /// The duration, or `nil` if it is endless or unknown.
    var duration: Duration? { get }

    /// The tracks that are known so far; a live stream may gain some later.
    var tracks: [TrackInfo] { get }

    /// The track of video to show; a live stream may change it.
    var shown: TrackInfo { get }

    /// Chooses the tracks whose packets are read, by their ``TrackInfo/id``; at first that is ``shown``.
    func select(_ tracks: Set<Int>)

    /// The next packet of the chosen tracks, in the order of the stream; `nil` at the end.
    ///
    /// - Throws: ``StreamError`` if reading fails; the reader must not be used after that.
    func next() throws(StreamError) -> EncodedPacket?
}
