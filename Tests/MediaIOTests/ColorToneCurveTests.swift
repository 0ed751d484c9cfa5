import MediaIO
import TestSupport
import Testing

/// The tone curve against BT.2390 step by step, its shape, and metadata that make no sense.
@Suite struct ColorToneCurveTests {
    @Test(arguments: ColorReference.metadata) func followsTheClause(_ metadata: HDRMetadata?) {
        let curve = ToneCurve(metadata, of: .pq)
        for step in 0...4095 {
            let luminance = ColorReference.pqLuminance(Double(step) / 4095)
            let expected = ColorReference.toneMapped(luminance, metadata) / 203
            #expect(abs(curve(luminance / 203) - expected) < 1e-9, "\(luminance) cd/m²")
        }
    }

    @Test(arguments: ColorReference.metadata) func risesFromBlackToWhite(_ metadata: HDRMetadata?) {
        let curve = ToneCurve(metadata, of: .pq)
        var last = 0.0
        for step in 0...4095 {
            let mapped = curve(ColorReference.pqLuminance(Double(step) / 4095) / 203)
            #expect(mapped >= last && mapped <= 1)
            last = mapped
        }
        #expect(curve(0.0) < 1e-9)
        // The clause's term for black takes a little from white, too.
        #expect(curve(ToneCurve.sourcePeak(of: .pq, metadata) / 203) > 0.98)
        #expect(curve(50) > 0.98)
    }

    @Test func belowTheKneeNothingChanges() {
        let curve = ToneCurve(of: .pq)
        let knee = ColorReference.pqLuminance(curve.knee * ColorReference.pqCode(1000)) / 203
        #expect(knee > 0.2 && knee < 0.9)
        for step in 1...100 {
            let light = knee * Double(step) / 101
            #expect(abs(curve(light) / light - 1) < 1e-9)
        }
        #expect(curve(knee * 1.2) < knee * 1.2)
    }

    @Test func theHueStays() {
        let light = SIMD3(4.0, 1, 0.5)
        let mapped = ToneCurve(of: .pq)(light)
        #expect(mapped.x <= 1 && mapped.x > 0.9)
        #expect(abs(mapped.x / mapped.y - 4) < 1e-9 && abs(mapped.x / mapped.z - 8) < 1e-9)
        #expect(ToneCurve(of: .pq)(SIMD3(-1.0, -2, 0)) == SIMD3(repeating: 0))
    }

    struct Peak: Sendable {
        let metadata: HDRMetadata?
        let peak: Double
    }

    @Test(arguments: [
        Peak(metadata: nil, peak: 1000), Peak(metadata: HDRMetadata(), peak: 1000),
        Peak(metadata: HDRMetadata(maximumLuminance: 4000), peak: 4000),
        Peak(metadata: HDRMetadata(maximumLuminance: 4000, maximumContentLight: 1720), peak: 1720),
        Peak(metadata: HDRMetadata(maximumContentLight: 100), peak: 203),
        Peak(metadata: HDRMetadata(maximumLuminance: 10_000), peak: 10_000),
        Peak(metadata: HDRMetadata(maximumLuminance: 65_535), peak: 1000),
        Peak(metadata: HDRMetadata(maximumLuminance: 4000, maximumContentLight: 10_001), peak: 4000),
        Peak(metadata: HDRMetadata(maximumLuminance: 800, maximumContentLight: -1), peak: 800),
        Peak(metadata: HDRMetadata(maximumLuminance: 800, maximumContentLight: .nan), peak: 800),
        Peak(metadata: HDRMetadata(maximumLuminance: .infinity), peak: 1000),
    ]) func sourcePeak(_ test: Peak) {
        #expect(ToneCurve.sourcePeak(of: .pq, test.metadata) == test.peak)
        #expect(ToneCurve.sourcePeak(of: .hlg, test.metadata) == 1000)
    }

    /// Its light is that of a display of 1000 cd/m² with a black of 0.
    @Test(arguments: ColorReference.metadata) func metadataDoNotMatterToHLG(_ metadata: HDRMetadata?) {
        #expect(ToneCurve(metadata, of: .hlg) == ToneCurve(of: .hlg))
        let white = ColorConversion(primaries: .bt2020, transfer: .hlg)(
            SIMD3(1, 1, 1), ToneCurve(metadata, of: .hlg))
        #expect(white.min() > 0.9999 && white.max() <= 1, "\(white)")
    }

    @Test(arguments: [
        HDRMetadata(maximumLuminance: 100, minimumLuminance: 5000), HDRMetadata(minimumLuminance: -1),
        HDRMetadata(minimumLuminance: .nan), HDRMetadata(minimumLuminance: .infinity, maximumContentLight: 1),
        HDRMetadata(maximumLuminance: -.infinity, minimumLuminance: 1e300),
    ]) func senselessMetadataGiveACurve(_ metadata: HDRMetadata) {
        let curve = ToneCurve(metadata, of: .pq)
        #expect(curve.span > 0 && curve.knee <= 1 && curve.knee > 0 && curve.peak <= 1 && curve.lift <= 0)
        let mapped = [0, 0.01, 0.5, 1, 5, 50].map { curve($0) }
        #expect(mapped == mapped.sorted() && mapped.allSatisfy { (0...1).contains($0) })
    }
}
