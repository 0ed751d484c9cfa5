import MediaIO
import VitrailGL

/// Uploads planes by one method.
final class FrameUploader {
    /// The method, never ``UploadMethod/auto``.
    let method: UploadMethod
    /// Why; without a full stop.
    let reason: String
    /// For ``UploadMethod/ring``.
    private let ring: UploadRing?

    /// Makes an uploader.
    ///
    /// - Parameters:
    ///   - context: the context, current.
    ///   - choice: the method; ``UploadMethod/auto`` measures.
    /// - Returns: the uploader.
    /// - Throws: ``GLError`` if the measurement fails.
    static func make(_ context: GLContext, _ choice: UploadMethod) throws(GLError) -> FrameUploader {
        guard choice == .auto else { return FrameUploader(context, method: choice, reason: "it was asked for") }
        guard !context.information.isSoftware else {
            return FrameUploader(context, method: .direct, reason: "the driver copies in any case")
        }
        let times = try UploadTrial.run(context)
        let best = times.min { $0.time < $1.time }?.method ?? .direct
        let words = times.map { "\($0.method) \(($0.time / .microseconds(1)).rounded() / 1000) ms" }
        return FrameUploader(
            context, method: best, reason: "a frame of \(UploadTrial.size) takes \(words.joined(separator: ", "))")
    }

    /// Creates an uploader without measuring.
    init(_ context: GLContext, method: UploadMethod, reason: String) {
        (self.method, self.reason) = (method, reason)
        ring = method == .ring ? UploadRing(context) : nil
    }

    /// Uploads a plane into a texture.
    func upload(_ plane: PixelBuffer.Plane, to texture: borrowing Texture) {
        if let ring, ring.upload(plane, to: texture) { return }
        texture.upload(plane.bytes, bytesPerRow: plane.bytesPerRow)
    }

    /// Ends the uploads of a picture.
    func endPicture() { ring?.endPicture() }
}
