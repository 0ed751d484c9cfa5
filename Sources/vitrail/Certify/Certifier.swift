import GLRendering
import MediaIO
import VideoWall
import VitrailGL

/// Draws triples of code values with every matrix and range, and compares them with the reference.
///
/// The shaders are those that draw streams; frames are not scaled, and chroma is that of the nearest sample.
///
/// **Thread:** render thread.
struct Certifier {
    private let lattice: CodeLattice
    private let target: PictureFormat
    private let wall: Wall
    private let tile: WallTile
    private let renderer: any WallRenderer
    private let picture: any OffscreenTarget

    /// Makes a wall of one tile.
    ///
    /// - Parameters:
    ///   - context: a context of the driver to be measured.
    ///   - lattice: the triples to draw; 8-bit formats into 8 bits, 10-bit formats into 10 bits.
    /// - Throws: ``RenderingError``.
    init(_ context: GLContext, _ lattice: CodeLattice) throws(RenderingError) {
        self.lattice = lattice
        target = lattice.format.layout.depth > 8 ? .rgb10a2 : .rgba8
        wall = Wall(layout: GridLayout())
        wall.colorConversion = .off
        tile = wall.addTile(named: lattice.format.rawValue)
        tile.contentMode = .stretch
        tile.filter = .nearest
        renderer = try GLRenderer(context: context)
        picture = try renderer.makeOffscreenTarget(size: CodeLattice.size, format: target)
    }

    /// Draws and compares all triples.
    ///
    /// - Parameters:
    ///   - spaces: the matrices and ranges to draw with.
    ///   - references: the exact colours for each of them.
    ///   - progress: called after each comparison.
    /// - Returns: the differences for each of them.
    /// - Throws: ``RenderingError``, or ``ProgramError`` if a shader program is rejected.
    func run(
        _ spaces: [ColorSpace], _ references: [ReferenceColors], progress: () -> Void
    ) throws -> [ErrorTally] {
        let size = CodeLattice.size
        let pool = PixelBufferPool()
        let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: size.width * size.height)
        defer { pixels.deallocate() }
        var tallies = [ErrorTally](repeating: ErrorTally(), count: spaces.count)
        for index in 0..<lattice.pictureCount {
            tile.mailbox.put(VideoFrame(try lattice.picture(index, pool)))
            for (number, space) in spaces.enumerated() {
                tile.colorOverride = ColorOverride(matrix: space.matrix, range: space.range)
                try renderer.render(wall, into: picture)
                if let failure = tile.report.failure { throw ProgramError(.failed, failure) }
                try picture.readPixels(into: UnsafeMutableRawBufferPointer(pixels), bytesPerRow: size.width * 4)
                tallies[number].add(
                    UnsafeBufferPointer(pixels), bits: target == .rgba8 ? 8 : 10, lattice, picture: index,
                    references[number])
                progress()
            }
        }
        return tallies
    }
}
