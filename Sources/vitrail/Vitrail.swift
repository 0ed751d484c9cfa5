import ArgumentParser
import FFmpegMedia
import Glibc
import VideoWall

/// The program: parses the command line, runs one command, reports its result.
@main
struct Vitrail: ParsableCommand {
    /// Also in CHANGELOG.md and the AppStream data.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "vitrail",
        abstract: "Show many video streams in one window.",
        discussion: """
            vitrail                          a demo wall of four test patterns
            vitrail a.mp4 b.mkv c.y4m        three files, side by side
            vitrail 'a.yuv?size=1280x720'    raw planes: quote the ? and the &
            vitrail render a.mp4 -o a.png    save a picture, without a window
            vitrail probe a.mp4              its colour tags, and the values used
            vitrail certify                  colour accuracy of this driver
            vitrail effects --demo a.mp4     every effect, side by side
            vitrail bench                    how fast this machine draws
            vitrail wall convert a.m3u       a wall file from another program's list

            An INPUT is one of
              PATH           .y4m; .yuv .raw .nv12 .p010 and so on (raw planes,
                             with ?size=); anything else through FFmpeg
              URL            https:// rtsp:// and so on, through FFmpeg; file://
              WALL           a wall file .toml .json, or the name of a saved one
              LIST           a local file .m3u .m3u8: an input for each address
                             in it
              SESSION        .sdp: the RTP streams that it announces
              -              Y4M on standard input; with options: -- '-?label=x'
              camera:NAME    a camera by its name, identity or serial number, or
                             /dev/video0: vitrail devices lists them
              test:PATTERN   bars, gradient, zoneplate, clock
              gst:PIPELINE   a GStreamer pipeline, as for gst-launch-1.0
              pipewire:NAME  what PipeWire has, also in vitrail devices; camera;
                             or screen, which the desktop asks its user for
            with options after a question mark, NAME?OPTION=VALUE&OPTION=VALUE
              format size fps stride   properties of raw planes or a test pattern;
                                       wishes to a camera
              buffering                of a camera: latency or smoothness
              latency                  how long a live stream's pictures are held
                                       (ms), 0 for none
              deinterlace              auto, on or off
              matrix range primaries transfer chroma swapuv rotate mirror
                                       override the stream's own values and
                                       every rule
              crop sar                 part to show, WxH+X+Y; pixel aspect ratio,
                                       N:D
              content filter label     fit, fill or stretch; scaling filter; text
                                       on the tile
              effect                   effects on the picture: vitrail effects
              loop                     play again from the beginning
              tls ca                   of a URL: insecure, for a server without a
                                       valid certificate; a file of certificates
                                       to trust instead of the system's. rtsps://
                                       needs insecure, and ca does not help: FFmpeg
                                       cannot verify its servers
            vitrail formats lists their values, and the names of pixel formats in
            FFmpeg, V4L2, GStreamer, WebRTC, Agora and ZEGO, which work as well.
            An existing path is used literally, even with a ? in it. %20 in a value
            is a space.
            A URL may have parameters of its own: one that is no option here, or has
            no value that the option accepts, stays in the URL. After a # there are
            only options, and before it none: 'rtsp://door/1?mirror=1#rotate=90'

            Exit status
              0   done                        66  an input cannot be opened
              1   failed while running        69  no display or no OpenGL
              64  wrong usage                 73  the output cannot be written
            """,
        version: "vitrail \(version)" + (Commit.name.map { " (\($0))" } ?? ""),
        subcommands: [
            ViewCommand.self, RenderCommand.self, InfoCommand.self, FormatsCommand.self, EffectsCommand.self,
            ProbeCommand.self, CertifyCommand.self, DevicesCommand.self, BenchCommand.self, WallCommand.self,
        ],
        defaultSubcommand: ViewCommand.self)

    static func main() {
        Heap.prepare()
        DecoderSandbox.serveIfAsked()
        SignalHandling.prepare()
        widenHelp()
        // Mesa would print several lines for an error that we report in one.
        setenv("EGL_LOG_LEVEL", "fatal", 0)
        setenv("LIBGL_DEBUG", "quiet", 0)
        do {
            var command = try parseAsRoot()
            try command.run()
            Glibc.exit(0)
        } catch {
            Glibc.exit(report(error))
        }
    }

    /// Has help wrapped at 40 columns where the terminal, or `COLUMNS`, has fewer: with 26, the parser ends the program.
    private static func widenHelp() {
        var terminal = winsize()
        let reported = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &terminal) == 0 ? Int(terminal.ws_col) : 0
        let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? (reported > 0 ? reported : 80)
        if columns < 40 { setenv("COLUMNS", "40", 1) }
    }

    /// Reports an error in one line, or prints the requested help.
    ///
    /// - Returns: the exit status.
    private static func report(_ error: any Error) -> Int32 {
        if let error = error as? ProgramError ?? (error as? RenderingError).map(ProgramError.init) {
            if error.status != .done { LineLogHandler.write(error.description) }
            return error.status.rawValue
        }
        // Everything is already reported.
        if let code = error as? ExitCode { return code.rawValue }
        guard exitCode(for: error) != .success else {
            print(fullMessage(for: error))
            return 0
        }
        // The parser's message may have several lines.
        let words = message(for: error).split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
        let sentence = words.last.map { ".!?".contains($0) } ?? true ? words : words + "."
        let commands = configuration.subcommands.map { $0.configuration.commandName ?? "" }
        let command = CommandLine.arguments.dropFirst().first.flatMap { commands.contains($0) ? " \($0)" : nil } ?? ""
        LineLogHandler.write("\(inputOption(in: words) ?? sentence) See vitrail\(command) --help.")
        return ProgramError.Status.usage.rawValue
    }

    /// Says how an option is written that belongs to an input, if the parser's message is about such a one.
    private static func inputOption(in words: String) -> String? {
        guard let name = words.wholeMatch(of: /Unknown option '--([a-z]+)(=.*)?'.*/)?.1,
            let option = InputOption(rawValue: ["name", "caption"].contains(name) ? "label" : String(name))
        else { return nil }
        return "Unknown option '--\(name)'. An input has it after a question mark: 'INPUT?\(option.rawValue)=…'."
    }
}
