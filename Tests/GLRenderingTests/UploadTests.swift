import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoSources
import VideoWall
import VitrailGL

@testable import GLRendering

/// Every way of uploading frames gives the same picture.
@Suite(.renderTurn)
struct UploadTests {
    private let context: GLContext

    init() throws { context = try HeadlessContext.forTests() }

    /// Draws frames one after the other, and returns all pictures.
    ///
    /// - Parameters:
    ///   - frames: the frames.
    ///   - method: how they are uploaded.
    ///   - offset: how many bytes decoders crop; `nil` for sources that decode nothing.
    /// - Returns: RGBA.
    /// - Throws: if drawing fails.
    private func draw(_ frames: [VideoFrame], _ method: UploadMethod, cropping offset: Int? = nil) throws -> [[UInt8]] {
        let renderer = try GLRenderer(context: context, upload: method)
        #expect(renderer.uploadMethod == method && renderer.uploadReason == "it was asked for")
        let wall = Wall()
        let tile = wall.addTile(named: "frame")
        tile.contentMode = .stretch
        tile.filter = .nearest
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 37, height: 23))
        try renderer.reserveFrameMemory(byteCount: 16 << 20)
        return try frames.map { frame in
            var frame = frame
            if let memory = renderer.frameMemory {
                frame =
                    try offset.map { try Self.lend(frame, in: memory, cropping: $0) } ?? Self.copy(frame, in: memory)
            }
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

    /// A frame as a source makes it in memory that it was given.
    private static func copy(_ frame: VideoFrame, in memory: any FrameMemory) throws -> VideoFrame {
        let old = try frame.pixelBuffer
        let buffer = try PixelBuffer(format: old.format, size: old.size, memory: memory) { planes in
            for plane in 0..<planes.count {
                for row in 0..<old.format.planes[plane].height(old.size) {
                    old.withRow(row, ofPlane: plane) { source in
                        planes.withRow(row, ofPlane: plane) { target in
                            for index in source.indices { target[index] = source[index] }
                        }
                    }
                }
            }
        }
        #expect(buffer.memory === memory)
        return VideoFrame(buffer)
    }

    /// Returns a block when its last owner is released.
    private final class BlockOwner: Sendable {
        let block: FrameMemoryBlock
        init(_ block: FrameMemoryBlock) { self.block = block }
        deinit { block.release() }
    }

    /// A frame as a decoder makes it in memory that it was given: rows have its padding and direction, and planes begin
    /// some bytes after a multiple of 64, as after cropping.
    private static func lend(_ frame: VideoFrame, in memory: any FrameMemory, cropping offset: Int) throws -> VideoFrame
    {
        let old = try frame.pixelBuffer
        let sizes = (0..<old.planeCount).map { old.withPlane($0) { ($0.bytes.count + offset + 63) & ~63 } }
        let block = try #require(memory.allocate(byteCount: sizes.reduce(0, +)))
        var planes: [PixelBuffer.Plane] = []
        for index in sizes.indices {
            let start = sizes[..<index].reduce(0, +) + offset
            old.withPlane(index) { plane in
                let target = UnsafeMutableRawBufferPointer(rebasing: block.bytes[start..<start + plane.bytes.count])
                target.copyMemory(from: plane.bytes)
                planes.append(
                    PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(target), bytesPerRow: plane.bytesPerRow))
            }
        }
        let lender = MemoryLender(BlockOwner(block))
        let buffer = try lender.lend(planes, format: old.format, size: old.size, in: memory)
        #expect(buffer.memory === memory)
        return VideoFrame(buffer)
    }

    @Test("Any format, odd size and stride", arguments: PixelFormat.drawn)
    func formats(_ format: PixelFormat) throws {
        var frames: [VideoFrame] = []
        for (width, height) in [(37, 23), (36, 24), (1, 1)] {
            let size = VideoSize(width: width, height: height)
            for padding in [0, 1, 64, 4096] {
                for isBottomUp in [false, true] { frames.append(try Self.frame(format, size, padding, isBottomUp)) }
            }
        }
        let expected = try draw(frames, .direct)
        for method in [UploadMethod.ring, .mapped] {
            let isSame = try draw(frames, method) == expected
            #expect(isSame, "\(method)")
        }
        for offset in [0, 8, 2] {
            let isSame = try draw(frames, .mapped, cropping: offset) == expected
            #expect(isSame, "\(offset) bytes cropped")
        }
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
            #expect(renderer.uploadMethod == .direct && renderer.uploadReason == "the driver copies in any case")
        }
    }

    @Test("A pool moves into the memory that a renderer offers, and reuses nothing that the GPU still reads")
    func pool() throws {
        let renderer = try GLRenderer(context: context, upload: .mapped)
        let memory = try #require(renderer.frameMemory)
        let wall = Wall()
        let tile = wall.addTile(named: "pattern")
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        let reader = try TestPatternReader(pattern: .gradient, size: VideoSize(width: 64, height: 36))
        let other = try TestPatternReader(pattern: .gradient, size: VideoSize(width: 64, height: 36))
        var memories: [Bool] = []
        for number in 0..<20 {
            if let wants = tile.mailbox.demand?.wants { reader.demand?.wants = wants }
            let frame = try #require(try reader.next())
            memories.append(try frame.pixelBuffer.memory === memory)
            tile.mailbox.put(frame)
            try renderer.render(wall, into: picture)
            let expected = try other.frame(at: number)
            let isSame = try expected.pixelBuffer.packedBytes == frame.pixelBuffer.packedBytes
            #expect(isSame)
        }
        // The first picture offers the memory, the second finds that there is none yet.
        #expect(memories.dropFirst(3).allSatisfy { $0 }, "\(memories)")
        // What another renderer draws needs none of it.
        wall.frameMemory = nil
        wall.update(size: picture.size)
        #expect(tile.mailbox.demand?.wants.memory == nil)
    }

    @Test("Frames outlive the renderer and the context whose memory they are in")
    func lifetime() throws {
        var frames: [VideoFrame] = []
        do {
            let renderer = try GLRenderer(context: HeadlessContext.forTests(), upload: .mapped)
            try renderer.reserveFrameMemory(byteCount: 1 << 20)
            let memory = try #require(renderer.frameMemory)
            for padding in 0..<3 {
                let noise = try Self.frame(.nv12, VideoSize(width: 37, height: 23), padding, false)
                frames += [noise, try Self.copy(noise, in: memory)]
            }
        }
        try context.use()
        for pair in stride(from: 0, to: frames.count, by: 2) {
            let isSame = try frames[pair].pixelBuffer.packedBytes == frames[pair + 1].pixelBuffer.packedBytes
            #expect(isSame)
        }
        // The last reference goes on another thread.
        let last = Monitor(frames)
        frames = []
        try SystemThread(for: "the test") { last.withLock { $0 = [] } }.join()
    }

    @Test("Blocks never overlap, are returned, and room grows where it was missing")
    func blocks() throws {
        let memory = try #require(GLFrameMemory(context))
        #expect(memory.allocate(byteCount: 100) == nil)
        memory.grow()
        var random = SeededGenerator(seed: 1)
        var blocks: [FrameMemoryBlock] = []
        for _ in 0..<2000 {
            if Bool.random(using: &random) || blocks.isEmpty {
                let size = [1, 100, 4096, 4097, 100_000, 3_110_400].randomElement(using: &random) ?? 1
                guard let block = memory.allocate(byteCount: size) else {
                    memory.grow()
                    continue
                }
                #expect(block.bytes.count == size && Int(bitPattern: block.bytes.baseAddress) % 64 == 0)
                let isFree = blocks.allSatisfy { other in
                    guard let start = block.bytes.baseAddress, let its = other.bytes.baseAddress else { return false }
                    return start >= its + other.bytes.count || its >= start + size
                }
                #expect(isFree)
                block.bytes[0] = 1
                block.bytes[size - 1] = 2
                blocks.append(block)
            } else {
                blocks.remove(at: .random(in: blocks.indices, using: &random)).release()
            }
        }
        for block in blocks { block.release() }
        // All of it is free again.
        #expect(memory.allocate(byteCount: 16 << 20) != nil)
    }

    @Test("After a long sequence of sizes, what is mapped is near what is in use, and empty memory is given back")
    func longSequence() throws {
        let memory = try #require(GLFrameMemory(context))
        var random = SeededGenerator(seed: 7)
        var blocks: [FrameMemoryBlock] = []
        var (live, peak) = (0, 0)
        func release(_ index: Int) {
            let block = blocks.remove(at: index)
            live -= block.bytes.count
            block.release()
        }
        for step in 0..<6000 {
            // Sources come, change their size and go: the sizes drift, and are rarely the same again.
            let size = Int.random(in: 1...(1 + step % 3000) * 1000, using: &random)
            if live + size < 32 << 20, let block = memory.allocate(byteCount: size) {
                blocks.append(block)
                live += size
                peak = max(peak, live)
            } else if !blocks.isEmpty {
                release(.random(in: blocks.indices, using: &random))
            }
            if step % 8 == 0 { memory.grow() }
        }
        #expect(peak > 24 << 20)
        #expect(memory.byteCount <= 2 * peak, "\(memory.byteCount >> 20) MiB for \(peak >> 20) MiB")
        while blocks.count > 3 { release(.random(in: blocks.indices, using: &random)) }
        for _ in 0..<GLFrameMemory.idlePictures + 32 { memory.grow() }
        #expect(memory.byteCount <= live + 2 * (16 << 20), "\(memory.byteCount >> 20) MiB for \(live >> 20) MiB")
        while !blocks.isEmpty { release(0) }
        for _ in 0..<GLFrameMemory.idlePictures + 32 { memory.grow() }
        #expect(memory.byteCount == 0)
        // It grows again, up to the bound.
        memory.reserve(1 << 20)
        #expect(memory.allocate(byteCount: 1 << 20) != nil)
        for _ in 0..<40 { memory.reserve(256 << 20) }
        #expect(memory.byteCount == GLFrameMemory.largest)
    }

    @Test("A fence is reached")
    func fence() throws {
        let fence = Fence(context)
        fence.wait()
        let isReached = fence.isReached
        #expect(isReached)
    }

    @Test(
        "No way allocates anything", .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."),
        arguments: [UploadMethod.direct, .ring, .mapped])
    func memory(_ method: UploadMethod) throws {
        let renderer = try GLRenderer(context: HeadlessContext.make(debug: false), upload: method)
        let wall = Wall()
        let tile = wall.addTile(named: "frame")
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        let reader = try TestPatternReader(pattern: .gradient, size: VideoSize(width: 64, height: 36))
        func draw() throws {
            if let frame = try reader.next() { tile.mailbox.put(frame) }
            try renderer.render(wall, into: picture)
        }
        for _ in 0..<10 {
            try draw()
            if let demand = tile.mailbox.demand { reader.demand?.wants = demand.wants }
        }
        let count = try HeapCounter.count { for _ in 0..<50 { try draw() } }
        #expect(count == 0)
    }
}
