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

    @Flag(
        help: """
            Run the GStreamer pipelines (gst:) of wall files, lists and lines of control, too. One can do whatever you can; \
            without this, only those that are typed as inputs or outputs are run.
            """)
    var pipelines = false

    /// What the decoders of all inputs have in common, as far as options say.
    ///
    /// - Parameter arguments: the inputs on the command line.
    /// - Returns: without slots.
    func shared(_ arguments: [String]) -> SharedDecoding {
        SharedDecoding(
            sandbox: sandbox, pipelines: PipelinePermission(all: pipelines, arguments: arguments))
    }
}
