import Glibc
import MediaIO

/// A grey wave whose frequency grows with the distance from the centre.
///
/// At the end of the longer side it is half a turn a pixel, the finest that samples can hold. What shows rings elsewhere than around the centre scales or filters badly.
struct ZonePlatePainter: PatternPainter {
    private let size: VideoSize
    /// The share of a column and of a row in the phase; a turn is 2³².
    private let columns: [UInt32]
    private let rows: [UInt32]
    /// The code values of one turn, in 1024 steps.
    private let wave: [UInt8]
    private let neutral: UInt8

    init(size: VideoSize, codes: CodeValues) {
        let longer = Double(max(size.width, size.height))
        func phases(_ length: Int) -> [UInt32] {
            (0..<length).map { position in
                let distance = Double(position) - Double(length - 1) / 2
                let turns = distance * distance / (2 * longer)
                return UInt32(truncatingIfNeeded: Int(turns * 4_294_967_296))
            }
        }
        self.columns = phases(size.width)
        self.rows = phases(size.height)
        self.wave = (0..<1024).map { codes.gray(0.5 + 0.5 * cos(Double($0) / 1024 * 2 * .pi)) }
        self.neutral = codes(SIMD3(repeating: 0)).cb
        self.size = size
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        planes.fill(1..<planes.count, with: neutral)
        // A turn in 32 frames; the distance grows with the phase, so taking away moves the rings outwards.
        let time = UInt32(truncatingIfNeeded: index) &* (1 << 27)
        columns.withUnsafeBufferPointer { columns in
            wave.withUnsafeBufferPointer { wave in
                for row in 0..<size.height {
                    let phase = rows[row] &- time
                    planes.withRow(row, ofPlane: 0) { target in
                        let bytes = target.assumingMemoryBound(to: UInt8.self)
                        for x in 0..<columns.count { bytes[x] = wave[Int((columns[x] &+ phase) >> 22)] }
                    }
                }
            }
        }
    }
}
