import ArgumentParser
import MediaIO
import VideoWall

/// `vitrail view`: the wall in a window.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Show the wall in a window (the default command).",
        discussion: """
            vitrail a.mp4 b.mkv 'c.y4m?loop'     three files, the last one looped
            vitrail a.mp4 'b.mp4?rotate=90&label=Back%20door'
            ffmpeg … -f yuv4mpegpipe - | vitrail -

            \(keys)
              double click        only that tile; again: all
            Files dropped on the window are added to the wall; the tile of one that
            cannot be shown says why, and goes away by itself.

            With --control, each line of standard input is a JSON object. With “do”,
            it is an action, on a tile where “tile” names one:
              {"do": "layout spotlight"}   {"do": "rotate 90", "tile": 2}
              {"do": "add rtsp://door/1"}  {"do": "undo"}
            The others change effects:
              {"set": {"blur.radius": 8}, "tile": 2}      without tile: everywhere
              {"effects": "blur,grayscale", "tile": 1}    or "wall": true
              {"on": false}  {"preset": "a.json"}  {"save": "a.json"}
            A line may have up to 65,536 bytes; a longer one is left out. The actions:
            \(verbs)

            With --also, or {"do": "also OUTPUT"}, the wall is a stream, too,
            whatever the window does:
              vitrail a.mp4 b.mp4 --also wall.mp4
              vitrail rtsp://door/1 --also 'rtsp://server:8554/wall?bitrate=4M'
            The output is a file (.mp4, .mov, .mkv, .webm, .ts), an HLS playlist
            (.m3u8), rtsp:// and rtmp:// to a media server, srt://, tcp:// and
            udp:// with MPEG-TS, rtp:// with a session description, /dev/video9
            (a loopback camera), pipewire:NAME (a camera of the desktop), or gst:
            and a pipeline of GStreamer. Options follow a ?, or a # if the receiver
            has parameters of its own:
            \(outputOptions)
            A receiver that is lost is tried again, as inputs are. The last picture
            is repeated while the wall does not change. --no-window is for servers:
              vitrail office --no-window --also rtsp://server:8554/wall

            Live streams are recorded as they come with --record, ?record or the key
            R:
              vitrail 'rtsp://door/1#record' --record-to films --record-part 10min

            A saved effect file is read again at once.

            If an input cannot be opened, its tile says why; the others continue.
            A live network stream that is lost, HLS and DASH without an end
            included, and any that is not available yet, is retried after 1, 2,
            4, 8, then every 10 seconds; a live one resumes at the present moment
            after a pause.
            A camera that is unplugged, in use or not permitted is shown as soon
            as it is there, under any number.
            A live stream without a new picture is late after half a second,
            stalled after one; after three its last picture is dimmed and says how
            old it is, after five it is connected again. It is frozen if it sends
            the same picture for much longer than it usually does. The next
            picture ends any of these.
            A wall without inputs shows how to add some, and what was last opened,
            which is in vitrail/recent under $XDG_STATE_HOME or ~/.local/state,
            without addresses that have a user or a password in them.

            If none of the named files exists, no window opens. The exit status is
            66 if no input could be opened, and 1 if one could not or failed later,
            or an output is not complete.
            A live stream that was shown and lost does not count, nor do files
            dropped on the window and tiles that were removed.
            """)

    private static let keys = ActionHelp.keys(width: 76).joined(separator: "\n")
    private static let outputOptions = LiveOutputSpecification.Option.allCases
        .map { "  " + $0.rawValue + String(repeating: " ", count: 12 - $0.rawValue.count) + $0.values }.joined(
            separator: "\n")
    private static let verbs = ActionHelp.verbs(indent: "  ", width: 76).joined(separator: "\n")

    @OptionGroup var wall: WallOptions

    @Option(help: ArgumentHelp("Window size; by default 1280x720.", valueName: "WxH"))
    var size = VideoSize(width: 1280, height: 720)

    @OptionGroup var window: WindowChoices

    @OptionGroup var part: PartOptions

    @OptionGroup var recording: RecordingOptions
    @OptionGroup var history: HistoryOptions

    @Option(
        help: ArgumentHelp(
            "Also send or write the wall, for as long as it is shown; may be repeated: see above.", valueName: "output"),
        completion: .file(),
        transform: { text in
            do throws(ProgramError) {
                return try LiveOutputSpecification(text)
            } catch {
                throw ValidationError(error.description)
            }
        })
    var also: [LiveOutputSpecification] = []

    @Flag(
        help: "Open no window, for servers: the wall is only sent or written (--also). --size is that of snapshots.")
    var noWindow = false

    @Flag(help: "Read JSON lines from standard input that change the wall.")
    var control = false

    @Flag(help: "Show no names and states over tiles; by default they are shown.")
    var noNames = false

    @Flag(help: "Tiles jump to their new places instead of moving there.")
    var noAnimation = false

    @Option(help: ArgumentHelp("Show one page, or one tile, after the other, each so long.", valueName: "seconds"))
    var tour: Double?

    @Option(
        help: ArgumentHelp(
            """
            Add a line of JSON to a file each second: pictures and the time between them, the state and the counts of \
            each tile, memory, threads, descriptors; - for standard output.
            """, valueName: "file"), completion: .file())
    var statisticsTo: String?

    func validate() throws {
        try checkWindow()
        if let tour, !PageSettings.tourTimes.contains(tour) {
            throw ValidationError("The value of --tour must be a number of seconds from 1 to 86400, not \(tour).")
        }
    }

    private func checkWindow() throws {
        guard noWindow else { return }
        if also.isEmpty, !control {
            throw ValidationError("Without a window, nothing would be seen: add --also OUTPUT, or --control.")
        }
        let given = [
            ("fullscreen", window.fullscreen), ("monitor", window.monitor != nil), ("title", window.title != nil),
            ("statistics", window.statistics),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw ValidationError("--\(name) is for a window: omit it, or --no-window.")
        }
    }

    func run() throws {
        let files = try TemporaryFiles.removedOnSignals()
        try ResourceCheck.run()
        let wall = try wall.wall()
        let apply = { [self] (document: inout WallDocument) throws(ProgramError) in
            try wall.commandLine(&document)
            applyOwn(to: &document)
        }
        var document = wall.document
        applyOwn(to: &document)
        let followsClock = part.part != nil
        try window.show(
            document, wall.inputs, size: size, isHeadless: noWindow, followsClock: followsClock, files, self.wall.logger
        ) { viewer in
            if let preset = self.wall.effects.preset { viewer.presetPath = preset }
            viewer.origin = WallOrigin(readFrom: wall.file, as: document, apply)
            viewer.wall.part = part.wallPart
            viewer.hasFixedTitle = window.title != nil
            viewer.noteOpened(wall.opened)
            viewer.welcome.isDue = self.wall.isDemo
            viewer.statisticsFile = try statisticsTo.map { path throws(ProgramError) in
                try StatisticsFile(path, viewer.logger)
            }
            let inputs = try document.specifications() + document.substreams()
            for output in also {
                for input in inputs { try output.check(isNot: input) }
                try viewer.begin(output)
            }
            if control { try readControl(viewer, document.specifications()) }
        }
    }

    /// Applies the options of this command.
    private func applyOwn(to document: inout WallDocument) {
        if noAnimation { document.look.animation = false }
        if noNames { document.look.names = false }
        document.pages.tour = tour ?? document.pages.tour
        recording.apply(to: &document)
        history.apply(to: &document)
    }

    private func readControl(_ viewer: Viewer, _ specifications: [InputSpecification]) throws(ProgramError) {
        guard !specifications.contains(where: { $0.kind == .standardInput }) else {
            throw ProgramError(.usage, "Standard input cannot be both an input (-) and --control; use one of them.")
        }
        do throws(StreamError) { try viewer.readControl() } catch { throw ProgramError(.failed, error.description) }
    }
}
