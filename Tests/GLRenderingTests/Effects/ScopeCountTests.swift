import Testing

/// The scopes count each of their points once, in the right bin.
@Suite struct ScopeCountTests {
    /// Noise in which all components are equal, so that luma has whole code values, too.
    private func grayNoise(_ width: Int, _ height: Int) -> SpatialPicture {
        let noise = SpatialPicture.noise(width, height)
        return .codes(width, height) { x, y in Array(repeating: noise[x, y, 0], count: 3) }
    }

    private func code(_ value: Double) -> Int { Int((value * 255).rounded()) }

    /// A picture of as many pixels as there are points, each of which reads a pixel's middle.
    @Test func waveformCountsLumaByColumn() throws {
        let picture = grayNoise(768, 256)
        let bins = try ScopeBins("waveform", 768, 256, of: picture)
        var expected = [Int](repeating: 0, count: 768 * 256)
        for y in 0..<256 {
            for x in 0..<768 { expected[(255 - code(picture[x, y, 0])) * 768 + x] += 1 }
        }
        #expect(bins.counts == expected)
        #expect(bins.sum == 768 * 256)
    }

    /// Each third of the columns is a component of the whole picture.
    @Test func paradeCountsComponentsSideBySide() throws {
        // Three pixels of one colour, whose middle is where a point reads.
        let noise = SpatialPicture.noise(256, 256)
        let picture = SpatialPicture(768, 256) { x, y in noise[x / 3, y] }
        let bins = try ScopeBins("waveform", 768, 256, of: picture) { try $0.set("of", "parade") }
        var expected = [Int](repeating: 0, count: 768 * 256)
        for y in 0..<256 {
            for x in 0..<768 { expected[(255 - code(noise[x % 256, y, x / 256])) * 768 + x] += 1 }
        }
        #expect(bins.counts == expected)
    }

    @Test(arguments: [(0, 0, 0), (255, 255, 255), (200, 30, 90), (16, 235, 128)]) func aFlatPictureIsOneBin(
        _ red: Int, _ green: Int, _ blue: Int
    ) throws {
        let luma = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
        // Sizes that the points do not fit.
        func flat(_ width: Int, _ height: Int) -> SpatialPicture { .flat(width, height, red, green, blue) }

        let waveform = try ScopeBins("waveform", 768, 256, of: flat(775, 259))
        let row = 255 - Int(luma.rounded())
        #expect(waveform.filled.count == 768 && waveform.filled.allSatisfy { $0.y == row })
        #expect((0..<768).allSatisfy { waveform[$0, row] == 256 })

        let histogram = try ScopeBins("histogram", 256, 4, of: flat(261, 31))
        #expect(histogram.filled.map(\.x) == [Int(luma.rounded()), red, green, blue])
        #expect(histogram.filled.allSatisfy { histogram[$0.x, $0.y] == 320 * 180 })

        let vectorscope = try ScopeBins("vectorscope", 257, 257, of: flat(261, 263))
        let cb = (Double(blue) - luma) / 1.8556 / 255
        let cr = (Double(red) - luma) / 1.5748 / 255
        let bin = (x: Int(128.5 + 254 * cb), y: Int(128.5 - 254 * cr))
        #expect(vectorscope.filled.count == 1)
        #expect(vectorscope[bin.x, bin.y] == 512 * 288)
    }

    @Test func histogramCountsComponents() throws {
        let picture = SpatialPicture.noise(320, 180)
        let bins = try ScopeBins("histogram", 256, 4, of: picture)
        for part in 0..<3 {
            var expected = [Int](repeating: 0, count: 256)
            for y in 0..<180 {
                for x in 0..<320 { expected[code(picture[x, y, part])] += 1 }
            }
            #expect((0..<256).map { bins[$0, part + 1] } == expected)
        }
        #expect((0..<256).reduce(0) { $0 + bins[$1, 0] } == 320 * 180)
    }

    @Test func histogramCountsLuma() throws {
        let picture = grayNoise(320, 180)
        let bins = try ScopeBins("histogram", 256, 4, of: picture)
        for row in 1..<4 { #expect((0..<256).allSatisfy { bins[$0, 0] == bins[$0, row] }) }
    }

    /// No colour lies outside, so that each point of noise is in a bin.
    @Test func vectorscopeCountsEveryPoint() throws {
        let corners = SpatialPicture.codes(512, 288) { x, y in
            [Double(x / 64 & 1), Double(x / 64 >> 1 & 1), Double(x / 64 >> 2 & 1)]
        }
        for picture in [SpatialPicture.noise(512, 288), corners] {
            #expect(try ScopeBins("vectorscope", 257, 257, of: picture).sum == 512 * 288)
        }
    }
}
