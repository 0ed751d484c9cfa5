import ArgumentParser
import FFmpegMedia
import MediaIO

/// What the decoders of all inputs have in common.
struct SharedDecoding: Sendable {
    /// Which inputs are decoded by processes of their own, which can do nothing else.
    enum Sandbox: String, CaseIterable, ExpressibleByArgument, Sendable {
        case network
        case all
        case off
    }

    /// The slots that they share; `nil` if inputs are read one after the other.
    var slots: DecodingSlots?
    var sandbox = Sandbox.off
    /// Which pipelines of GStreamer are run.
    var pipelines = PipelinePermission.typed([])
    /// Whether inputs show what the machine's clock says, as other machines do with other parts of the wall.
    var followsClock = false
    /// The memory for the newest packets of live streams; `nil` if they are not kept.
    var rings: PacketRings?
    /// What live streams share that show the same instant; `nil` if they do not.
    var alignment: PlayoutAlignment?

    /// Whether an input of this kind is decoded in a sandbox.
    func isSandboxed(_ kind: InputSpecification.Kind) -> Bool {
        switch (sandbox, kind) {
        case (.all, _), (.network, .url), (.network, .session): true
        default: false
        }
    }
}
