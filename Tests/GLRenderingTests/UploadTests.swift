import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// Every way of uploading frames gives the same picture.
@Suite(.renderTurn)
struct UploadTests {
    private let context: GLContext

    init() throws { context = try HeadlessContext.make() }

    /// Draws frames one after the other, and returns all pictures.
    private func draw(_ frames: [VideoFrame], _ method: UploadMethod) throws -> [[UInt8]] {
        let renderer = try GLRenderer(context: context, upload: method)
        #expect(renderer.uploadMethod == method && renderer.upload == "\(method) (it was asked for)")
        let wall = Wall()
        let tile = wall.addTile(named: "frame")
        tile.contentMode = .stretch
        tile.filter = .nearest
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 37, height: 23))
        return try frames.map { frame in
            tile.mailbox.put(frame)
            try renderer.render(wall, into: picture)
            #expect(tile.report.failure == nil)
            return try picture.readPixels()
        }
    }

    /// A frame of noise.
    private static func frame(
        _ format: PixelFormat, _ size: VideoSize, _ padding: Int, _ isBottomUp: Bool
    ) throws -> VideoFrame {
        var random = SeededGenerator(seed: UInt64(padding + 1))
        let planes = format.planes.map { plane in
            let (row, height) = (plane.rowBytes(size), plane.height(size))
            let count = (row + padding) * (height - 1) + row
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            for index in memory.indices { memory[index] = .random(in: 0...255, using: &random) }
            let stride = isBottomUp ? -(row + padding) : row + padding
            return PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: stride)
        }
        return VideoFrame(
            try PixelBuffer(lending: planes, format: format, size: size) {
                for plane in planes { plane.bytes.deallocate() }
            })
    }

    @Test("Any format, odd size and stride", arguments: PixelFormat.allCases)
    func formats(_ format: PixelFormat) throws {
        var frames: [VideoFrame] = []
        for (width, height) in [(37, 23), (36, 24), (1, 1)] {
            let size = VideoSize(width: width, height: height)
            for padding in [0, 1, 64, 4096] {
                for isBottomUp in [false, true] { frames.append(try Self.frame(format, size, padding, isBottomUp)) }
            }
        }
        let isSame = try draw(frames, .ring) == draw(frames, .direct)
        #expect(isSame)
    }

    @Test("Buffers grow with the pictures, and are used again", arguments: [false, true])
    func growth(_ staysMapped: Bool) throws {
        let ring = UploadRing(context, staysMapped: staysMapped)
        // Several planes of a picture together are larger than the first buffer; many pictures follow.
        for side in [16, 700, 1500, 16, 16, 16, 16, 3000, 5] {
            let bytes = (0..<side * side).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ side) }
            for _ in 0..<3 {
                let target = try Framebuffer(context, .r8, width: side, height: side)
                bytes.withUnsafeBytes { memory in
                    let plane = PixelBuffer.Plane(bytes: memory, bytesPerRow: side)
                    let isUploaded = ring.upload(plane, to: target.texture)
                    #expect(isUploaded)
                }
                let found = read(target, side)
                #expect(found == bytes, "\(side)")
            }
            ring.endPicture()
        }
        try context.check("Uploading")
    }

    private func read(_ target: borrowing Framebuffer, _ side: Int) -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: side * side)
        pixels.withUnsafeMutableBytes { target.readPixels(into: $0, bytesPerRow: side) }
        return pixels
    }

    @Test("A trial measures every method; software drivers need none")
    func trial() throws {
        let times = try UploadTrial.run(context)
        #expect(times.map(\.method) == UploadMethod.allCases.filter { $0 != .auto })
        #expect(times.allSatisfy { $0.time > .zero && $0.time < .seconds(10) })
        let renderer = try GLRenderer(context: context)
        #expect(renderer.uploadMethod != .auto)
        if context.information.isSoftware {
            #expect(renderer.upload == "direct (the driver copies in any case)")
        }
    }

    @Test("A fence is reached")
    func fence() throws {
        let fence = Fence(context)
        fence.wait()
        let isReached = fence.isReached
        #expect(isReached)
    }

    @Test(
        "The ring allocates nothing", .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."))
    func memory() throws {
        let renderer = try GLRenderer(context: HeadlessContext.make(debug: false), upload: .ring)
        let wall = Wall()
        let tile = wall.addTile(named: "frame")
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        let frame = VideoFrame(try SamplePicture.random(.i420, VideoSize(width: 64, height: 36)).buffer())
        func draw() throws {
            tile.mailbox.put(frame)
            try renderer.render(wall, into: picture)
        }
        for _ in 0..<10 { try draw() }
        let count = try HeapCounter.count { for _ in 0..<50 { try draw() } }
        #expect(count == 0)
    }
}
