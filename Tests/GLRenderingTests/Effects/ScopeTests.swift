import Testing

/// What the scopes show, in two sizes.
@Suite struct ScopeTests {
    static let sizes = [(320, 180), (500, 260)]

    /// How bright a pixel at a place of the picture is.
    private func brightness(_ picture: SpatialPicture, _ u: Double, _ v: Double) -> Double {
        let color = picture[Int(u * Double(picture.width)), Int(v * Double(picture.height))]
        return max(color[0], color[1], color[2])
    }

    @Test(arguments: sizes) func waveformOfAFlatPictureIsALine(_ width: Int, _ height: Int) throws {
        let wall = try SpatialWall("waveform", width, height)
        let drawn = try wall.draw(.flat(width, height, 96, 96, 96))
        // The middle of bin 96 from the bottom, of 256 that fill the height but for 3 % above and below.
        let line = 0.5 + ((255.5 - 96) / 256 - 0.5) / 1.06
        for u in [0.02, 0.3, 0.98] {
            #expect(brightness(drawn, u, line) > 0.9)
            for away in [-0.03, 0.03] { #expect(brightness(drawn, u, line + away) < 0.05) }
            // The graticule's lines at 0 and 100 %.
            for row in [0.0, 255] {
                let v = 0.5 + ((255.5 - row) / 256 - 0.5) / 1.06
                #expect(brightness(drawn, u, v) > 0.1)
            }
        }
    }

    @Test func paradeHasThreeColors() throws {
        let wall = try SpatialWall("waveform", 600, 256)
        try wall.set("of", "parade")
        let drawn = try wall.draw(.flat(600, 256, 40, 110, 220))
        for (part, code) in [40.0, 110, 220].enumerated() {
            let row = Int((0.5 + ((255.5 - code) / 256 - 0.5) / 1.06) * 256)
            let pixel = drawn[100 + 200 * part, row]
            #expect(pixel[part] > 0.9 && pixel[(part + 1) % 3] < 0.5 && pixel[(part + 2) % 3] < 0.5)
        }
    }

    /// Bars of 75 % meet their boxes, in whose middles nothing else is shown.
    @Test(arguments: sizes) func barsMeetTheirBoxes(_ width: Int, _ height: Int) throws {
        let wall = try SpatialWall("vectorscope", width, height)
        let bars = SpatialPicture.codes(width, height) { x, _ in
            let color = 1 + x * 6 / width
            return (0..<3).map { Double(color >> $0 & 1) * 0.75 }
        }
        let drawn = try wall.draw(bars)
        let gray = try wall.draw(.flat(width, height, 128, 128, 128))
        let side = Double(min(width, height))
        for color in 1...6 {
            let parts = (0..<3).map { Double(color >> $0 & 1) * 0.75 }
            let luma = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
            let (cb, cr) = ((parts[2] - luma) / 1.8556, (parts[0] - luma) / 1.5748)
            func shown(_ picture: SpatialPicture, _ right: Double, _ up: Double) -> Double {
                brightness(
                    picture, 0.5 + (cb + right) * 254 / 257 * side / Double(width),
                    0.5 - (cr + up) * 254 / 257 * side / Double(height))
            }
            // A dot is about a bin wide, which may be less than a pixel.
            let dot = [-0.004, 0, 0.004].flatMap { x in [-0.004, 0, 0.004].map { shown(drawn, x, $0) } }.max() ?? 0
            #expect(dot > 0.5, "colour \(color)")
            #expect(shown(gray, 0, 0) == 0)
            // The box's sides.
            for (right, up) in [(0.025, 0), (-0.025, 0), (0, 0.025), (0, -0.025)] {
                #expect(shown(gray, right, up) > 0.02, "colour \(color)")
            }
        }
        #expect(brightness(gray, 0.5, 0.5) > 0.5)
    }

    @Test(arguments: sizes) func histogramOfTwoGraysIsTwoBars(_ width: Int, _ height: Int) throws {
        let wall = try SpatialWall("histogram", width, height)
        // Three quarters of the picture are 60, one quarter 180.
        let picture = SpatialPicture.codes(width, height) { x, _ in
            Array(repeating: (x < width * 3 / 4 ? 60.0 : 180) / 255, count: 3)
        }
        let linear = try wall.draw(picture)
        try wall.set("scale", "root")
        let root = try wall.draw(picture)
        for (drawn, second) in [(linear, 1.0 / 3), (root, (1.0 / 3).squareRoot())] {
            for (code, share) in [(60.5, 1), (180.5, second)] {
                for v in [0.02, 0.2, 0.4, 0.6, 0.8, 0.98] {
                    let isBar = 1 - v < share
                    #expect((brightness(drawn, code / 256, v) > 0.5) == isBar, "\(code) \(v)")
                }
            }
            for code in [10.5, 55.5, 120.5, 250.5] { #expect(brightness(drawn, code / 256, 0.98) == 0) }
        }
    }

    /// Over the picture, a scope leaves all but the lower right corner as it is.
    @Test(arguments: ["waveform", "vectorscope", "histogram"]) func anOverlayLeavesTheRest(_ name: String) throws {
        let picture = SpatialPicture.waves(200, 120)
        let wall = try SpatialWall(name, 200, 120)
        try wall.set("show", "overlay")
        let drawn = try wall.draw(picture)
        var changed = 0
        for y in 0..<120 {
            for x in 0..<200 {
                let difference = (0..<3).map { abs(drawn[x, y, $0] - picture[x, y, $0]) }.max() ?? 0
                if difference > 0.1 { changed += 1 }
                if x < 100 || y < 60 { try #require(difference <= 0.25 / 255) }
            }
        }
        #expect(changed > 2_000)
    }
}
