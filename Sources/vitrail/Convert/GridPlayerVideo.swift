import MediaIO
import VideoWall

/// A video of a playlist of GridPlayer.
struct GridPlayerVideo {
    /// Its path or URL.
    let address: String
    /// What it says of itself.
    var properties = JSONValue.null
    /// What holds for all that say nothing.
    var defaults = JSONValue.null

    /// Its input; `nil`, with a note, if Vitrail cannot open it.
    func input(_ wall: inout WallConversion) -> WallInput? {
        guard var input = wall.input(at: address) else { return nil }
        input.name = WallConversion.name(properties["title"].text)
        setContent(of: &input, &wall)
        setOrientation(of: &input, &wall)
        setZoom(of: &input, &wall)
        setRepetition(of: &input, &wall)
        noteLosses(&wall)
        return input
    }

    private func value(_ keys: String...) -> JSONValue {
        let own = properties[keys]
        return own == .null ? defaults[keys] : own
    }

    private func setContent(of input: inout WallInput, _ wall: inout WallConversion) {
        let aspect = value("aspect_mode", "aspect")
        // What GridPlayer calls fit cuts the picture, and none shows all of it.
        let modes: [String: ContentMode] = ["fit": .fill, "none": .fit, "stretch": .stretch]
        if let mode = aspect.text.flatMap({ modes[$0] }) {
            input.settings[.content] = mode.rawValue
        } else if aspect != .null {
            wall.notes.add(.values, "aspect_mode")
        }
    }

    private func setOrientation(of input: inout WallInput, _ wall: inout WallConversion) {
        let transform = value("transform")
        let orientations: [String: (VideoRotation, VideoMirror)] = [
            "none": (.upright, .unmirrored), "rotate_90": (.clockwise90, .unmirrored),
            "rotate_180": (.clockwise180, .unmirrored), "rotate_270": (.clockwise270, .unmirrored),
            "hflip": (.upright, .horizontal), "vflip": (.upright, .vertical),
            "transpose": (.clockwise90, .horizontal), "antitranspose": (.clockwise90, .vertical),
        ]
        guard let (rotation, mirror) = transform.text.flatMap({ orientations[$0.lowercased()] }) else {
            if transform != .null { wall.notes.add(.values, "transform") }
            return
        }
        if rotation != .upright { input.settings[.rotate] = "\(rotation.rawValue)" }
        if mirror != .unmirrored { input.settings[.mirror] = mirror.rawValue }
    }

    private func setZoom(of input: inout WallInput, _ wall: inout WallConversion) {
        let scale = value("scale")
        guard scale != .null else { return }
        if let scale = scale.number, TileZoom.scales.contains(scale) {
            if scale > 1 { input.zoom = TileZoom(scale: scale, x: 0.5, y: 0.5) }
        } else {
            wall.notes.add(.values, "scale")
        }
    }

    private func setRepetition(of input: inout WallInput, _ wall: inout WallConversion) {
        let mode = value("repeat_mode", "end_action")
        switch mode.text {
        // A live stream has no end.
        case "single_file", "loop_file":
            if InputSpecification.scheme(of: input.address) == nil { _ = WallConversion.set(.loop, "yes", of: &input) }
        case let other? where other.contains("dir"): wall.notes.add(.folder)
        case let other? where !["none", "stop", "pause", "close"].contains(other):
            wall.notes.add(.values, "repeat_mode")
        case nil where mode != .null: wall.notes.add(.values, "repeat_mode")
        default: break
        }
    }

    private func noteLosses(_ wall: inout WallConversion) {
        let isMuted = value("is_muted").flag
        if isMuted == false || (isMuted == nil && value("volume").number ?? 0 > 0) { wall.notes.add(.volume) }
        if let rate = value("rate").number, rate != 1 { wall.notes.add(.rate) }
        if value("crop").list?.contains(where: { $0.number ?? 0 != 0 }) == true { wall.notes.add(.crop) }
        if ["loop_start", "loop_end"].contains(where: { value($0).number ?? 0 > 0 }) { wall.notes.add(.section) }
        if let quality = value("stream_quality").text, !["best", "auto"].contains(quality) { wall.notes.add(.quality) }
        if value("color").text != nil { wall.notes.add(.color) }
    }
}
