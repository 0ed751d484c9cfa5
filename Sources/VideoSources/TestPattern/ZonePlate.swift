import Glibc
import MediaIO

/// A grey wave whose frequency grows with the distance from the centre.
///
/// At the end of the longer side it is half a cycle per pixel, the finest that samples can represent. Rings elsewhere
/// than around the centre are aliasing.
struct ZonePlate {
    /// The phase of each column; a cycle is 2³².
    let columns: [UInt32]
    /// The phase of each row.
    let rows: [UInt32]
    /// The brightness over one cycle, in 1024 steps: 0 black, 1 white.
    static let wave = (0..<1024).map { 0.5 + 0.5 * cos(Double($0) / 1024 * 2 * .pi) }

    init(size: VideoSize) {
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
    }

    /// The phase of row `y` in frame `index`.
    ///
    /// One cycle takes 32 frames; the phase grows with the distance, so subtracting moves the rings outwards.
    func phase(_ y: Int, _ index: Int) -> UInt32 { rows[y] &- UInt32(truncatingIfNeeded: index) &* (1 << 27) }
}

extension ZonePlate: PatternRows {
    func paint(_ y: Int, of index: Int, into row: UnsafeMutableBufferPointer<SIMD3<Double>>) {
        let phase = phase(y, index)
        Self.wave.withUnsafeBufferPointer { wave in
            for x in row.indices { row[x] = SIMD3(repeating: wave[Int((columns[x] &+ phase) >> 22)]) }
        }
    }
}
