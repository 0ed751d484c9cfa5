import CVitrailFFmpeg
import MediaIO

extension HDRMetadata {
    /// Reads the brightness metadata of a frame, or else of its stream; `nil` if neither has any.
    ///
    /// Impossible values are read, too: ``ToneCurve`` does not use them.
    init?(_ frame: UnsafePointer<AVFrame>, orElse stream: UnsafePointer<AVStream>) {
        self.init()
        if let display = Self.find(
            AVMasteringDisplayMetadata.self, frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, stream,
            AV_PKT_DATA_MASTERING_DISPLAY_METADATA), display.has_luminance != 0
        {
            minimumLuminance = Self.number(display.min_luminance)
            maximumLuminance = Self.number(display.max_luminance)
        }
        if let light = Self.find(
            AVContentLightMetadata.self, frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, stream,
            AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
        {
            maximumContentLight = Double(light.MaxCLL)
            maximumFrameAverageLight = Double(light.MaxFALL)
        }
        if self == HDRMetadata() { return nil }
    }

    private static func find<Value: BitwiseCopyable>(
        _ type: Value.Type, _ frame: UnsafePointer<AVFrame>, _ kind: AVFrameSideDataType,
        _ stream: UnsafePointer<AVStream>, _ streamKind: AVPacketSideDataType
    ) -> Value? {
        if let own = av_frame_get_side_data(frame, kind), own.pointee.size >= MemoryLayout<Value>.size {
            return UnsafeRawPointer(own.pointee.data).loadUnaligned(as: type)
        }
        var size = 0
        let data = vitrail_stream_side_data(stream, streamKind, &size)
        guard let data, size >= MemoryLayout<Value>.size else { return nil }
        return UnsafeRawPointer(data).loadUnaligned(as: type)
    }

    private static func number(_ fraction: AVRational) -> Double {
        fraction.den == 0 ? 0 : Double(fraction.num) / Double(fraction.den)
    }
}
