import Foundation

/// A program that draws the same workloads.
enum Peer: String, CaseIterable {
    case vitrailCPU = "Vitrail, CPU"
    case vitrailGL = "Vitrail, OpenGL"
    case ffmpeg = "FFmpeg, swscale"
    case gstreamerCPU = "GStreamer, CPU"
    case gstreamerGL = "GStreamer, OpenGL"
    case mpv = "mpv, gpu"
    case sdlCPU = "SDL 2, software"
    case sdlGL = "SDL 2, opengl"

    /// How often pictures are drawn in two runs, whose difference leaves out the start.
    var counts: (few: Int, many: Int) {
        switch self {
        case .ffmpeg, .gstreamerCPU: (48, 432)
        default: (24, 120)
        }
    }

    /// The command that draws a number of pictures; `vitrail bench` leaves out its own start.
    ///
    /// FFmpeg, GStreamer and mpv draw everything anew for each picture, so that W4 is W3 for them.
    func command(_ workload: PeerWorkload, _ count: Int) -> [String] {
        switch self {
        case .vitrailCPU: Self.vitrail(workload, "cpu")
        case .vitrailGL: Self.vitrail(workload, "gpu")
        case .ffmpeg: Self.ffmpeg(workload, count)
        case .gstreamerCPU: Self.gstreamer(workload, count, usesGL: false)
        case .gstreamerGL: Self.gstreamer(workload, count, usesGL: true)
        case .mpv: Self.mpv(workload, count)
        case .sdlCPU: [CommandLine.arguments[0], "sdl", "software", workload.folder.path, workload.name, "\(count)"]
        case .sdlGL: [CommandLine.arguments[0], "sdl", "opengl", workload.folder.path, workload.name, "\(count)"]
        }
    }

    private static func vitrail(_ workload: PeerWorkload, _ renderer: String) -> [String] {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("vitrail")
        return [
            program.path, "bench", workload.name, "--frames-from", workload.folder.path, "--renderer", renderer,
            "--filter", "bilinear", "--repetitions", "3", "--frames", "48", "--json",
        ]
    }

    private static func ffmpeg(_ workload: PeerWorkload, _ count: Int) -> [String] {
        var command = ["ffmpeg", "-v", "error", "-nostats", "-nostdin", "-filter_complex_threads", "2"]
        var (chains, names) = ("", "")
        for stream in 0..<workload.streams {
            command += ["-f", "rawvideo", "-video_size", "\(workload.width)x\(workload.height)"]
            command += ["-pixel_format", workload.format, "-i", workload.file(stream)]
            let cell = "\(workload.cellWidth):\(workload.cellHeight)"
            chains +=
                "[\(stream):v]loop=-1:\(PeerWorkload.frameCount),"
                + "scale=\(cell):in_color_matrix=bt709:flags=bilinear,format=rgba[a\(stream)];"
            names += "[a\(stream)]"
        }
        let graph = workload.streams == 1 ? String(chains.dropLast("[a0];".count)) : chains + stack(workload, names)
        return command + ["-filter_complex", graph, "-frames:v", "\(count)", "-f", "null", "-"]
    }

    private static func mpv(_ workload: PeerWorkload, _ count: Int) -> [String] {
        let chains = (1...workload.streams).map { "[vid\($0)]loop=loop=-1:size=\(PeerWorkload.frameCount)" }
        var graph = chains[0] + "[vo]"
        var files: [String] = []
        if workload.streams > 1 {
            let named = chains.enumerated().map { "\($0.element)[a\($0.offset)];" }.joined()
            graph = named + stack(workload, (0..<workload.streams).map { "[a\($0)]" }.joined()) + "[vo]"
            files = [
                "--external-files=" + (1..<workload.streams).map { workload.file($0, "nut") }.joined(separator: ":")
            ]
        }
        return [
            "mpv", "--no-config", "--no-audio", "--untimed", "--framedrop=no", "--no-osc", "--osd-level=0",
            "--really-quiet", "--hwdec=no", "--vo=gpu", "--gpu-context=x11egl", "--gpu-sw=yes",
            "--opengl-swapinterval=0", "--no-border", "--geometry=\(workload.outputWidth)x\(workload.outputHeight)+0+0",
        ] + files + ["--lavfi-complex=\(graph)", "--frames=\(count)", workload.file(0, "nut")]
    }

    /// FFmpeg's filter that joins pictures in a grid.
    private static func stack(_ workload: PeerWorkload, _ names: String) -> String {
        func sum(_ count: Int, _ side: String) -> String {
            count == 0 ? "0" : Array(repeating: "\(side)0", count: count).joined(separator: "+")
        }
        let places = (0..<workload.streams).map {
            sum($0 % workload.columns, "w") + "_" + sum($0 / workload.columns, "h")
        }
        return "\(names)xstack=inputs=\(workload.streams):layout=\(places.joined(separator: "|"))"
    }

    private static func gstreamer(_ workload: PeerWorkload, _ count: Int, usesGL: Bool) -> [String] {
        func source(_ stream: Int) -> [String] {
            [
                "filesrc", "location=\(workload.file(stream))", "blocksize=\(workload.frameBytes)", "num-buffers=1",
                "!",
                "rawvideoparse", "width=\(workload.width)", "height=\(workload.height)", "colorimetry=bt709",
                "format=\(workload.isNV12 ? "nv12" : "i420")", "framerate=30/1", "!",
                "imagefreeze", "num-buffers=\(count)", "!",
            ] + (usesGL ? ["glupload", "!"] : [])
        }
        let memory = usesGL ? "video/x-raw(memory:GLMemory)" : "video/x-raw"
        let size = "width=\(workload.outputWidth),height=\(workload.outputHeight)"
        let end = ["\(memory),format=RGBA,\(size)", "!", "fakesink", "sync=false"]
        if workload.streams == 1 {
            let draw = usesGL ? ["glcolorconvert", "!", "glcolorscale"] : ["videoconvertscale", "n-threads=2"]
            return ["gst-launch-1.0", "-q"] + source(0) + draw + ["!"] + end
        }
        var command = ["gst-launch-1.0", "-q", usesGL ? "glvideomixer" : "compositor", "name=c", "background=black"]
        for stream in 0..<workload.streams {
            let (column, row) = (stream % workload.columns, stream / workload.columns)
            command += [
                "sink_\(stream)::xpos=\(column * workload.cellWidth)",
                "sink_\(stream)::ypos=\(row * workload.cellHeight)",
                "sink_\(stream)::width=\(workload.cellWidth)", "sink_\(stream)::height=\(workload.cellHeight)",
            ]
        }
        return command + ["!"] + end + (0..<workload.streams).flatMap { source($0) + ["c."] }
    }
}
