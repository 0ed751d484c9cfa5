import ArgumentParser
import FFmpegMedia
import Glibc
import VideoWall

/// The program: reads the command line, runs one command, says how it went.
@main
struct Vitrail: ParsableCommand {
    /// Also in CHANGELOG.md.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "vitrail",
        abstract: "Shows many video streams in one window.",
        discussion: """
            vitrail                          a demo wall of four test patterns
            vitrail a.mp4 b.mkv c.y4m        three files, side by side
            vitrail 'a.yuv?size=1280x720'    raw planes: quote the ? and the &
            vitrail render a.mp4 -o a.png    a picture of it, without a window
            vitrail probe a.mp4              what it says of its colours
            vitrail certify                  how exactly this driver draws them

            An INPUT is one of
              PATH           .y4m; .yuv .raw .nv12 .p010 and so on (raw planes,
                             with ?size=); anything else through FFmpeg
              URL            https:// rtsp:// and so on, through FFmpeg
              -              Y4M on standard input; with options: -- '-?label=x'
              test:PATTERN   bars, gradient, zoneplate, clock
            with options after a question mark, NAME?OPTION=VALUE&OPTION=VALUE
              format size fps stride   what raw planes or a test pattern are
              matrix range primaries transfer chroma rotate mirror
                                       instead of what the stream says
              crop sar                 the part that is shown, WxH+X+Y; the shape
                                       of a pixel, N:D
              content filter label     how it is shown: fit, fill or stretch; how
                                       it is scaled; a text on it
              loop                     again from the beginning
            vitrail formats lists their values; a format may also be named as in
            FFmpeg, V4L2, GStreamer, WebRTC, Agora and ZEGO. A path that exists is
            taken as it is, also with a ? in it. %20 in a value is a space. A URL
            keeps those of its parameters that are no option here.

            Exit status
              0   done                        66  an input cannot be opened
              1   failed while running        69  no display or no OpenGL
              64  wrong usage                 73  the output cannot be written
            """,
        version: "vitrail \(version)",
        subcommands: [
            ViewCommand.self, RenderCommand.self, InfoCommand.self, FormatsCommand.self, ProbeCommand.self,
            CertifyCommand.self,
        ],
        defaultSubcommand: ViewCommand.self)

    static func main() {
        // Whoever reads our output may go away; that is an error number, not our end.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that grows beyond what the user may write.
        signal(SIGXFSZ, SIG_IGN)
        // Mesa would tell in several lines of its own what we tell in one.
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

    /// Says in one line what is wrong, or prints the help that was asked for.
    ///
    /// - Returns: the exit status.
    private static func report(_ error: any Error) -> Int32 {
        if let error = error as? ProgramError ?? (error as? RenderingError).map(ProgramError.init) {
            if error.status != .done { LineLogHandler.write(error.description) }
            return error.status.rawValue
        }
        // Everything is said already.
        if let code = error as? ExitCode { return code.rawValue }
        guard exitCode(for: error) != .success else {
            print(fullMessage(for: error))
            return 0
        }
        // The parser knows which command it was; its message may have several lines.
        let words = withoutSecrets(message(for: error)).split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
        let sentence = words.last.map { ".!?".contains($0) } ?? true ? words : words + "."
        let commands = configuration.subcommands.map { $0.configuration.commandName ?? "" }
        let command = CommandLine.arguments.dropFirst().first.flatMap { commands.contains($0) ? " \($0)" : nil } ?? ""
        LineLogHandler.write("\(sentence) See vitrail\(command) --help.")
        return ProgramError.Status.usage.rawValue
    }

    /// The parser quotes what was typed: an argument, or the value of `--option=VALUE`.
    private static func withoutSecrets(_ message: String) -> String {
        CommandLine.arguments.dropFirst().reduce(message) { message, argument in
            let value = argument.hasPrefix("-") ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
            return value.isEmpty
                ? message : message.replacing(value, with: MediaLocation.hidingSecrets(in: String(value)))
        }
    }
}
