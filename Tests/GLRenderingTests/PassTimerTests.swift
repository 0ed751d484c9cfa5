import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoSources
import VideoWall
import VitrailGL

@testable import GLRendering

/// How long the GPU works on each pass.
///
/// A software driver's queries are measured here: it counts nearly everything as the last pass, but its sums are right.
@Suite(.renderTurn)
struct PassTimerTests {
    private let context: GLContext
    private let renderer: GLRenderer
    private let wall = Wall()
    private let reader: TestPatternReader
    private let tile: WallTile

    init() throws {
        context = try HeadlessContext.make(debug: false)
        renderer = try GLRenderer(context: context)
        reader = try TestPatternReader(pattern: .gradient, size: VideoSize(width: 320, height: 180))
        tile = wall.addTile(named: "gradient")
    }

    /// Draws pictures of new frames; the GPU finishes each.
    private func draw(_ count: Int, into picture: any OffscreenTarget) throws {
        for _ in 0..<count {
            if let frame = try reader.next() { tile.mailbox.put(frame) }
            try renderer.render(wall, into: picture)
            context.finish()
        }
    }

    @Test("Every picture is measured once, with all passes", arguments: [false, true])
    func times(_ hasWallEffect: Bool) throws {
        // Nothing is measured unless it is a GPU.
        #expect((renderer.passTimes == nil) == context.information.isSoftware)
        renderer.passTimer = PassTimer(context)
        if hasWallEffect {
            let effect = try Effect("vec4 effect(vec2 uv) { return 1.0 - sample(uv); }", file: "invert")
            wall.effects = EffectChain([effect])
        }
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 640, height: 360))
        let start = MonotonicTime.now
        try draw(20, into: picture)
        let time = MonotonicTime.now - start
        let times = try #require(renderer.passTimes)
        #expect((17...19).contains(times.pictures), "\(times)")
        #expect(times.upload >= .zero && times.prepare >= .zero && times.draw > .zero, "\(times)")
        #expect(times.upload + times.prepare + times.draw < time, "\(times) in \(time)")
        // A picture in which nothing is drawn does not count.
        try renderer.render(wall, into: picture)
        let rest = try #require(renderer.passTimes).since(times)
        #expect(rest.pictures <= 1 && rest.mean.draw == rest.draw)
        #expect(PassTimes().mean == PassTimes())
    }

    @Test(
        "Measuring allocates nothing", .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own.")
    )
    func memory() throws {
        renderer.passTimer = PassTimer(context)
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        try draw(10, into: picture)
        let count = try HeapCounter.count { try draw(50, into: picture) }
        #expect(count == 0)
    }
}
