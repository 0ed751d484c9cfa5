import Foundation
import PNGFile
import Testing

@Suite struct PNGTests {
    @Test(arguments: [(1, 1, 0), (3, 5, 0), (3, 5, 13), (35, 23, 4), (640, 3, 64), (1, 300, 1)])
    func aPictureComesBackAsItWas(width: Int, height: Int, padding: Int) throws {
        let folder = try Folder()
        let packed = pixels(width, height, padding: 0)
        let path = folder.path("picture.png")
        try pixels(width, height, padding: padding).withUnsafeBytes { bytes in
            try PNG.write(rgba: bytes, width: width, height: height, bytesPerRow: width * 4 + padding, to: path)
        }
        let image = try PNG.read(path)
        #expect(image.width == width && image.height == height)
        #expect(image.rgba == packed)
        #expect(folder.names == ["picture.png"])
    }

    @Test func aPictureWithoutPadding() throws {
        let folder = try Folder()
        let path = folder.path("picture.png")
        try PNG.write(rgba: pixels(35, 23, padding: 0), width: 35, height: 23, to: path)
        #expect(try PNG.read(path).rgba == pixels(35, 23, padding: 0))
        let error = #expect(throws: PNGError.self) { try PNG.write(rgba: [1, 2, 3], width: 1, height: 1, to: path) }
        #expect(error?.code == .badSize)
    }

    @Test func theSamePictureGivesTheSameBytesWhateverThePadding() throws {
        let first = try encode(pixels(35, 23, padding: 0), 35, 23, 140)
        #expect(try encode(pixels(35, 23, padding: 0), 35, 23, 140) == first)
        #expect(try encode(pixels(35, 23, padding: 20), 35, 23, 160) == first)
        #expect(first.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func aLastRowNeedsNoPadding() throws {
        let bytes = pixels(3, 2, padding: 8)
        #expect(try encode(Array(bytes.dropLast(8)), 3, 2, 20) == encode(pixels(3, 2, padding: 0), 3, 2, 12))
    }

    @Test(arguments: [
        (0, 1, 4, 4), (1, 0, 4, 4), (-1, 1, 4, 4), (2, 2, 7, 100), (2, 2, 8, 15), (2, 2, -8, 16),
        (65_537, 1, 262_148, 8),
        (65_536, 65_536, 262_144, 8), (2, 2, Int.max, 16),
    ])
    func sizesThatDoNotFitAreRefused(width: Int, height: Int, bytesPerRow: Int, count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        let error = #expect(throws: PNGError.self) { try encode(bytes, width, height, bytesPerRow) }
        #expect(error?.code == .badSize)
    }

    @Test func writingReplacesAFileAndKeepsItsPermissionsAndLinks() throws {
        let folder = try Folder()
        let path = folder.path("picture.png")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o640)
        let link = folder.path("link.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "picture.png")
        try write(to: link)
        #expect(try PNG.read(path).width == 2)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "picture.png")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(folder.names == ["link.png", "picture.png"])
    }

    @Test(arguments: [("missing/picture.png", ENOENT), ("file/picture.png", ENOTDIR), (".", EISDIR)])
    func aPathThatCannotBeWrittenIsNamed(name: String, failure: Int32) throws {
        let folder = try Folder()
        try Data().write(to: URL(fileURLWithPath: folder.path("file")))
        let error = #expect(throws: PNGError.self) { try write(to: folder.path(name)) }
        #expect(error?.code == .cannotWrite)
        #expect(error?.underlying == failure)
        #expect(error?.description.contains(folder.path(name)) == true)
        #expect(folder.names == ["file"])
    }

    @Test func aFullDeviceIsAnErrorAndStaysADevice() throws {
        let error = #expect(throws: PNGError.self) { try write(to: "/dev/full") }
        #expect(error?.underlying == ENOSPC)
        try write(to: "/dev/null")
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func aFailedWriteKeepsTheOldFile() throws {
        // A file that can be written, in a folder in which none can be created.
        let path = "/proc/self/comm"
        let old = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: PNGError.self) { try write(to: path) }
        #expect(error?.underlying == ENOENT)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == old)
    }

    @Test func everyTruncationIsRefused() throws {
        let folder = try Folder()
        let whole = try encode(pixels(16, 16, padding: 0), 16, 16, 64)
        let path = folder.path("cut.png")
        for length in stride(from: 0, to: whole.count - 12, by: 7) {
            try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: PNGError.self) { try PNG.read(path) }
            #expect(error?.code == .malformed)
        }
    }

    @Test func filesThatAreNoPNGAreNamed() throws {
        let folder = try Folder()
        let missing = #expect(throws: PNGError.self) { try PNG.read(folder.path("missing.png")) }
        #expect(missing?.code == .cannotOpen && missing?.underlying == ENOENT)
        let directory = #expect(throws: PNGError.self) { try PNG.read(folder.path(".")) }
        #expect(directory?.code == .cannotOpen)
        // A pipe without a writer is not waited for.
        let pipe = folder.path("pipe.png")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: PNGError.self) { try PNG.read(pipe) }
    }

    @Test func aHeaderThatClaimsTooMuchAllocatesNothing() throws {
        let folder = try Folder()
        // Signature and IHDR of 60000 × 60000 RGBA with a right checksum.
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let header: [UInt8] = Array("IHDR".utf8) + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0]
        bytes += header + checksum(header)
        // The reader needs the next chunk before it returns the size.
        bytes += [0, 0, 0, 0] + Array("IDAT".utf8) + checksum(Array("IDAT".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("bomb.png")))
        let error = #expect(throws: PNGError.self) { try PNG.read(folder.path("bomb.png")) }
        #expect(error?.code == .badSize)
        // Also what the caller finds too large.
        try write(to: folder.path("small.png"))
        let small = #expect(throws: PNGError.self) { try PNG.read(folder.path("small.png"), maximumByteCount: 15) }
        #expect(small?.code == .badSize && small?.description.contains("at most 3 pixels") == true)
        #expect(try PNG.read(folder.path("small.png"), maximumByteCount: 16).width == 2)
    }

    private func encode(_ bytes: [UInt8], _ width: Int, _ height: Int, _ bytesPerRow: Int) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            try PNG.encode(rgba: bytes, width: width, height: height, bytesPerRow: bytesPerRow)
        }
    }

    private func write(to path: String) throws {
        try pixels(2, 2, padding: 0).withUnsafeBytes { bytes in
            try PNG.write(rgba: bytes, width: 2, height: 2, bytesPerRow: 8, to: path)
        }
    }

    /// A picture whose pixels all differ from their neighbours, alpha included; padding is 0xAA.
    private func pixels(_ width: Int, _ height: Int, padding: Int) -> [UInt8] {
        (0..<height).flatMap { y in
            (0..<width * 4).map { UInt8(truncatingIfNeeded: $0 * 37 + y * 91) }
                + [UInt8](repeating: 0xAA, count: padding)
        }
    }

    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        let value = ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// A folder of one test's own.
private final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("vitrail-png-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.path + "/" + name }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}
