import ArgumentParser
import FFmpegMedia
import Glibc

/// `vitrail wall`: wall files.
struct WallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wall", abstract: "Make wall files from the lists of other programs.",
        discussion: """
            vitrail wall convert cameras.m3u --output office.toml
            vitrail wall convert --help      what can be converted, and how
            """,
        subcommands: [WallConvertCommand.self])
}

/// `vitrail wall convert`: a wall file from the file of another program.
struct WallConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Make a wall file from a list of another program.",
        discussion: """
            vitrail wall convert cameras.m3u                   print a wall file
            vitrail wall convert cameras.m3u -o office.toml    save it
            vitrail wall convert ~/.config/'CCTV Viewer/CCTV Viewer.conf' --wall 2
            vitrail wall convert evening.gpls -o evening.toml

            A FILE is one of
              .m3u .m3u8    a list of addresses, with names in #EXTINF
              .conf         the configuration of cctv-viewer, T171RU or KVision
              .json         presets that cctv-viewer has exported
              .gpls         a playlist of GridPlayer
            Its content says which. Addresses, names, places, how pictures fill
            their tiles, smaller streams, rotation and zoom are kept. What cannot
            be kept is listed on standard error, a line for each kind.

            Passwords in addresses are written to the wall file, so nobody else may
            read one that is saved. It is better to take them out of the addresses
            and to name their place:  secret = "env:NAME"  or  "file:PATH"

            The exit status is 66 if the file cannot be converted, and 73 if the
            wall file cannot be written.
            """)

    @Argument(help: ArgumentHelp("File to convert.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Wall file to write; without it, standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Which wall, if the file has several, from 1; without it, the one that was shown last.",
            valueName: "number"))
    var wall: Int?

    func validate() throws {
        guard wall ?? 1 >= 1 else { throw ValidationError("--wall counts from 1.") }
    }

    func run() throws {
        let foreign = try ForeignWall(path: file, wall: wall)
        for note in foreign.notes { LineLogHandler.write(note) }
        guard !foreign.document.inputs.isEmpty else {
            throw ProgramError(
                .cannotOpen,
                "\(MediaLocation.hidingSecrets(in: file)): no tile is left, so there is no wall to write.")
        }
        let text = foreign.document.toml
        guard let output, output != "-" else {
            try StandardOutput.write(file: text)
            if foreign.hasPassword {
                LineLogHandler.write("The wall file contains passwords: let nobody else read it. \(Self.advice)")
            }
            return
        }
        try write(text, to: output, isPrivate: foreign.hasPassword)
        if foreign.hasPassword {
            LineLogHandler.write(
                "\(MediaLocation.hidingSecrets(in: output)) contains passwords: only you may read it (mode 600). \(Self.advice)"
            )
        }
    }

    private static let advice = "It is better to take them out of the addresses and write secret = \"env:NAME\"."

    private func write(_ text: String, to output: String, isPrivate: Bool) throws(ProgramError) {
        if FilePath.isSame(file, output) {
            throw ProgramError(.usage, "The output is the file to convert itself: name another one.")
        }
        let written = try OutputFile(output, try TemporaryFiles.removedOnSignals())
        // Before anything is in it. A device or a pipe keeps its own permissions.
        var target = stat()
        if isPrivate, fstat(written.descriptor, &target) == 0, target.st_mode & S_IFMT == S_IFREG,
            fchmod(written.descriptor, 0o600) != 0
        {
            throw OutputFile.failure(output, errno)
        }
        try written.write(Array(text.utf8))
        try written.commit()
    }
}
