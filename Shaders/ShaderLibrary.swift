/// The text of the GLSL files in this folder, by name.
///
/// They are part of the program, so there is no file to lose.
public enum ShaderLibrary {
    /// Makes the corners of a rectangle and where its picture is read.
    public static let pictureVertex = File("picture.vert.glsl", PackageResources.picture_vert_glsl)
    /// Converts YCbCr samples to R'G'B'.
    public static let videoFragment = File("video.frag.glsl", PackageResources.video_frag_glsl)
    /// Reads the planes of I420.
    public static let planesI420 = File("planes.i420.glsl", PackageResources.planes_i420_glsl)
    /// Reads the planes of NV12.
    public static let planesNV12 = File("planes.nv12.glsl", PackageResources.planes_nv12_glsl)
    /// Lays text over a picture.
    public static let textFragment = File("text.frag.glsl", PackageResources.text_frag_glsl)
    /// Makes the corners of the whole target.
    public static let coverVertex = File("cover.vert.glsl", PackageResources.cover_vert_glsl)
    /// Converts R'G'B' to one plane of YCbCr.
    public static let encodeFragment = File("encode.frag.glsl", PackageResources.encode_frag_glsl)

    /// A file: its name, for error messages, and its text.
    public struct File: Sendable {
        /// The file's name.
        public let name: String
        /// GLSL without a `#version` line.
        public let text: String

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.text = String(decoding: bytes, as: UTF8.self)
        }
    }
}
