import Glibc
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// Frames in memory shared with devices are drawn from it where the driver reads it right, and else copied.
@Suite(.renderTurn) struct DMABufferTests {
    private let wall: TestWall
    private let renderer: GLRenderer
    private let size = VideoSize(width: 36, height: 22)

    init() throws {
        wall = try TestWall(with: .gl)
        renderer = try #require(wall.renderer as? GLRenderer)
    }

    private static let formats = PixelFormat.drawn.filter { $0.fourCC != nil }

    /// Draws a frame, and tells what became of it.
    private func draw(_ frame: VideoFrame) throws -> (picture: RGBAImage, report: TileReport) {
        var tile: WallTile?
        let picture = try wall.picture(of: frame, frame.image.size) { tile = $0 }
        return (picture, try #require(tile).report)
    }

    @Test(arguments: formats) func whatTheDriverReadsRightIsNotCopied(_ format: PixelFormat) throws {
        let driver = FakeDriver(wall.context)
        renderer.imports.importer = .success(driver.importer)
        for size in [size, VideoSize(width: 35, height: 23)] {
            let planes = VideoFrame(try SamplePicture.random(format, size).buffer())
            let (picture, report) = try draw(VideoFrame(.dmaBuffer(sharedMemory(planes.pixelBuffer))))
            #expect(report.imported == 1 && report.uploaded == 0 && report.copyReason == nil, "\(report)")
            #expect(report.failure == nil)
            #expect(try picture == draw(planes).picture)
        }
        #expect(driver.images == 0)
    }

    @Test(arguments: [FakeDriver.Habit.isBlack, .hasOtherRows, .refuses, .forgetsChroma])
    func whatItReadsWrongIsCopied(_ habit: FakeDriver.Habit) throws {
        let driver = FakeDriver(wall.context, habit)
        renderer.imports.importer = .success(driver.importer)
        let planes = VideoFrame(try SamplePicture.random(.nv12, size).buffer())
        let expected = try draw(planes).picture
        for _ in 0..<3 {
            let (picture, report) = try draw(VideoFrame(.dmaBuffer(sharedMemory(planes.pixelBuffer))))
            #expect(report.imported == 0 && report.uploaded == 1 && report.failure == nil)
            let reason = habit == .refuses ? "does not import" : "reads other texels"
            #expect(report.copyReason?.contains(reason) == true, "\(report.copyReason ?? "")")
            #expect(picture == expected)
        }
        // It is tried once.
        #expect(driver.tries <= 2)
    }

    @Test func oneColourSaysNothing() throws {
        let driver = FakeDriver(wall.context)
        renderer.imports.importer = .success(driver.importer)
        let format = PixelFormat.nv12
        let gray = try PixelBuffer(
            packed: [UInt8](repeating: 128, count: format.packedByteCount(size)), format: format, size: size)
        for _ in 0..<9 {
            let report = try draw(VideoFrame(.dmaBuffer(sharedMemory(gray)))).report
            #expect(report.uploaded == 1 && report.copyReason?.contains("one colour") == true)
        }
        // Frames 1, 2, 4 and 8, two planes each.
        #expect(driver.tries == 8)
        let planes = VideoFrame(try SamplePicture.random(format, size).buffer())
        var imported = 0
        for _ in 0..<8 {
            imported += try draw(VideoFrame(.dmaBuffer(sharedMemory(planes.pixelBuffer)))).report.imported
        }
        #expect(imported == 2)
    }

    @Test func aDriverWithoutImportCopies() throws {
        renderer.imports.importer = .failure(GLError(.texture, "The driver imports no DMA-BUFs."))
        let planes = VideoFrame(try SamplePicture.random(.i420, size).buffer())
        let (picture, report) = try draw(VideoFrame(.dmaBuffer(sharedMemory(planes.pixelBuffer))))
        #expect(report.uploaded == 1 && report.copyReason == "The driver imports no DMA-BUFs.")
        #expect(try picture == draw(planes).picture)
    }

    /// Whatever the driver of this machine does with memory that no device has: the picture is right.
    @Test func theDriverOfThisMachine() throws {
        let planes = VideoFrame(try SamplePicture.random(.nv12, size).buffer())
        let (picture, report) = try draw(VideoFrame(.dmaBuffer(sharedMemory(planes.pixelBuffer))))
        #expect(report.uploaded + report.imported == 1 && (report.copyReason != nil) == (report.uploaded == 1))
        #expect(try picture == draw(planes).picture)
    }

    @Test func tiledMemoryNeedsADriverThatImportsIt() throws {
        let tiled: UInt64 = 0x0100_0000_0000_0002
        let planes = VideoFrame(try SamplePicture.random(.nv12, size).buffer())
        let driver = FakeDriver(wall.context)
        renderer.imports.importer = .success(driver.importer)
        let frame = try VideoFrame(.dmaBuffer(sharedMemory(planes.pixelBuffer, modifier: tiled)))
        let (picture, report) = try draw(frame)
        #expect(report.imported == 1)
        #expect(driver.modifiers == [tiled, tiled])
        #expect(try picture == draw(planes).picture)
        // The same layout is fine from now on, another one is not.
        driver.habit = .refuses
        let other = VideoSize(width: 16, height: 16)
        let refused = try draw(
            VideoFrame(.dmaBuffer(sharedMemory(SamplePicture.random(.nv12, other).buffer(), modifier: tiled)))
        ).report
        #expect(refused.failed == 1 && refused.uploaded == 0)
        #expect(refused.failure?.contains("Request linear memory (modifier 0)") == true, "\(refused.failure ?? "")")
    }

    @Test func badMemoryIsNamed() throws {
        let driver = FakeDriver(wall.context)
        renderer.imports.importer = .success(driver.importer)
        let buffer = try SamplePicture.random(.nv12, size).buffer()
        #expect(try draw(VideoFrame(.dmaBuffer(sharedMemory(buffer)))).report.imported == 1)
        let good = try sharedMemory(buffer)
        func failure(_ planes: [DMABufferImage.Plane]) throws -> String {
            let image = try DMABufferImage(
                takingOver: planes, size: size, fourCC: #require(PixelFormat.nv12.fourCC)
            ) {}
            return try draw(VideoFrame(.dmaBuffer(image))).report.failure ?? "none"
        }
        var (luma, chroma) = (good.planes[0], good.planes[1])
        func copy(_ plane: DMABufferImage.Plane, offset: Int = 0, bytesPerRow: Int? = nil) -> DMABufferImage.Plane {
            DMABufferImage.Plane(
                descriptor: dup(plane.descriptor), offset: plane.offset + offset,
                bytesPerRow: bytesPerRow ?? plane.bytesPerRow)
        }
        let tries = driver.tries
        #expect(try failure([copy(luma), copy(chroma, offset: 1)]).contains("of its memory, which has"))
        #expect(try failure([copy(luma), copy(chroma, offset: 1 << 40)]).contains("of its memory, which has"))
        #expect(try failure([copy(luma), copy(chroma, bytesPerRow: 35)]).contains("at least 36 bytes per row"))
        #expect(try failure([copy(luma), copy(chroma, bytesPerRow: -36)]).contains("upside down"))
        #expect(try failure([copy(luma), copy(chroma, bytesPerRow: .max)]).contains("at most 2^30"))
        #expect(try failure([copy(luma)]).contains("has 2 planes, but 1"))
        (luma, chroma) = (copy(luma), copy(chroma))
        close(chroma.descriptor)
        #expect(try failure([luma, chroma]).contains("error \(EBADF)"))
        #expect(driver.tries == tries)
        // And on.
        #expect(try draw(VideoFrame(.dmaBuffer(good))).report.imported == 1)
    }

    @Test func memoryGoesBackWhenItIsDrawn() throws {
        let driver = FakeDriver(wall.context)
        renderer.imports.importer = .success(driver.importer)
        let returned = Monitor(0)
        let picture = try wall.renderer.makeOffscreenTarget(size: size)
        let tile = wall.wall.addTile(named: "camera")
        for number in 1...10 {
            let buffer = try SamplePicture.random(.nv12, size).buffer()
            tile.mailbox.put(
                VideoFrame(.dmaBuffer(try sharedMemory(buffer) { returned.withLock { $0 += 1 } })))
            try wall.renderer.render(wall.wall, into: picture)
            _ = try picture.readPixels()
            #expect((max(0, number - 2)..<number).contains(returned.withLock { $0 }), "\(number)")
        }
        #expect(tile.statistics.imported == 10 && tile.statistics.uploaded == 0)
    }
}

/// A frame in ordinary memory behind a descriptor: mapping it is the same as for a DMA-BUF.
func sharedMemory(
    _ buffer: PixelBuffer, modifier: UInt64 = DMABufferImage.linear, release: @escaping @Sendable () -> Void = {}
) throws -> DMABufferImage {
    var path = Array("/dev/shm/vitrail-test-XXXXXX".utf8CString)
    let descriptor = path.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
    unlink(path)
    guard descriptor >= 0 else { throw StreamError(.noMemory, "There is no room in /dev/shm.", underlying: errno) }
    var planes: [DMABufferImage.Plane] = []
    var offset = 0
    for index in buffer.format.planes.indices {
        let (rows, row) = (
            buffer.format.planes[index].height(buffer.size), buffer.format.planes[index].rowBytes(buffer.size)
        )
        let stride = index == 0 ? row + 8 : row
        planes.append(DMABufferImage.Plane(descriptor: descriptor, offset: offset, bytesPerRow: stride))
        for line in 0..<rows {
            let written = buffer.withRow(line, ofPlane: index) { span in
                span.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, row, offset + line * stride) }
            }
            #expect(written == row)
        }
        offset += (rows - 1) * stride + row
    }
    return try DMABufferImage(
        takingOver: planes, size: buffer.size, fourCC: #require(buffer.format.fourCC), modifier: modifier,
        release: release)
}
