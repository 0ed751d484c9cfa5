import Foundation
import HeadlessGL
import MediaIO
import PNGFile
import TestSupport
import Testing
import TextRaster
import VideoWall
import VitrailGL

@testable import GLRendering
@testable import SoftwareRendering

/// A picture that was read back, first row at the top.
struct RGBAImage: Equatable {
    let size: VideoSize
    var bytes: [UInt8]

    /// Red, green and blue of a pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        let start = (y * size.width + x) * 4
        return bytes[start..<start + 3].map(Int.init)
    }

    /// The largest difference of any component, and where it is.
    func largestDifference(from other: RGBAImage) -> (value: Int, x: Int, y: Int) {
        var worst = (value: 0, x: 0, y: 0)
        for index in bytes.indices {
            let difference = abs(Int(bytes[index]) - Int(other.bytes[index]))
            if difference > worst.value {
                worst = (difference, index / 4 % size.width, index / 4 / size.width)
            }
        }
        return worst
    }
}

/// A picture that was read back as floating-point numbers; 1 is white.
///
/// Each element is a pixel: red, green and blue. It is made when it is asked for, since unoptimised arrays of arrays cost
/// more than drawing does.
struct FloatPicture: Equatable, RandomAccessCollection {
    /// Four for each pixel, first row at the top.
    fileprivate let components: [Float]

    var startIndex: Int { 0 }
    var endIndex: Int { components.count / 4 }

    subscript(pixel: Int) -> [Double] {
        let start = pixel * 4
        return [Double(components[start]), Double(components[start + 1]), Double(components[start + 2])]
    }

    fileprivate var isFinite: Bool {
        var sum: Float = 0
        // Only zero times a finite number is zero.
        for component in components { sum += 0 * component }
        return sum == 0
    }
}

/// A wall without a window, for one test; it draws when it is its turn, with the automatic filter of a GPU.
final class TestWall {
    let wall: Wall
    let renderer: any WallRenderer
    /// Sets the reduction above which the automatic filter antialiases.
    let setAutomaticReduction: (Float) -> Void
    private let madeContext: GLContext?

    /// Makes an empty wall; `disturb` is called before the renderer is made.
    ///
    /// The renderer is ``TestRenderer/current``, unless it is given.
    init(
        layout: any WallLayout = GridLayout(), with wanted: TestRenderer = .current,
        disturb: (GLContext) -> Void = { _ in }
    ) throws {
        RenderTurn.lock.lock()
        defer { RenderTurn.lock.unlock() }
        wall = Wall(layout: layout, text: TextRasterizer())
        switch wanted {
        case .gl:
            let context = try HeadlessContext.forTests()
            disturb(context)
            let renderer = try GLRenderer(context: context)
            self.renderer = renderer
            madeContext = context
            setAutomaticReduction = { renderer.automaticReduction = $0 }
        case .cpu:
            let renderer = SoftwareRenderer(threadCount: 3) {
                let renderer = try GLRenderer(context: try HeadlessContext.forTests())
                renderer.automaticReduction = 1
                return renderer
            }
            // Also small pictures are drawn by all threads.
            renderer.fewPixels = 0
            self.renderer = renderer
            madeContext = nil
            setAutomaticReduction = { renderer.automaticReduction = $0 }
        }
        setAutomaticReduction(1)
    }

    /// The context of a renderer with OpenGL.
    var context: GLContext {
        guard let madeContext else { preconditionFailure("The CPU draws without OpenGL.") }
        return madeContext
    }

    /// Adds a tile that shows a frame.
    @discardableResult
    func add(_ frame: VideoFrame, name: String = "test", filter: ScalingFilter = .nearest) -> WallTile {
        let tile = wall.addTile(named: name)
        tile.filter = filter
        tile.mailbox.put(frame)
        return tile
    }

    /// One frame alone on the wall, in floating point.
    ///
    /// - Throws: also for NaN and infinity, which no comparison after a `min` or `max` would see.
    func floats(
        of frame: VideoFrame, _ size: VideoSize, filter: ScalingFilter = .nearest,
        _ configure: (WallTile) -> Void = { _ in }
    ) throws -> FloatPicture {
        show(frame, filter: filter, configure)
        let picture = try pixels(size, .rgba32f).withUnsafeBytes {
            FloatPicture(components: Array($0.bindMemory(to: Float.self)))
        }
        try #require(picture.isFinite, "A pixel is not a number, or infinite.")
        return picture
    }

    /// One frame alone on the wall, drawn and read back.
    func picture(
        of frame: VideoFrame, _ size: VideoSize, filter: ScalingFilter = .nearest,
        _ configure: (WallTile) -> Void = { _ in }
    ) throws -> RGBAImage {
        show(frame, filter: filter, configure)
        return try picture(size)
    }

    /// The whole wall, drawn and read back.
    func picture(_ size: VideoSize) throws -> RGBAImage {
        RGBAImage(size: size, bytes: try pixels(size, .rgba8))
    }

    private func pixels(_ size: VideoSize, _ format: PictureFormat) throws -> [UInt8] {
        try RenderTurn.lock.withLock {
            let picture = try renderer.makeOffscreenTarget(size: size, format: format)
            try renderer.render(wall, into: picture)
            return try picture.readPixels()
        }
    }

    private func show(_ frame: VideoFrame, filter: ScalingFilter, _ configure: (WallTile) -> Void) {
        for tile in wall.tiles { wall.remove(tile) }
        configure(add(frame, filter: filter))
    }
}

/// One frame alone on a wall of a size.
///
/// Each call makes a context and compiles its programs, so what draws many pictures makes one ``TestWall`` for all.
func draw(
    _ frame: VideoFrame, in size: VideoSize, filter: ScalingFilter = .nearest,
    _ configure: (WallTile) -> Void = { _ in }
) throws -> RGBAImage {
    try TestWall().picture(of: frame, size, filter: filter, configure)
}
