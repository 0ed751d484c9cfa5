import MediaIO

/// ``ZonePlate`` in I420 and NV12.
struct ZonePlatePainter: PatternPainter {
    private let plate: ZonePlate
    /// The code values of one cycle, in 1024 steps.
    private let wave: [UInt8]
    private let neutral: UInt8

    init(size: VideoSize, codes: CodeValues) {
        self.plate = ZonePlate(size: size)
        self.wave = ZonePlate.wave.map(codes.gray)
        self.neutral = codes(SIMD3(repeating: 0)).cb
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        planes.fill(1..<planes.count, with: neutral)
        plate.columns.withUnsafeBufferPointer { columns in
            wave.withUnsafeBufferPointer { wave in
                for row in plate.rows.indices {
                    let phase = plate.phase(row, index)
                    planes.withRowBytes(row, ofPlane: 0) { target in
                        let bytes = target.assumingMemoryBound(to: UInt8.self)
                        for x in 0..<columns.count { bytes[x] = wave[Int((columns[x] &+ phase) >> 22)] }
                    }
                }
            }
        }
    }
}
