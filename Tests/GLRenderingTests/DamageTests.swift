import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// Drawing only the changes gives the same picture as drawing everything.
@Suite(.renderTurn) struct DamageTests {
    @Test(arguments: [UInt64(1), 2]) func aThousandRandomScenes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let layouts: [any WallLayout] = [
            GridLayout(gap: 2), GridLayout(columns: 2), GridLayout(rows: 1, gap: 5),
            FreeLayout([
                .init(x: 0, y: 0, width: 1, height: 1), .init(x: 0.1, y: 0.2, width: 0.5, height: 0.6),
                .init(x: 0.4, y: 0.1, width: 0.5, height: 0.5), .init(x: 0.7, y: 0.7, width: 0.3, height: 0.3),
            ]),
        ]
        let wall = try TestWall(layout: layouts[0])
        let size = VideoSize(width: 96, height: 64)
        let kept = try wall.renderer.makeOffscreenTarget(size: size)
        let window = try BufferedTarget(wall.context, size, buffers: Int(seed) + 1)
        let whole = try wall.renderer.makeOffscreenTarget(size: size)
        let pictures = try (0..<6).map { index in
            let size = VideoSize(width: 8 + 7 * index, height: 20)
            return try SamplePicture.random(index % 2 == 0 ? .i420 : .nv12, size, seed: UInt64(index)).buffer()
        }
        for step in 0..<500 {
            // If there is more than one update, no target sees the scenes in between.
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                change(wall.wall, layouts, pictures, &random)
                wall.wall.update(size: size)
            }
            // One target misses some scenes that the other one has.
            let draws = Int.random(in: 0..<4, using: &random)
            if draws > 0 { try wall.renderer.render(wall.wall, into: kept) }
            let isDrawn = draws != 1 ? try wall.renderer.render(wall.wall, into: window) : false
            whole.invalidate()
            try wall.renderer.render(wall.wall, into: whole)
            let expected = try whole.readPixels()
            if draws > 0 { try #require(try kept.readPixels() == expected, "seed \(seed), step \(step)") }
            guard isDrawn else { continue }
            try #require(try window.readPixels() == expected, "seed \(seed), step \(step), window")
            if Int.random(in: 0..<4, using: &random) > 0 { window.present() }
        }
        #expect(window.extents[.parts, default: 0] > 100 && window.extents[.all, default: 0] > 10)
    }

    private func change(
        _ wall: Wall, _ layouts: [any WallLayout], _ pictures: [PixelBuffer], _ random: inout SeededGenerator
    ) {
        let tile = wall.tiles.randomElement(using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0 where wall.tiles.count < 6: wall.addTile(named: "new").filter = .bilinear
        case 1 where wall.tiles.count > 3: tile.map(wall.remove)
        case 2: tile.map { wall.move($0, to: 0) }
        case 3: wall.focus = Bool.random(using: &random) ? nil : tile?.id
        case 4: wall.layout = layouts.randomElement(using: &random) ?? layouts[0]
        case 5: wall.overlay = Bool.random(using: &random) ? nil : "overlay"
        case 6: tile?.contentMode = ContentMode.allCases.randomElement(using: &random) ?? .fit
        case 7: tile?.mailbox.sourceDidChange(Bool.random(using: &random) ? .ended : .failed("no"))
        case 8: tile?.clear()
        case 9: tile?.rotation = VideoRotation.allCases.randomElement(using: &random) ?? .clockwise90
        case 10: tile?.overlays = overlays(&random)
        case 11: wall.overlays = overlays(&random)
        default:
            guard let buffer = pictures.randomElement(using: &random) else { return }
            tile?.mailbox.put(VideoFrame(buffer))
        }
    }

    private func overlays(_ random: inout SeededGenerator) -> [WallOverlay] {
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            let size = VideoSize(width: 9, height: 6)
            let bytes = (0..<54).map { UInt8($0 * 4) }
            return WallOverlay(
                CoverageImage(bytes, size: size, bytesPerRow: 9), x: Int.random(in: -12..<100, using: &random),
                y: Int.random(in: -8..<70, using: &random), background: SIMD4(0, 0, 1, 0.5), margin: 2)
        }
    }

    @Test(.everyRenderer) func oneNewFrameOfSixteenDrawsOneTile() throws {
        let wall = try TestWall()
        let buffer = try SamplePicture.random(.nv12, VideoSize(width: 32, height: 18)).buffer()
        let tiles = (0..<16).map { _ in wall.add(VideoFrame(buffer)) }
        let target = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 128, height: 72))
        try wall.renderer.render(wall.wall, into: target)
        tiles[5].mailbox.put(VideoFrame(buffer))
        try wall.renderer.render(wall.wall, into: target)
        #expect(tiles.map(\.statistics.drawn) == (0..<16).map { $0 == 5 ? 2 : 1 })
        #expect(tiles.map(\.statistics.uploaded) == (0..<16).map { $0 == 5 ? 2 : 1 })
    }
}

/// Several pictures that are drawn into in turn, like a window's buffers.
private final class BufferedTarget: GLTarget {
    let context: GLContext
    let size: VideoSize
    private(set) var extents: [DamageHistory.Extent: Int] = [:]
    private let buffers: [GLOffscreenTarget]
    private var presents = 0
    private var history = DamageHistory()

    init(_ context: GLContext, _ size: VideoSize, buffers: Int) throws {
        (self.context, self.size) = (context, size)
        self.buffers = try (0..<buffers).map { _ in try GLOffscreenTarget(context, size: size, format: .rgba8) }
    }

    func present() { presents += 1 }

    func invalidate() { history.invalidate() }

    var view: TargetView { current.view }

    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent {
        let age = presents < buffers.count ? 0 : buffers.count
        let extent = history.draw(scene, presentCount: presents, age: age, &parts)
        extents[extent, default: 0] += 1
        return extent
    }

    func bind() { current.bind() }

    func readPixels() throws -> [UInt8] { try current.readPixels() }

    private var current: GLOffscreenTarget { buffers[presents % buffers.count] }
}
