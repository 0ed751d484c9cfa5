import ArgumentParser

/// The options of decoding.
struct DecodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Which inputs are decoded by processes of their own, without files, network or other rights, so that a \
            stream that takes over its decoder gains nothing: network, all or off. It costs 0.1 ms for each picture, and \
            60 ms to start.
            """, valueName: "inputs"))
    var sandbox = SharedDecoding.Sandbox.off
}
