import MediaIO

/// White digits on dark grey: the time as `HH:MM:SS.mmm`, below it the frame number, below that a bar that grows over a
/// second, and at the bottom the cells of ``TestPatternClock``.
struct ClockFace {
    /// The size of the frame.
    let size: VideoSize
    /// The unreduced size, in which digits and bar are placed.
    let full: VideoSize
    /// Frames per second.
    let frameRate: Rational

    /// The brightness of the background: 0 black, 1 white.
    static let ground = 0.15

    /// Passes the rectangles of frame `index` to `fill`, from back to front.
    ///
    /// **Cost:** about 200 rectangles; allocates nothing.
    ///
    /// - Parameters:
    ///   - index: the index of the frame.
    ///   - fill: fills a rectangle, which may extend beyond the frame, white or black.
    func draw(_ index: Int, _ fill: (_ area: Rectangle, _ isWhite: Bool) -> Void) {
        func white(_ area: Rectangle) { fill(reduced(area), true) }
        let size = full
        let milliseconds = self.milliseconds(index)
        let cell = (width: size.width / 14, time: size.height * 5 / 16, frame: size.height / 4)
        var pen = SevenSegments(x: cell.width, y: size.height / 16, width: cell.width, height: cell.time)
        pen.draw(milliseconds / 3_600_000 % 100, digits: 2, white)
        pen.drawColon(white)
        pen.draw(milliseconds / 60_000 % 60, digits: 2, white)
        pen.drawColon(white)
        pen.draw(milliseconds / 1000 % 60, digits: 2, white)
        pen.drawPoint(white)
        pen.draw(milliseconds % 1000, digits: 3, white)

        pen = SevenSegments(x: cell.width, y: size.height * 7 / 16, width: cell.width, height: cell.frame)
        pen.draw(index, digits: 12, white)

        white(
            Rectangle(
                x: cell.width, y: size.height * 12 / 16, width: cell.width * 12 * (milliseconds % 1000) / 1000,
                height: size.height / 16))

        for number in 0..<TestPatternClock.cellCount {
            fill(TestPatternClock.cell(number, self.size), TestPatternClock.isWhite(cell: number, frame: index))
        }
    }

    /// The area in this frame for an area of the full size.
    private func reduced(_ area: Rectangle) -> Rectangle {
        let (x, y) = (area.x * size.width / full.width, area.y * size.height / full.height)
        return Rectangle(
            x: x, y: y, width: (area.x + area.width) * size.width / full.width - x,
            height: (area.y + area.height) * size.height / full.height - y)
    }

    private func milliseconds(_ index: Int) -> Int {
        let (seconds, attoseconds) = frameRate.time(ofFrame: index).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension ClockFace: PatternRows {
    func paint(_ y: Int, of index: Int, into row: UnsafeMutableBufferPointer<SIMD3<Double>>) {
        row.update(repeating: SIMD3(repeating: Self.ground))
        draw(index) { area, isWhite in
            guard y >= area.y, y < area.y + area.height else { return }
            row[area.columns(size)].update(repeating: SIMD3(repeating: isWhite ? 1 : 0))
        }
    }
}

extension Rectangle {
    /// The columns that lie in a frame of that size.
    func columns(_ size: VideoSize) -> Range<Int> {
        let first = max(0, min(x, size.width))
        return first..<max(first, min(size.width, x + width))
    }
}
