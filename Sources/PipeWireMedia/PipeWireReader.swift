public import MediaIO

/// Reads the pictures of a camera, a screen or another program by PipeWire.
///
///     let source = LiveSource(name: "screen", cancellation: cancellation) {
///         .frames(try PipeWireReader(.screen, cancellation: cancellation))
///     }
///
/// * ``PipeWireInput/screen`` and ``PipeWireInput/camera`` ask the user of the desktop first, where its portal does. If that
///   is refused, or a screen is no longer shared, the error is ``StreamError/Code/refused``: nobody is asked again.
/// * Pictures are copied once. If they are not read in time, only the newest is kept.
/// * A screen delivers a picture when it changes. If it does not, the last one is returned again once a second, as it is
///   still what there is to see.
///
/// **Thread:** the one that made it; frames may be used on any. **Cost:** a copy of each frame, and in steady state no
/// allocation.
public final class PipeWireReader: FrameReader {
    /// How often a picture of a screen that stands still is returned.
    static let stillTime = Duration.seconds(1)
    /// How long it may take until an end is noticed that PipeWire does not tell of: that of a loan.
    private static let loanTime = Duration.milliseconds(200)

    /// The description of the stream, as of its first frame.
    public private(set) var info: StreamInfo
    /// The frames that were damaged, or did not fit their format.
    public var corruptCount: Int { stream.corruptCount }

    private let input: PipeWireInput
    private let standsStill: Bool
    private let session: PortalSession?
    private let connection: PipeWireConnection
    private let node: PipeWireNode
    private let stream: PipeWireStream
    private let cancellation: ReadCancellation
    /// The first frame, which was read to know what the frames are.
    private var first: VideoFrame?
    /// The last frame of what may stand still, and when it was returned.
    private var last: (frame: VideoFrame, time: MonotonicTime)?

    /// Connects, and waits for the first frame.
    ///
    /// - Parameters:
    ///   - input: what is read.
    ///   - timeout: how long the first frame may take, once the user has decided.
    ///   - cancellation: ends the wait for the user and for a frame.
    /// - Throws: ``StreamError/Code/unsupported`` without PipeWire's library or, for a screen, a portal;
    ///   ``StreamError/Code/refused`` if the user refuses; ``StreamError/Code/cannotOpen`` for a node that is not there and
    ///   if PipeWire does not run; ``StreamError/Code/noVideo`` if no frame comes in time, or the node has no format that
    ///   can be drawn.
    public convenience init(
        _ input: PipeWireInput, timeout: Duration = .seconds(10), cancellation: ReadCancellation = ReadCancellation()
    ) throws(StreamError) {
        try self.init(input, timeout: timeout, cancellation: cancellation, socket: nil)
    }

    /// Connects to the PipeWire of a socket, in some formats; `standsStill`: whether what is read delivers nothing while it
    /// does not change, as a screen.
    init(
        _ input: PipeWireInput, timeout: Duration, cancellation: ReadCancellation, socket: String?,
        standsStill: Bool? = nil, formats: [UInt32] = PipeWireFormat.all
    ) throws(StreamError) {
        (self.input, self.cancellation) = (input, cancellation)
        self.standsStill = standsStill ?? (input == .screen)
        let name = input.description
        session =
            switch input {
            case .node: nil
            case .camera: try PortalSession.camera(name, cancellation)
            case .screen: try PortalSession.screen(name, cancellation)
            }
        do throws(StreamError) {
            connection = try PipeWireConnection(name, descriptor: session?.descriptor, socket: socket)
            let wake = try WakePipe()
            cancellation.onCancel(wake: wake)
            connection.watch(wake)
            try connection.update(cancellation)
            node = try Self.find(input, session, connection)
            stream = try PipeWireStream(name, node, connection, formats)
        } catch {
            throw Self.final(error, session)
        }
        info = StreamInfo(container: "pipewire", size: VideoSize(width: 1, height: 1), isLive: true)
        let frame = try read(until: .now + timeout)
        first = frame
        info = StreamInfo(
            container: "pipewire", format: frame.image.format, size: frame.image.size,
            frameRate: stream.format?.frameRate, isLive: true, attributes: frame.attributes)
    }

    /// Waits for the next frame.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` if the node is gone or it is cancelled; ``StreamError/Code/refused`` if a
    ///   screen is no longer shared.
    public func next() throws(StreamError) -> VideoFrame? {
        if let frame = first {
            first = nil
            return frame
        }
        return try read(until: nil)
    }

    /// What is live cannot go back.
    public func rewind() throws(StreamError) {
        throw StreamError(.unsupported, "\(input) is live and cannot go back.")
    }

    private static func find(
        _ input: PipeWireInput, _ session: PortalSession?, _ connection: PipeWireConnection
    ) throws(StreamError) -> PipeWireNode {
        let sources = connection.sources
        switch input {
        case .node(let name):
            let node =
                sources.first { $0.name == name } ?? sources.first { $0.serial == name }
                ?? sources.first { $0.description == name }
            if let node { return node }
        case .camera:
            if let node = sources.max(by: { $0.priority < $1.priority }) { return node }
        case .screen:
            if let node = connection.nodes.first(where: { $0.id == session?.node }) { return node }
            throw StreamError(.refused, "\(input) is not lent by the desktop: what was chosen is gone.")
        }
        let known = sources.map { "pipewire:\($0.name)" }.joined(separator: ", ")
        throw StreamError(
            .cannotOpen,
            "\(input) is not there: \(known.isEmpty ? "PipeWire has no cameras now" : "there is \(known)").")
    }

    /// After the user has chosen a screen, every failure is final: otherwise the question would come back.
    private static func final(_ error: StreamError, _ session: PortalSession?) -> StreamError {
        guard session?.node != nil else { return error }
        return StreamError(.refused, error.description, underlying: error.underlying)
    }

    private func read(until end: MonotonicTime?) throws(StreamError) -> VideoFrame {
        do throws(StreamError) {
            while true {
                if let frame = stream.newest {
                    stream.newest = nil
                    return keep(frame)
                }
                if let failure = stream.failure { throw failure }
                guard !cancellation.isCancelled else {
                    throw StreamError(.readFailed, "Reading \(input) was cancelled.")
                }
                if session?.hasEnded == true {
                    throw StreamError(.refused, "\(input) is no longer lent by the desktop.")
                }
                guard connection.nodes.contains(where: { $0.id == node.id }) else {
                    throw StreamError(.readFailed, "\(input) is gone.")
                }
                let now = MonotonicTime.now
                if let end, end <= now {
                    guard stream.format != nil else { throw stream.noFormat }
                    throw StreamError(.noVideo, "\(input) delivers no picture: look at it with pw-top.")
                }
                if let last, now - last.time >= Self.stillTime {
                    var frame = last.frame
                    frame.presentationTime = frame.presentationTime.map { $0 + (now - last.time) }
                    return keep(frame)
                }
                let limits = [end, session.map { _ in now + Self.loanTime }, last.map { $0.time + Self.stillTime }]
                try connection.wait(until: limits.compactMap { $0 }.min())
            }
        } catch {
            throw Self.final(error, session)
        }
    }

    private func keep(_ frame: VideoFrame) -> VideoFrame {
        if standsStill { last = (frame, .now) }
        return frame
    }
}
