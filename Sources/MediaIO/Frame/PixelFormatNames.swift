extension PixelFormat {
    /// A project that has its own names for pixel formats.
    ///
    /// A name without a prefix is looked up in this order, after our own names.
    public enum Vocabulary: String, CaseIterable, Hashable, Sendable {
        /// `AVPixelFormat`: `yuv420p10le`, also without the `le`.
        case ffmpeg
        /// The four characters of Linux's `V4L2_PIX_FMT_…`, without trailing spaces: `YU12`.
        case v4l2
        /// `GstVideoFormat`: `I420_10LE`.
        case gstreamer
        /// `VideoFrameBuffer::Type`, `VideoType` and the four characters of libyuv, whose RGB names are those of
        /// little-endian words: its `ARGB` is ``PixelFormat/bgra32``.
        case webrtc
        /// `VIDEO_PIXEL_FORMAT` and `AgoraVideoFormat`: `VIDEO_PIXEL_I420`, also without the prefix.
        case agora
        /// `ZegoVideoFrameFormat`: `ZegoVideoFrameFormatI420`, also without the prefix.
        case zego
    }

    /// The names of this format in a vocabulary, the shortest first; empty if it has no such format.
    ///
    /// Some names imply more than the layout, such as FFmpeg's `yuvj420p` for full range; only the layout counts here.
    ///
    /// **Cost:** allocates; for set-up.
    public func names(in vocabulary: Vocabulary) -> [String] {
        func split(_ names: String) -> [String] { names.split(separator: " ").map(String.init) }
        let row = namesRow
        switch vocabulary {
        case .ffmpeg: return split(row.ffmpeg)
        case .v4l2: return split(row.v4l2)
        case .gstreamer: return split(row.gstreamer)
        case .webrtc: return split(row.webrtc)
        case .agora: return split(agoraNames)
        case .zego:
            guard let name = zegoName else { return [] }
            return [name, "ZegoVideoFrameFormat\(name)", "ZEGO_VIDEO_FRAME_FORMAT_\(name)"]
        }
    }

    /// The format with this name, ours or one of a ``Vocabulary``; `nil` for an unknown name.
    ///
    /// Case does not matter. Our own names are looked up first, then those of each ``Vocabulary`` in order; a prefix,
    /// as in `webrtc:ARGB`, selects one vocabulary.
    ///
    /// **Cost:** allocates; for set-up.
    public init?(named name: String) {
        let name = name.lowercased()
        if let format = Self(rawValue: name) {
            self = format
            return
        }
        var vocabularies = Vocabulary.allCases[...]
        var wanted = name
        if let colon = name.firstIndex(of: ":") {
            vocabularies = vocabularies.filter { $0.rawValue == name[..<colon] }[...]
            wanted = String(name[name.index(after: colon)...])
        }
        for vocabulary in vocabularies {
            if let format = Self.allCases.first(where: { $0.isCalled(wanted, in: vocabulary) }) {
                self = format
                return
            }
        }
        return nil
    }

    /// Whether `name`, in lower case, is one of the names.
    private func isCalled(_ name: String, in vocabulary: Vocabulary) -> Bool {
        names(in: vocabulary).contains {
            let known = $0.lowercased()
            // FFmpeg accepts names without the machine's byte order.
            return known == name || vocabulary == .ffmpeg && known.hasSuffix("le") && known.dropLast(2) == name
        }
    }
}
