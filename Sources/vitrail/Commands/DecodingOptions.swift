import ArgumentParser

/// The options of decoding.
struct DecodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Which inputs are decoded by processes of their own: network, all or off. A stream that takes over its decoder \
            has no files and no network there. It costs 0.1 to 0.15 ms for each picture, 60 ms to start.
            """, valueName: "inputs"))
    var sandbox = SharedDecoding.Sandbox.off
}
