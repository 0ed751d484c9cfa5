import ArgumentParser
import FFmpegMedia
import GLRendering
import MediaIO
import VideoWall
import WallRendering

/// `vitrail render`: the wall without a window.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Render the wall to files, without a window.",
        discussion: """
            vitrail render a.mp4 -o a.png --start 12.5   the picture at 12.5 s
            vitrail render a.mp4 b.mp4 -o wall.mp4       both, side by side
            vitrail render test:clock --frames 90 -o clock-%04d.png
            vitrail render a.mp4 b.mp4 -o wall.mp4 --crf 18

            Time comes from the frames, never from the clock: the same inputs give
            the same bytes. Picture k shows each input at --start + k/fps.
            A file appears only when it is complete, and not at all after an error.
            Pictures of a series are numbered from 0.

            If one of several inputs cannot be opened or fails later, its tile and
            standard error say so; the wall is rendered, and the exit status is 1.
            If none can be opened, the status is 66, and nothing is written.
            A damaged input is reported, and the rest of it rendered.
            When the reader of standard output exits, vitrail exits with 0.
            """)

    @OptionGroup var wall: WallOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file: .png, -%04d.png (a series), .mp4, .mov, .mkv, .webm, .ts or .y4m; or - for Y4M on standard output.",
            valueName: "file"),
        completion: .file())
    var output: String

    @Option(help: ArgumentHelp("Picture size; by default that of a single input, else 1920x1080.", valueName: "WxH"))
    var size: VideoSize?

    @OptionGroup var part: PartOptions

    @OptionGroup var encoding: EncodingOptions

    @OptionGroup var drawing: RendererOptions

    @OptionGroup var decoding: DecodingOptions

    @OptionGroup var times: RenderTimes

    func run() throws {
        let files = try TemporaryFiles.removedOnSignals()
        try ResourceCheck.run()
        let document = try wall.wall().document
        let (specifications, style) = (try document.specifications(), try PictureStyle(document.look))
        let inputs = zip(specifications, document.inputs).map { specification, input in
            let tile = style.makeTile(specification, FrameMailbox())
            tile.zoom = input.zoom
            return RenderInput(on: [tile])
        }
        let picture = style.makeWall(document.wallLayout)
        picture.part = part.wallPart
        picture.focus = document.focus.flatMap(document.index).flatMap { inputs[$0].tiles.first?.id }
        try RenderJob(
            specifications: specifications, substreams: try document.substreams(), inputs: inputs, wall: picture,
            output: output, size: size, encoding: encoding, drawing: drawing, decoding: decoding.shared(wall.inputs),
            files: files, times: times, logger: wall.logger
        ).run()
    }
}
