/// How the planes of frames reach the GPU.
public enum UploadMethod: String, CaseIterable, Hashable, Sendable {
    /// The fastest one, measured when the renderer is made; on software drivers ``direct``, which copy in any case.
    case auto
    /// The driver copies them from the frame's memory.
    case direct
    /// They are copied into memory that the GPU fetches them from, while the CPU goes on.
    case ring
    /// Sources that can do so write their frames into such memory. Other frames are uploaded by the faster of the other
    /// two methods.
    case mapped
}
