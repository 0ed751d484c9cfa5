import MediaIO
import VitrailGL

/// Uploads planes by one method.
final class FrameUploader {
    /// The method, never ``UploadMethod/auto``.
    let method: UploadMethod
    /// Why; without a full stop.
    let reason: String
    /// For ``UploadMethod/mapped``: memory for sources.
    let memory: GLFrameMemory?
    /// For ``UploadMethod/ring``, and for frames in other memory.
    private let ring: UploadRing?
    private let held: HeldFrames

    /// Makes an uploader.
    ///
    /// - Parameters:
    ///   - context: the context, current.
    ///   - choice: the method; ``UploadMethod/auto`` measures.
    /// - Returns: the uploader.
    /// - Throws: ``GLError`` if the measurement fails.
    static func make(_ context: GLContext, _ choice: UploadMethod) throws(GLError) -> FrameUploader {
        if choice == .mapped, !context.information.hasBufferStorage {
            return FrameUploader(context, .ring, reason: "this driver keeps no buffer mapped")
        }
        guard choice == .auto else { return FrameUploader(context, choice, reason: "it was asked for") }
        guard !context.information.isSoftware else {
            return FrameUploader(context, .direct, reason: "the driver copies in any case")
        }
        let times = try UploadTrial.run(context).sorted { $0.time < $1.time }
        let words = times.map { "\($0.method) \(($0.time / .microseconds(1)).rounded() / 1000) ms" }
        return FrameUploader(
            context, times[0].method, otherwise: times.first { $0.method != .mapped }?.method ?? .direct,
            reason: "a frame of \(UploadTrial.size) takes \(words.joined(separator: ", "))")
    }

    /// Creates an uploader without measuring.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - method: the method.
    ///   - other: for ``UploadMethod/mapped``, the method for frames that are in other memory.
    ///   - reason: why.
    init(_ context: GLContext, _ method: UploadMethod, otherwise other: UploadMethod = .ring, reason: String) {
        (self.method, self.reason) = (method, reason)
        memory = method == .mapped ? GLFrameMemory(context) : nil
        ring = (method == .mapped ? other : method) == .ring ? UploadRing(context) : nil
        held = HeldFrames(context)
    }

    /// Uploads a plane of a buffer into a texture.
    func upload(_ plane: PixelBuffer.Plane, of buffer: PixelBuffer, to texture: borrowing Texture) {
        if let memory, buffer.memory === memory, memory.upload(plane, to: texture) { return }
        if ring?.upload(plane, to: texture) != true {
            texture.upload(plane.bytes, bytesPerRow: plane.bytesPerRow)
        }
    }

    /// Ends the uploads of a buffer, which stays as it is until the GPU has read it.
    func end(_ buffer: PixelBuffer) {
        if let memory, buffer.memory === memory { hold(.planes(buffer)) }
    }

    /// Keeps an image until the GPU has done what was submitted so far.
    func hold(_ image: FrameImage) { held.hold(image) }

    /// Ends the uploads of a picture.
    func endPicture() {
        ring?.endPicture()
        held.endPicture()
        memory?.grow()
    }
}
