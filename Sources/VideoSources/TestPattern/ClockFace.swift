import MediaIO

/// White digits on dark grey: the time as `HH:MM:SS.mmm`, below it the number of the frame, below that a bar that grows
/// over a second, and at the bottom the cells of ``TestPatternClock``.
struct ClockFace {
    /// The size of the frame.
    let size: VideoSize
    /// The unreduced size, in which digits and bar are placed.
    let full: VideoSize
    /// Frames per second.
    let frameRate: Rational

    /// How bright an area is.
    enum Tone {
        /// The background.
        case ground
        /// A segment of a digit that is not lit.
        case unlit
        /// A cell for 0.
        case black
        /// All else.
        case white

        /// From 0 for black to 1 for white.
        var brightness: Double {
            switch self {
            case .ground: 0.15
            case .unlit: 0.218
            case .black: 0
            case .white: 1
            }
        }
    }

    /// Passes the rectangles of frame `index` to `fill`, from back to front.
    ///
    /// **Cost:** about 3000 rectangles for a frame of 1280 × 720; allocates nothing.
    ///
    /// - Parameters:
    ///   - index: the index of the frame.
    ///   - row: the only row that is needed; `nil` for all. Other rectangles may be left out.
    ///   - fill: fills a rectangle, which may extend beyond the frame.
    func draw(_ index: Int, row: Int? = nil, _ fill: (_ area: Rectangle, _ tone: Tone) -> Void) {
        func digits(_ area: Rectangle, _ isLit: Bool) { fill(reduced(area), isLit ? .white : .unlit) }
        let size = full
        let milliseconds = self.milliseconds(index)
        let width = size.width / 14
        let time = Rectangle(x: width, y: size.height / 8, width: width, height: size.height * 3 / 16)
        if isNeeded(time, row) {
            var pen = SevenSegments(x: time.x, y: time.y, width: width, height: time.height)
            // More hours do not fit: those of the day, of the time since 1970.
            let hours = milliseconds / 3_600_000
            pen.draw(hours < 100 ? hours : hours % 24, digits: 2, digits)
            pen.drawColon(digits)
            pen.draw(milliseconds / 60_000 % 60, digits: 2, digits)
            pen.drawColon(digits)
            pen.draw(milliseconds / 1000 % 60, digits: 2, digits)
            pen.drawPoint(digits)
            pen.draw(milliseconds % 1000, digits: 3, digits)
        }
        let frame = Rectangle(x: width, y: size.height * 15 / 32, width: width, height: size.height * 3 / 20)
        if isNeeded(frame, row) {
            var pen = SevenSegments(x: frame.x, y: frame.y, width: width, height: frame.height)
            pen.draw(index, digits)
        }

        let bar = Rectangle(
            x: width, y: size.height * 12 / 16, width: width * 12 * (milliseconds % 1000) / 1000,
            height: size.height / 16)
        fill(reduced(bar), .white)

        for number in 0..<TestPatternClock.cellCount {
            let isWhite = TestPatternClock.isWhite(cell: number, frame: index)
            fill(TestPatternClock.cell(number, self.size), isWhite ? .white : .black)
        }
    }

    /// Whether an area of the full size has pixels of a row of this frame.
    private func isNeeded(_ area: Rectangle, _ row: Int?) -> Bool {
        guard let row else { return true }
        let area = reduced(area)
        return row >= area.y && row < area.y + area.height
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
        row.update(repeating: SIMD3(repeating: Tone.ground.brightness))
        draw(index, row: y) { area, tone in
            guard y >= area.y, y < area.y + area.height else { return }
            row[area.columns(size)].update(repeating: SIMD3(repeating: tone.brightness))
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
