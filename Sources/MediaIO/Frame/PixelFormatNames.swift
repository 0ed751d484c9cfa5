extension PixelFormat {
    /// A project that has its own names for pixel formats.
    ///
    /// A name without a prefix is looked up in this order, after our own names.
    public enum Vocabulary: String, CaseIterable, Hashable, Sendable {
        /// `AVPixelFormat`: `yuv420p10le`, also without the `le`.
        case ffmpeg
        /// The four characters of Linux's `V4L2_PIX_FMT_…`: `YU12`; trailing spaces, as in `Y10 `, may be omitted.
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
    /// Some names imply more than the layout: ``colorTags(impliedBy:)``.
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
        var vocabularies = Vocabulary.allCases
        var wanted = name
        if let colon = name.firstIndex(of: ":") {
            vocabularies = vocabularies.filter { $0.rawValue == name[..<colon] }
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

    /// The colours that a name implies beyond the layout: those of JPEG for FFmpeg's `yuvj…`, BT.709 for `HDYC`.
    ///
    /// JPEG's are full range and chroma at the centre.
    ///
    /// - Parameter name: as for ``init(named:)``.
    /// - Returns: the implied tags; none for other names, known or not.
    public static func colorTags(impliedBy name: String) -> ColorTags {
        guard let format = Self(named: name) else { return ColorTags() }
        let bare = name.lowercased().split(separator: ":").last ?? ""
        if bare.hasPrefix("yuvj") { return ColorTags(range: .full, chromaLocation: .center) }
        return format == .uyvy && bare == "hdyc" ? ColorTags(matrix: .bt709, primaries: .bt709) : ColorTags()
    }

    /// Whether `name`, in lower case, is one of the names.
    private func isCalled(_ name: String, in vocabulary: Vocabulary) -> Bool {
        var name = name[...]
        // Names of four characters are padded with spaces.
        if vocabulary == .v4l2 || vocabulary == .webrtc, name.utf8.count == 4 {
            while name.last == " " { name.removeLast() }
        }
        return names(in: vocabulary).contains {
            let known = $0.lowercased()
            // FFmpeg accepts names without the machine's byte order.
            return known == name || vocabulary == .ffmpeg && known.hasSuffix("le") && known.dropLast(2) == name
        }
    }
}
