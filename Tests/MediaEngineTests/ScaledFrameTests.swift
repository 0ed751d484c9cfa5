import FrameConversion
import MediaIO
import TestSupport
import Testing

@testable import MediaEngine

/// Frames that are scaled, against a reference that is written to be obvious.
@Suite(.timeLimit(.minutes(30))) struct ScaledFrameTests {
    /// The samples of a component, by position.
    struct Samples {
        let width: Int
        let height: Int
        private(set) var values: [Double] = []

        init?(_ buffer: PixelBuffer, _ index: Int) {
            let layout = buffer.format.layout
            guard let component = layout.components[index] else { return nil }
            let isChroma = layout.model == .yCbCr && (index == 1 || index == 2)
            let shift = isChroma ? (x: layout.horizontalShift, y: layout.verticalShift) : (x: 0, y: 0)
            width = (buffer.size.width + (1 << shift.x) - 1) >> shift.x
            height = (buffer.size.height + (1 << shift.y) - 1) >> shift.y
            for row in 0..<height {
                buffer.withRow(row, ofPlane: component.plane) { bytes in
                    for x in 0..<width {
                        let place = component.offset + x * component.step
                        var word = 0
                        for byte in (0..<component.wordBytes).reversed() { word = word << 8 | Int(bytes[place + byte]) }
                        // A sample alone in its word may be above its depth; it counts as the highest value.
                        let (value, most) = (word >> component.shift, 1 << component.depth - 1)
                        let isAlone = component.depth >= 8 && component.wordBytes < 4
                        values.append(Double(isAlone ? min(value, most) : value & most))
                    }
                }
            }
        }
    }

    /// A sample at a position of the source, in samples from the centre of the first: a tent as wide as what a sample of the
    /// target covers.
    private static func tent(_ position: Double, _ step: Double, _ range: ClosedRange<Int>) -> [(Int, Double)] {
        let reach = max(1, step)
        var weights: [(Int, Double)] = []
        for sample in Int((position - reach).rounded(.down))...Int((position + reach).rounded(.up)) {
            let weight = 1 - abs(Double(sample) - position) / reach
            if weight > 0 { weights.append((min(max(sample, range.lowerBound), range.upperBound), weight)) }
        }
        return weights
    }

    /// What a target's axis shows: for each of its samples the weights of the source's, or `nil` in a bar.
    private static func axis(
        target: Int, source: ClosedRange<Int>, length: Double, wanted: Double, block: Int, shift: Int, place: Double
    ) -> [[(Int, Double)]?] {
        // In luma samples: whole blocks of the target have the picture, in the middle.
        var count = target
        if Int(wanted.rounded()) < target {
            count = min(target, max(block, (Int(wanted.rounded()) + block / 2) / block * block))
        }
        let begin = (target - count) / 2 / block * block
        let step = length / Double(count)
        let first = Double(source.lowerBound) + (Double(source.count) - length) / 2
        let siting = place * Double(1 << shift - 1)
        return (0..<(target + (1 << shift) - 1) >> shift).map { sample in
            guard (begin..<begin + count).contains(sample << shift) else { return nil }
            // The position of its centre among the target's luma, then among the source's, then among the source's chroma.
            let luma = Double(sample << shift) + siting + 0.5 - Double(begin)
            let position = (first + luma * step - 0.5 - siting) / Double(1 << shift)
            return tent(position, step, source.lowerBound >> shift...source.upperBound >> shift)
        }
    }

    private static func random(_ format: PixelFormat, _ size: VideoSize, _ seed: UInt64) throws -> PixelBuffer {
        var random = SeededGenerator(seed: seed)
        return try PixelBuffer(format: format, size: size) { planes in
            for plane in 0..<planes.count {
                planes.withPlane(plane) {
                    for index in $0.indices { $0[index] = UInt8.random(in: 0...255, using: &random) }
                }
            }
        }
    }

    struct Case: CustomTestStringConvertible {
        let format: PixelFormat
        let from: VideoSize
        let to: VideoSize
        var crop: Rectangle?
        var ratio = Rational(1)
        var location: ChromaLocation?
        var rotation = VideoRotation.upright
        var testDescription: String { "\(format) \(from) to \(to)" }
    }

    static let cases: [Case] = [
        Case(format: .i420, from: VideoSize(width: 97, height: 61), to: VideoSize(width: 64, height: 36)),
        Case(format: .i420, from: VideoSize(width: 64, height: 36), to: VideoSize(width: 97, height: 61)),
        Case(format: .i420, from: VideoSize(width: 33, height: 21), to: VideoSize(width: 15, height: 7)),
        Case(
            format: .i420, from: VideoSize(width: 61, height: 61), to: VideoSize(width: 101, height: 33),
            location: .center),
        Case(
            format: .i420, from: VideoSize(width: 120, height: 90), to: VideoSize(width: 41, height: 77),
            crop: Rectangle(x: 7, y: 5, width: 71, height: 51), location: .bottomLeft),
        // The same size and columns: only the rows that are cropped away tell that there is something to do.
        Case(
            format: .i420, from: VideoSize(width: 64, height: 48), to: VideoSize(width: 64, height: 48),
            crop: Rectangle(x: 0, y: 0, width: 64, height: 36)),
        Case(
            format: .nv12, from: VideoSize(width: 72, height: 58), to: VideoSize(width: 64, height: 36),
            ratio: Rational(64, 45)),
        Case(
            format: .nv21, from: VideoSize(width: 64, height: 48), to: VideoSize(width: 36, height: 64),
            rotation: .clockwise90),
        Case(format: .yuyv, from: VideoSize(width: 50, height: 30), to: VideoSize(width: 31, height: 31)),
        Case(format: .i444, from: VideoSize(width: 50, height: 30), to: VideoSize(width: 31, height: 31)),
        Case(format: .p010, from: VideoSize(width: 50, height: 30), to: VideoSize(width: 31, height: 31)),
        Case(format: .i010, from: VideoSize(width: 21, height: 31), to: VideoSize(width: 50, height: 30)),
        Case(format: .bgra32, from: VideoSize(width: 50, height: 30), to: VideoSize(width: 31, height: 31)),
        Case(format: .rgb24, from: VideoSize(width: 300, height: 170), to: VideoSize(width: 32, height: 18)),
        Case(format: .rgb565, from: VideoSize(width: 50, height: 30), to: VideoSize(width: 31, height: 31)),
        Case(format: .gray8, from: VideoSize(width: 1, height: 1), to: VideoSize(width: 5, height: 3)),
        Case(format: .i420, from: VideoSize(width: 640, height: 2), to: VideoSize(width: 2, height: 640)),
    ]

    @Test(arguments: cases, ContentMode.allCases) func scalingIsRight(_ test: Case, _ mode: ContentMode) throws {
        let source = try Self.random(test.format, test.from, 7)
        var frame = VideoFrame(source, presentationTime: .seconds(3))
        frame.attributes.crop = test.crop
        frame.attributes.pixelAspectRatio = test.ratio
        frame.attributes.rotation = test.rotation
        frame.attributes.colorTags.chromaLocation = test.location
        let scaled = try FrameScaler(to: test.to, mode: mode).scale(frame)
        let isTurned = test.rotation.isQuarterTurn
        let size = isTurned ? VideoSize(width: test.to.height, height: test.to.width) : test.to
        let result = try scaled.pixelBuffer
        #expect(result.size == size && result.format == test.format)
        #expect(scaled.attributes.crop == nil && scaled.attributes.pixelAspectRatio.value == 1)
        #expect(scaled.attributes.rotation == test.rotation && scaled.presentationTime == .seconds(3))
        // Untagged colours follow from the size, which has changed.
        #expect(scaled.colorSpace == frame.colorSpace)

        let part = frame.visibleRectangle
        let pixel = test.ratio.value
        let factors = (
            x: Double(size.width) / (Double(part.width) * pixel), y: Double(size.height) / Double(part.height)
        )
        let layout = test.format.layout
        let place = frame.chromaLocation.place
        var worst = LargestError()
        for index in 0..<4 {
            guard let from = Samples(source, index), let to = Samples(result, index) else { continue }
            let isChroma = layout.model == .yCbCr && (index == 1 || index == 2)
            let depth = layout.components[index]?.depth ?? 8
            func axis(_ isX: Bool) -> [[(Int, Double)]?] {
                let (own, other) = isX ? (factors.x, factors.y) : (factors.y, factors.x)
                let (first, length) = isX ? (part.x, part.width) : (part.y, part.height)
                let target = isX ? size.width : size.height
                let shift = isX ? layout.horizontalShift : layout.verticalShift
                return Self.axis(
                    target: target, source: first...first + length - 1,
                    length: mode == .fill ? Double(length) * min(1, own / other) : Double(length),
                    wanted: mode == .fit ? Double(target) * min(1, other / own) : Double(target), block: 1 << shift,
                    shift: isChroma ? shift : 0, place: isX ? place.x : place.y)
            }
            let (columns, rows) = (axis(true), axis(false))
            #expect(columns.count == to.width && rows.count == to.height)
            let isLimited = frame.colorSpace.range == .limited && depth >= 8
            let black =
                index == 3 ? (1 << depth - 1) : isChroma ? 128 << (depth - 8) : isLimited ? 16 << (depth - 8) : 0
            for y in rows.indices {
                for x in columns.indices {
                    var exact = Double(black)
                    if let column = columns[x], let row = rows[y] {
                        var (sum, total) = (0.0, 0.0)
                        for (line, down) in row {
                            for (sample, across) in column {
                                sum += from.values[line * from.width + sample] * down * across
                                total += down * across
                            }
                        }
                        exact = sum / total
                    }
                    worst.add(to.values[y * to.width + x] - exact)
                }
            }
        }
        #expect(worst.value <= 0.51, "\(worst.value)")
    }

    /// Cameras' own formats and floating-point numbers are scaled after a conversion.
    @Test(arguments: [PixelFormat.v210, .rgba64f, .rggb8]) func otherFormats(_ format: PixelFormat) throws {
        let frame = VideoFrame(try PixelBuffer(format: format, size: VideoSize(width: 48, height: 36)) { _ in })
        let scaled = try FrameScaler(to: VideoSize(width: 32, height: 18)).scale(frame)
        #expect(scaled.image.size == VideoSize(width: 32, height: 18))
    }

    @Test func sizesAreChecked() {
        for size in [VideoSize(width: 0, height: 8), VideoSize(width: 8, height: 16_385)] {
            let error = #expect(throws: StreamError.self) { try FrameScaler(to: size) }
            #expect(error?.code == .sizeOutOfRange)
        }
    }

    // MARK: In the engine

    /// What is published has the size, with bars; the preview keeps the frames' own.
    @Test func whatIsPublishedHasItsSize() throws {
        let engine = VideoEngine()
        let local = engine.channel()
        let (preview, published, other) = (RecordingSink(), RecordingSink(.rawData, [.nv12]), RecordingSink())
        try local.add(preview, for: .preview)
        try local.add(published, for: .publishing)
        try local.add(other, for: .publishing)
        let capture = try local.enableCustomCapture()
        local.publishedSize = VideoSize(width: 64, height: 36)
        try local.startPreview()
        try local.startPublishing()
        let frame = try markedFrame(200, .i420, size: VideoSize(width: 48, height: 36))
        for mode in ContentMode.allCases {
            local.fillMode = mode
            #expect(capture.push(frame) == .delivered)
        }
        #expect(preview.frames.allSatisfy { $0.image.size == VideoSize(width: 48, height: 36) })
        #expect(published.frames.allSatisfy { $0.image.size == VideoSize(width: 64, height: 36) })
        #expect(published.frames.allSatisfy { $0.image.format == .nv12 } && other.frames.count == 3)
        // Black bars at both sides of what is fitted, and nowhere else.
        let corners = published.frames.map { frame in
            (try? frame.pixelBuffer.withRow(0, ofPlane: 0) { [$0[0], $0[7], $0[8], $0[55], $0[56]] }) ?? []
        }
        for (mode, corner) in zip(ContentMode.allCases, corners) {
            #expect(corner == (mode == .fit ? [16, 16, 200, 200, 16] : [200, 200, 200, 200, 200]))
        }
        #expect(local.statistics(of: other)?.converted == 3)
        // A frame of the size is passed on as it is, and without a size all are.
        capture.push(try markedFrame(1, size: VideoSize(width: 64, height: 36)))
        #expect(local.statistics(of: other)?.passed == 1)
        local.publishedSize = nil
        capture.push(frame)
        #expect(other.frames.last?.image.size == VideoSize(width: 48, height: 36))
        // A size that cannot be made is explained.
        local.publishedSize = VideoSize(width: 0, height: 0)
        capture.push(frame)
        #expect(local.statistics(of: other)?.problem?.contains("16384") == true && other.frames.count == 5)
        engine.dispose()
    }

    @Test(.enabled(if: HeapCounter.isAvailable, "A sanitizer has its own.")) func scalingAllocatesNothing() throws {
        let sink = FrameHandler(pixelFormats: [.i420]) { _ in }
        let scaling = ConvertingSink(sink, size: VideoSize(width: 161, height: 91))
        let frame = VideoFrame(try Self.random(.i420, VideoSize(width: 333, height: 221), 1))
        for _ in 0..<5 { scaling.consume(frame) }
        #expect(HeapCounter.count { for _ in 0..<20 { scaling.consume(frame) } } == 0)
        #expect(scaling.statistics.converted == 25)
    }
}
