import MediaIO
import Testing

@testable import vitrail

/// Test patterns on the wall are painted in the size of their tiles, unless a size is typed.
struct TestPatternInputTests {
    @Test(arguments: [
        ("test:bars", 320, 180), ("test:clock?label=a&rotate=90&fps=25", 320, 180),
        ("test:bars?size=1280x720", 1280, 720), ("test:bars?crop=64x64+0+0", 1280, 720),
        ("test:bars?sar=2:1", 1280, 720), ("test:zoneplate", 1280, 720),
    ]) func typedSizesAreKept(_ input: String, _ width: Int, _ height: Int) throws {
        let reader = try InputSpecification(input).open()
        reader.reader.demand?.wants = VideoSinkWants(maximumPixels: 320 * 180)
        let frame = try #require(try reader.next())
        #expect(frame.image.size == VideoSize(width: width, height: height))
        #expect(reader.info.size == VideoSize(width: 1280, height: 720))
    }
}
