public import MediaIO

extension MediaPacketDecoder {
    /// Options of a decoder.
    public struct Options: Sendable {
        /// The number of decoding threads, 1 to 16; `nil` for one up to 1280 × 720 and one per core, up to four, above.
        public var threadCount: Int?
        /// The slots that this decoder shares with others; `nil` for no limit.
        public var slots: DecodingSlots?
        /// Whether each frame is wanted at once, so that threads may work on parts of one frame, not on several frames.
        public var isLive = true
        /// Which pictures are deinterlaced.
        public var deinterlacing = Deinterlacing.auto
        /// Whether decoding is done by a process of its own, which can do nothing else (``DecoderSandbox``).
        ///
        /// Then frames are not decoded into the memory that sinks offer.
        public var isSandboxed = false
        /// What is decoded, for errors; `nil` for no name.
        public var name: String?
        /// Called with the description of the stream as its first frame shows it, on the thread that decodes.
        public var onFirstFrame: (@Sendable (StreamInfo) -> Void)?

        /// Creates options for a live stream.
        public init() {}
    }
}
