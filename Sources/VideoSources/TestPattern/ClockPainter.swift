import MediaIO

/// ``ClockFace`` in I420 and NV12.
struct ClockPainter: PatternPainter {
    private let face: ClockFace
    private let (black, dark, white, neutral): (UInt8, UInt8, UInt8, UInt8)

    init(_ face: ClockFace, codes: CodeValues) {
        self.face = face
        (black, dark, white) = (codes.gray(0), codes.gray(ClockFace.ground), codes.gray(1))
        neutral = codes(SIMD3(repeating: 0)).cb
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        planes.fill(0..<1, with: dark)
        planes.fill(1..<planes.count, with: neutral)
        face.draw(index) { area, isWhite in planes.fillLuma(area, with: isWhite ? white : black) }
    }
}

extension WritablePlanes {
    /// Fills the part of an area inside the frame with one luma value.
    fileprivate func fillLuma(_ area: Rectangle, with value: UInt8) {
        let columns = area.columns(size)
        for row in max(0, area.y)..<max(0, area.y, min(size.height, area.y + area.height)) {
            withRowBytes(row, ofPlane: 0) { target in
                let part = UnsafeMutableRawBufferPointer(rebasing: target[columns])
                _ = part.initializeMemory(as: UInt8.self, repeating: value)
            }
        }
    }
}
