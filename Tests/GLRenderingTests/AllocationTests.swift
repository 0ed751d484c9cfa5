@preconcurrency import CVitrailEpoxy
import GLRendering
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoSources
import VideoWall
import VitrailGL
import WallRendering

/// The frame path allocates nothing once it runs: from a source's pool through the mailbox to the picture read back.
@Suite(.renderTurn, .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."))
struct AllocationTests {
    @Test(.everyRenderer, arguments: [PixelFormat.i420, .nv12]) func aFrameAllocatesNothing(_ format: PixelFormat)
        throws
    {
        let wall = try TestWall()
        let reader = try TestPatternReader(
            pattern: .gradient, size: VideoSize(width: 64, height: 36), frameRate: Rational(30), format: format)
        let tile = wall.wall.addTile(named: "gradient")
        tile.label = "gradient"
        let image = CoverageImage([255], size: VideoSize(width: 1, height: 1), bytesPerRow: 1)
        tile.overlays = [WallOverlay(image, x: 3, y: 4)]
        wall.wall.overlays = [WallOverlay(image, x: 60, y: 70)]
        let size = VideoSize(width: 128, height: 72)
        let picture = try wall.renderer.makeOffscreenTarget(size: size)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 72 * 4, alignment: 64)
        defer { memory.deallocate() }
        let pool = PixelBufferPool()
        func frame() throws {
            if let frame = try reader.next() { tile.mailbox.put(frame) }
            if wall.wall.hasChanges { try wall.renderer.render(wall.wall, into: picture) }
            _ = wall.wall.hasChanges
            try picture.readPixels(into: memory, bytesPerRow: 128 * 4)
            _ = try picture.readI420(colorSpace: ColorSpace(matrix: .bt709, range: .limited), pool: pool)
        }
        for _ in 0..<5 { try frame() }
        let count = try HeapCounter.count { for _ in 0..<100 { try frame() } }
        #expect(count == 0)
        #expect(tile.statistics.uploaded == 105)
    }

    /// The CPU draws, and OpenGL shows it.
    @Test func aFrameInAWindowAllocatesNothing() throws {
        // Not a debug context: it would report in every frame that there is no window to copy to.
        let context = try HeadlessContext.make(debug: false)
        var presents = 0
        let screen = try WindowOutput(context: context, .cpu) { (presents, 1) }
        #expect(screen.kind == .cpu && screen.renderer.name.hasPrefix("CPU"))
        let reader = try TestPatternReader(
            pattern: .gradient, size: VideoSize(width: 64, height: 36), frameRate: Rational(30), format: .nv12)
        let wall = Wall()
        let tiles = (0..<4).map { wall.addTile(named: "\($0)") }
        screen.target.size = VideoSize(width: 128, height: 72)
        func frame() throws {
            if let frame = try reader.next() { tiles[presents & 3].mailbox.put(frame) }
            if try screen.renderer.render(wall, into: screen.target) { presents += 1 }
        }
        for _ in 0..<12 { try frame() }
        let count = try HeapCounter.count { for _ in 0..<100 { try frame() } }
        #expect(count == 0)
        #expect(presents == 112)
        // Nothing new: nothing is drawn, until the window has lost its content.
        #expect(try !screen.renderer.render(wall, into: screen.target))
        screen.target.invalidate()
        #expect(try screen.renderer.render(wall, into: screen.target))
        #expect(tiles.reduce(0) { $0 + $1.report.uploaded } == 112)
    }

    @Test(.everyRenderer, arguments: PixelFormat.drawn) func uploadAndDrawAllocateNothing(_ format: PixelFormat)
        throws
    {
        let wall = try TestWall()
        let size = VideoSize(width: 48, height: 18)
        let picture = TestPicture.noise(format, size)
        let space = ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq)
        // Converted and tone mapped, cropped, much reduced, and dithered where the format has more than 8 bits.
        let frame = try VideoFrame(
            picture.buffer(isBottomUp: true),
            attributes: FrameAttributes(
                colorSpace: space, crop: Rectangle(x: 1, y: 1, width: 45, height: 15),
                hdrMetadata: HDRMetadata(maximumLuminance: 4000)))
        let tile = wall.add(frame, filter: .automatic)
        let target = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 12, height: 6))
        func draw() throws {
            tile.mailbox.put(frame)
            try wall.renderer.render(wall.wall, into: target)
        }
        for _ in 0..<5 { try draw() }
        let count = try HeapCounter.count { for _ in 0..<20 { try draw() } }
        #expect(count == 0)
        #expect(tile.report.failure == nil)
    }

    /// Folded, in passes of both kinds, with the previous result, other tiles and time; on a tile and on the wall.
    @Test func effectsAllocateNothing() throws {
        let wall = try TestWall()
        let frame = VideoFrame(try TestPicture.noise(.nv12, VideoSize(width: 48, height: 18)).buffer())
        let tile = wall.add(frame)
        let text = """
            //! param amount float 0 1 0.5
            //! param with tile 2
            //! param table lut
            //! pass small scale 0.5
            //! pass counts size 4x4 points 4x4
            vec4 small_pass(vec2 uv) { return sample(uv) * amount; }
            vec2 counts_place(vec2 uv) { return uv; }
            vec4 counts_pass(vec2 uv) { return texture(small, uv); }
            vec4 effect(vec2 uv) {
                return texture(counts, uv) + previous(uv) + planes(uv) + with(uv) + vec4(table(vec3(time)), mouse.x);
            }
            """
        let colors = (0..<8).map { SIMD3<Float>(repeating: Float($0) / 8) }
        var step = EffectChain.Step(try Effect(text, file: "a"))
        _ = step.set("table", .lut(LookupTable(name: "a", size: 2, isCube: true, colors: colors)))
        let folded = EffectChain.Step(
            try Effect("//! param x float 0 1 0.5\nvec4 effect(vec2 uv) { return x * sample(uv); }", file: "b"))
        wall.add(frame).effects = EffectChain([folded, folded])
        tile.effects = EffectChain([folded, step, folded])
        wall.wall.effects = tile.effects
        wall.wall.effectBudget = .seconds(1000)
        let target = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 32))
        func draw() throws {
            tile.mailbox.put(frame)
            wall.wall.time += .milliseconds(10)
            wall.wall.mouse = SIMD2(3, 4)
            try wall.renderer.render(wall.wall, into: target)
        }
        for _ in 0..<5 { try draw() }
        let count = try HeapCounter.count { for _ in 0..<20 { try draw() } }
        #expect(count == 0)
        #expect(tile.notice == nil && wall.wall.report.effectFailure == nil)
    }

    /// Colours, places and blocks, by the CPU itself.
    @Test(arguments: ["grayscale", "adjust,zebra,lut", "mirror,pixelate:size=5,privacy-mask:style=pixelate,sepia"])
    func kernelsAllocateNothing(_ text: String) throws {
        let wall = try TestWall(with: .cpu)
        let tile = wall.add(VideoFrame(try TestPicture.noise(.nv12, VideoSize(width: 48, height: 18)).buffer()))
        let frames = try (0..<2).map { _ in
            VideoFrame(try TestPicture.noise(.nv12, VideoSize(width: 48, height: 18)).buffer())
        }
        tile.effects = try KernelTests.chain(text)
        let target = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 32))
        var number = 0
        func draw() throws {
            tile.mailbox.put(frames[number & 1])
            number += 1
            try wall.renderer.render(wall.wall, into: target)
        }
        for _ in 0..<5 { try draw() }
        let count = try HeapCounter.count { for _ in 0..<20 { try draw() } }
        #expect(count == 0 && tile.notice == nil)
    }

    @Test func framesInTexturesAllocateNothing() throws {
        let wall = try TestWall(with: .gl)
        let producer = try TextureProducer(wall.context.shareGroup)
        let size = VideoSize(width: 48, height: 18)
        let frames = try (0..<4).map { _ in try producer.frame(VideoFrame(TestPicture.noise(.nv12, size).buffer())) }
        let tile = wall.wall.addTile(named: "texture")
        let target = try wall.renderer.makeOffscreenTarget(size: size)
        func draw() throws {
            // By index: without optimisation, an array's iterator allocates.
            for index in frames.indices {
                tile.mailbox.put(frames[index])
                try wall.renderer.render(wall.wall, into: target)
            }
        }
        for _ in 0..<3 { try draw() }
        let count = try HeapCounter.count { for _ in 0..<5 { try draw() } }
        #expect(count == 0)
        #expect(tile.statistics.drawn == 32 && tile.notice == nil)
    }

    @Test func drawingForAHostAllocatesNothing() throws {
        let wall = try TestWall()
        let size = VideoSize(width: 48, height: 18)
        let frame = VideoFrame(try TestPicture.noise(.i420, size).buffer())
        let tile = wall.add(frame)
        let host = try Framebuffer(wall.context, .rgba8, width: size.width, height: size.height)
        host.bind()
        var name: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_FRAMEBUFFER_BINDING), &name)
        let target = GLFramebufferTarget(
            context: wall.context, framebuffer: UInt32(name),
            rectangle: Rectangle(x: 0, y: 0, width: size.width, height: size.height))
        func draw() throws {
            tile.mailbox.put(frame)
            try wall.renderer.render(wall.wall, into: target)
        }
        for _ in 0..<5 { try draw() }
        let count = try HeapCounter.count { for _ in 0..<20 { try draw() } }
        #expect(count == 0)
        #expect(tile.statistics.drawn == 25)
    }

    @Test func theCounterCounts() {
        // They outlive the count: the optimiser puts an object that does not escape on the stack.
        var boxes = [Box?](repeating: nil, count: 10)
        let objects = HeapCounter.count { for index in boxes.indices { boxes[index] = Box() } }
        #expect(objects >= boxes.count(where: { $0 != nil }))
        // This array is made inside the standard library.
        let numbers = Array(0..<100)
        var sum = 0
        let arrays = HeapCounter.count { sum = numbers.map { $0 + 1 }.reduce(0, +) }
        #expect(sum == 5050)
        #expect(arrays >= 1)
    }
}

private final class Box {}
