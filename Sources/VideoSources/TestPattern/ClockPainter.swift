import MediaIO

/// White digits on dark grey: the time as `HH:MM:SS.mmm`, below it the frame number, below that a bar that grows over a
/// second, and at the bottom the cells of ``TestPatternClock``.
struct ClockPainter: PatternPainter {
    private let size: VideoSize
    private let frameRate: Rational
    private let (black, dark, white, neutral): (UInt8, UInt8, UInt8, UInt8)

    init(size: VideoSize, frameRate: Rational, codes: CodeValues) {
        self.size = size
        self.frameRate = frameRate
        (black, dark, white) = (codes.gray(0), codes.gray(0.15), codes.gray(1))
        neutral = codes(SIMD3(repeating: 0)).cb
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        planes.fill(0..<1, with: dark)
        planes.fill(1..<planes.count, with: neutral)
        let milliseconds = self.milliseconds(index)
        let cell = (width: size.width / 14, time: size.height * 5 / 16, frame: size.height / 4)
        var pen = SevenSegments(
            x: cell.width, y: size.height / 16, width: cell.width, height: cell.time, value: white)
        pen.draw(milliseconds / 3_600_000 % 100, digits: 2, size, planes)
        pen.drawColon(size, planes)
        pen.draw(milliseconds / 60_000 % 60, digits: 2, size, planes)
        pen.drawColon(size, planes)
        pen.draw(milliseconds / 1000 % 60, digits: 2, size, planes)
        pen.drawPoint(size, planes)
        pen.draw(milliseconds % 1000, digits: 3, size, planes)

        pen = SevenSegments(
            x: cell.width, y: size.height * 7 / 16, width: cell.width, height: cell.frame, value: white)
        pen.draw(index, digits: 12, size, planes)

        let bar = Rectangle(
            x: cell.width, y: size.height * 12 / 16, width: cell.width * 12 * (milliseconds % 1000) / 1000,
            height: size.height / 16)
        planes.fillLuma(bar, with: white, size)

        for number in 0..<TestPatternClock.cellCount {
            let isWhite = TestPatternClock.isWhite(cell: number, frame: index)
            planes.fillLuma(TestPatternClock.cell(number, size), with: isWhite ? white : black, size)
        }
    }

    private func milliseconds(_ index: Int) -> Int {
        let (seconds, attoseconds) = frameRate.time(ofFrame: index).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension WritablePlanes {
    /// Writes one value into the part of the luma plane that lies in the picture.
    func fillLuma(_ area: Rectangle, with value: UInt8, _ size: VideoSize) {
        let columns = max(0, area.x)..<max(0, area.x, min(size.width, area.x + area.width))
        for row in max(0, area.y)..<max(0, area.y, min(size.height, area.y + area.height)) {
            withRow(row, ofPlane: 0) { target in
                let part = UnsafeMutableRawBufferPointer(rebasing: target[columns])
                _ = part.initializeMemory(as: UInt8.self, repeating: value)
            }
        }
    }
}
