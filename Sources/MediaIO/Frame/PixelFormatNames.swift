extension PixelFormat {
    /// Who else gives names to pixel formats.
    ///
    /// The order is that in which a bare name is looked for, after our own names.
    public enum Vocabulary: String, CaseIterable, Hashable, Sendable {
        /// `AVPixelFormat`: `yuv420p10le`, also without the `le`.
        case ffmpeg
        /// The four characters of Linux's `V4L2_PIX_FMT_…`: `YU12`; spaces at their end are left out.
        case v4l2
        /// `GstVideoFormat`: `I420_10LE`.
        case gstreamer
        /// `VideoFrameBuffer::Type`, `VideoType` and the four characters of libyuv, whose RGB names are those of
        /// little-endian words: its `ARGB` is ``PixelFormat/bgra32``.
        case webrtc
        /// `VIDEO_PIXEL_FORMAT` and `AgoraVideoFormat`: `VIDEO_PIXEL_I420`, also without what all of them begin with.
        case agora
        /// `ZegoVideoFrameFormat`: `ZegoVideoFrameFormatI420`, also without what all of them begin with.
        case zego
    }

    /// What a vocabulary calls this format: the shortest name first, none where it has no such format.
    ///
    /// Some are names for more than the layout, such as FFmpeg's `yuvj420p` for full range; only the layout is meant
    /// here.
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

    /// The format of that name, ours or one of a ``Vocabulary``; `nil` when nobody has it.
    ///
    /// Upper and lower case are the same. A bare name is looked for among our own first, then in the order of
    /// ``Vocabulary``; a vocabulary before it, as in `webrtc:ARGB`, asks that one alone.
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
            // FFmpeg leaves out the byte order that the machine has, and so do its users.
            return known == name || vocabulary == .ffmpeg && known.hasSuffix("le") && known.dropLast(2) == name
        }
    }
}
