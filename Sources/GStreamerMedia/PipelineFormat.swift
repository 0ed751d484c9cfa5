import CVitrailGStreamer
import MediaIO

/// What GStreamer says of the pictures of a stream: its caps.
struct PipelineFormat {
    /// The format of the samples.
    let format: PixelFormat
    let size: VideoSize
    /// Pictures per second; `nil` if it varies or is unknown.
    let frameRate: Rational?
    let attributes: FrameAttributes
    /// The layout, for mapping a picture.
    let layout: GstVideoInfo
    /// What it was read from; referenced, so that it is that of no other stream.
    private let caps: OwnedCaps

    /// All that can be read, for an `appsink`.
    static let allCaps: String = {
        let names = PixelFormat.allCases.flatMap { $0.names(in: .gstreamer) }.joined(separator: ", ")
        return ["", "(memory:DMABuf)"].map { "video/x-raw\($0), format=(string){ \(names) }" }.joined(separator: "; ")
    }()

    /// Reads caps.
    ///
    /// - Parameters:
    ///   - caps: those of a picture.
    ///   - name: the pipeline's, for the error.
    /// - Throws: ``StreamError/Code/unsupported`` for anything but raw video of a ``PixelFormat``.
    init(_ caps: UnsafeMutablePointer<GstCaps>, _ name: String) throws(StreamError) {
        var layout = GstVideoInfo()
        guard gst_video_info_from_caps(&layout, caps) != 0, let description = layout.finfo,
            let format = description.pointee.name.flatMap({ PixelFormat(named: "gstreamer:\(String(cString: $0))") }),
            let structure = gst_caps_get_structure(caps, 0)
        else {
            let text = gst_caps_to_string(caps)
            defer { g_free(text) }
            throw StreamError(
                .unsupported,
                "\(name) delivers \(text.map { String(cString: $0) } ?? "something else"), which is no raw video that can be drawn: add a decoder or videoconvert at its end."
            )
        }
        (self.format, self.layout) = (format, layout)
        size = VideoSize(width: Int(layout.width), height: Int(layout.height))
        let hasRate = layout.fps_n > 0 && layout.fps_d > 0
        frameRate = hasRate ? Rational(Int(layout.fps_n), Int(layout.fps_d)) : nil
        // Where the caps say nothing, GStreamer assumes something, as Vitrail does by rules of its own.
        let tags = ColorTags(
            layout, hasColors: gst_structure_has_field(structure, "colorimetry") != 0,
            hasSite: gst_structure_has_field(structure, "chroma-site") != 0)
        let hasRatio = layout.par_n > 0 && layout.par_d > 0
        attributes = FrameAttributes(
            colorTags: tags, pixelAspectRatio: hasRatio ? Rational(Int(layout.par_n), Int(layout.par_d)) : .one,
            hdrMetadata: HDRMetadata(caps))
        self.caps = OwnedCaps(caps)
    }

    /// Whether it was read from these caps.
    func isOf(_ other: UnsafeMutablePointer<GstCaps>) -> Bool { caps.caps == other }
}

/// Caps that exist as long as this.
private final class OwnedCaps {
    let caps: UnsafeMutablePointer<GstCaps>

    init(_ caps: UnsafeMutablePointer<GstCaps>) { self.caps = vitrail_gst_caps_ref(caps) }

    deinit { vitrail_gst_caps_unref(caps) }
}

extension HDRMetadata {
    /// Reads what caps say of brightness; `nil` if they say nothing.
    fileprivate init?(_ caps: UnsafeMutablePointer<GstCaps>) {
        var (mastering, light) = (GstVideoMasteringDisplayInfo(), GstVideoContentLightLevel())
        let hasMastering = gst_video_mastering_display_info_from_caps(&mastering, caps) != 0
        let hasLight = gst_video_content_light_level_from_caps(&light, caps) != 0
        guard hasMastering || hasLight else { return nil }
        self.init()
        if hasMastering {
            // In steps of 0.0001 cd/m².
            maximumLuminance = Double(mastering.max_display_mastering_luminance) / 10_000
            minimumLuminance = Double(mastering.min_display_mastering_luminance) / 10_000
        }
        if hasLight {
            maximumContentLight = Double(light.max_content_light_level)
            maximumFrameAverageLight = Double(light.max_frame_average_light_level)
        }
    }
}
