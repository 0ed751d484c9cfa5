import MediaIO

/// ``ClockFace`` in I420 and NV12.
struct ClockPainter: PatternPainter {
    private let face: ClockFace
    private let (ground, unlit, black, white, neutral): (UInt8, UInt8, UInt8, UInt8, UInt8)

    init(_ face: ClockFace, codes: CodeValues) {
        self.face = face
        (ground, unlit) = (codes.gray(ClockFace.Tone.ground.brightness), codes.gray(ClockFace.Tone.unlit.brightness))
        (black, white) = (codes.gray(ClockFace.Tone.black.brightness), codes.gray(ClockFace.Tone.white.brightness))
        neutral = codes(SIMD3(repeating: 0)).cb
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        planes.fill(0..<1, with: ground)
        planes.fill(1..<planes.count, with: neutral)
        face.draw(index) { area, tone in
            let value =
                switch tone {
                case .ground: ground
                case .unlit: unlit
                case .black: black
                case .white: white
                }
            planes.fillLuma(area, with: value)
        }
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
