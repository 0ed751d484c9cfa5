import CVitrailFFmpeg
import MediaIO

extension HDRMetadata {
    /// Reads the brightness metadata of a frame, each kind that it lacks from its container's; `nil` if neither has any.
    ///
    /// Impossible values are read, too: ``ToneCurve`` does not use them.
    init?(_ frame: UnsafePointer<AVFrame>, orElse container: HDRMetadata?) {
        self.init(
            Self.find(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
            Self.find(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL), orElse: container)
    }

    /// Reads the brightness metadata that a stream's container states; `nil` if there is none.
    init?(_ stream: UnsafePointer<AVStream>) {
        self.init(
            Self.find(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
            Self.find(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL), orElse: nil)
    }

    private init?(
        _ display: AVMasteringDisplayMetadata?, _ light: AVContentLightMetadata?, orElse container: HDRMetadata?
    ) {
        self = container ?? HDRMetadata()
        if let display {
            let isKnown = display.has_luminance != 0
            minimumLuminance = isKnown ? Self.number(display.min_luminance) : 0
            maximumLuminance = isKnown ? Self.number(display.max_luminance) : 0
        }
        if let light {
            maximumContentLight = Double(light.MaxCLL)
            maximumFrameAverageLight = Double(light.MaxFALL)
        }
        if self == HDRMetadata() { return nil }
    }

    private static func find<Value: BitwiseCopyable>(
        _ frame: UnsafePointer<AVFrame>, _ kind: AVFrameSideDataType
    ) -> Value? {
        guard let own = av_frame_get_side_data(frame, kind), own.pointee.size >= MemoryLayout<Value>.size else {
            return nil
        }
        return UnsafeRawPointer(own.pointee.data).loadUnaligned(as: Value.self)
    }

    private static func find<Value: BitwiseCopyable>(
        _ stream: UnsafePointer<AVStream>, _ kind: AVPacketSideDataType
    ) -> Value? {
        var size = 0
        let data = vitrail_stream_side_data(stream, kind, &size)
        guard let data, size >= MemoryLayout<Value>.size else { return nil }
        return UnsafeRawPointer(data).loadUnaligned(as: Value.self)
    }

    private static func number(_ fraction: AVRational) -> Double {
        fraction.den == 0 ? 0 : Double(fraction.num) / Double(fraction.den)
    }
}
