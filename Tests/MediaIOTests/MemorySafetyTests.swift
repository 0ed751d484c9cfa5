import MediaIO
import Testing

/// What is lent cannot be read or written beyond its end, in release builds neither.
struct MemorySafetyTests {
    static let size = VideoSize(width: 4, height: 2)

    static func fill(_ body: (borrowing WritablePlanes) throws(StreamError) -> Void) {
        do {
            _ = try PixelBuffer(format: .i420, size: size, fill: body)
        } catch { print(error) }
    }

    @Test func rowsAndPlanesThatDoNotExistAreNotWritten() async {
        await #expect(processExitsWith: .failure) { Self.fill { $0.withRow(2, ofPlane: 0) { $0[0] = 1 } } }
        // Chroma has one row; the second one would be in the padding or behind the plane.
        await #expect(processExitsWith: .failure) { Self.fill { $0.withRow(1, ofPlane: 1) { $0[0] = 1 } } }
        await #expect(processExitsWith: .failure) { Self.fill { $0.withRow(-1, ofPlane: 0) { $0[0] = 1 } } }
        await #expect(processExitsWith: .failure) { Self.fill { $0.withRow(0, ofPlane: 3) { $0[0] = 1 } } }
        await #expect(processExitsWith: .failure) { Self.fill { $0.withPlane(3) { $0[0] = 1 } } }
        await #expect(processExitsWith: .failure) { Self.fill { _ = $0.bytesPerRow(-1) } }
        await #expect(processExitsWith: .failure) { Self.fill { $0.withRow(0, ofPlane: 0) { $0[4] = 1 } } }
        // The same without the mistake.
        await #expect(processExitsWith: .success) {
            Self.fill { planes in
                for (plane, rows) in [(0, 2), (1, 1), (2, 1)] {
                    planes.withPlane(plane) { $0.update(repeating: 7) }
                    for row in 0..<rows { planes.withRow(row, ofPlane: plane) { $0[0] = 1 } }
                }
            }
        }
    }

    static func read(_ body: (PixelBuffer) -> Void) {
        if let buffer = try? PixelBuffer(format: .i420, size: size, fill: { _ in }) { body(buffer) }
    }

    @Test func rowsAndPlanesThatDoNotExistAreNotRead() async {
        await #expect(processExitsWith: .failure) { Self.read { $0.withRow(2, ofPlane: 0) { print($0[0]) } } }
        await #expect(processExitsWith: .failure) { Self.read { $0.withRow(-1, ofPlane: 0) { print($0[0]) } } }
        await #expect(processExitsWith: .failure) { Self.read { $0.withRow(0, ofPlane: 0) { print($0[4]) } } }
        await #expect(processExitsWith: .failure) { Self.read { $0.withPlane(3) { print($0.bytes.count) } } }
        await #expect(processExitsWith: .success) { Self.read { $0.withRow(1, ofPlane: 0) { print($0[3]) } } }
    }

    /// Planes that are too few or too short were read and written beyond their ends.
    @Test(
        arguments: [
            ("none", [], StreamError.Code.planeCount), ("two", [8, 2], .planeCount),
            ("four", [8, 2, 2, 2], .planeCount),
            ("short luma", [7, 2, 2], .tooShort), ("short chroma", [8, 2, 1], .tooShort),
        ] as [(String, [Int], StreamError.Code)]) func onlyPlanesThatFitAreCopied(
            _ name: String, _ lengths: [Int], _ code: StreamError.Code
        )
    {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
        defer { memory.deallocate() }
        let planes = lengths.enumerated().map { index, length in
            PixelBuffer.Plane(
                bytes: UnsafeRawBufferPointer(rebasing: memory[..<length]), bytesPerRow: index == 0 ? 4 : 2)
        }
        let error = #expect(throws: StreamError.self) {
            try PixelBuffer(format: .i420, size: Self.size) { target in
                target.withPlane(0) { $0.update(repeating: 9) }
                do throws(StreamError) { try target.copy(planes) } catch {
                    #expect(target.withPlane(0) { $0[0] } == 9)
                    throw error
                }
            }
        }
        #expect(error?.code == code)
    }
}
