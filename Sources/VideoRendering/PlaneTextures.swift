import GL
import MediaIO

/// The planes of a tile's newest frame, as textures.
///
/// They are made again only when the format or the size changes.
struct PlaneTextures: ~Copyable {
    private let planes: InlineArray<4, Texture?>
    let format: PixelFormat
    let size: VideoSize

    /// Allocates textures for frames of one format and size.
    init(_ context: GLContext, format: PixelFormat, size: VideoSize) throws(GLError) {
        let descriptions = format.planes
        planes = try InlineArray { (index) throws(GLError) -> Texture? in
            guard descriptions.indices.contains(index) else { return nil }
            let plane = descriptions[index]
            return try Texture(
                context, plane.components == 2 ? .rg8 : .r8, width: plane.width(size), height: plane.height(size))
        }
        self.format = format
        self.size = size
    }

    /// Copies a buffer of this format and size.
    func upload(_ buffer: PixelBuffer) {
        for index in 0..<buffer.planeCount {
            buffer.withPlane(index) { planes[index]?.upload($0.bytes, bytesPerRow: $0.bytesPerRow) }
        }
    }

    /// Binds the planes to the units of the same number.
    func bind(luma: borrowing Sampler, chroma: borrowing Sampler) {
        planes[0]?.bind(unit: 0, luma)
        for index in 1..<planes.count { planes[index]?.bind(unit: index, chroma) }
    }
}
