/// Decodes the packets that another reader delivers as frames, as that of a camera does, for those who pull frames.
///
/// **Thread:** the one that made it.
public final class DecodingReader: FrameReader {
    private let reader: any FrameReader
    private var stage: DecodingStage
    private let wanted = ReadingDemand()
    private var wantedVersion = 0
    private var ready: [VideoFrame] = []
    private var hasEnded = false

    /// Wraps a reader.
    ///
    /// - Parameters:
    ///   - reader: delivers packets, pictures, or both.
    ///   - name: its name, for errors.
    ///   - decoder: makes a decoder for the first packet, and for each one with which the codec changes.
    public init(_ reader: any FrameReader, name: String, decoder: @escaping PacketDecoderMaker) {
        self.reader = reader
        stage = DecodingStage(name, .live, decoder)
    }

    /// The other reader's description.
    public var info: StreamInfo { reader.info }
    /// The packets and pictures that were corrupt or undecodable.
    public var corruptCount: Int { reader.corruptCount + stage.corruptCount }
    /// What is wanted of the pictures.
    public var demand: ReadingDemand? { wanted }

    /// The next picture.
    ///
    /// - Throws: what the other reader throws; ``StreamError/Code/unsupported`` if its packets cannot be decoded.
    public func next() throws(StreamError) -> VideoFrame? {
        if wanted.hasChanged(since: &wantedVersion) {
            stage.adapt(to: wanted.wants)
            reader.demand?.wants = wanted.wants
        }
        while ready.isEmpty, !hasEnded {
            var failure: StreamError?
            let deliver = { (output: DecodingStage.Output) in
                switch output {
                case .picture(let frame): self.ready.append(frame)
                case .unusable(let error): if error.code == .unsupported { failure = error }
                case .omitted, .needsKeyFrame: break
                }
            }
            guard let frame = try reader.next() else {
                hasEnded = true
                stage.drain(deliver)
                continue
            }
            if case .encoded(let packet) = frame.image {
                stage.decode(packet, time: frame.presentationTime, attributes: nil, deliver)
            } else {
                ready.append(frame)
            }
            if let failure { throw failure }
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    /// Goes back to the first frame, if the other reader can.
    public func rewind() throws(StreamError) {
        try reader.rewind()
        stage.reset()
        ready.removeAll(keepingCapacity: true)
        hasEnded = false
    }
}
