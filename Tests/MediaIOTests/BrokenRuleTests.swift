import MediaIO
import Testing

/// What a program says when it ends because the caller has broken a rule.
@Suite struct BrokenRuleTests {
    /// In optimised builds, `precondition` only says that it failed.
    @Test func theSentenceIsToldInEveryBuild() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = VideoSinkWants(maximumPixels: 0)
        }
        let told = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(told.contains("A picture has at least 1 pixel: set isVisible to false for no pictures."))
    }

    @Test func aPlaneThatIsNotThere() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PixelFormat.nv12.planes[2]
        }
        let told = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(told.contains("The format has 2 planes, counted from 0: there is no plane 2."))
    }

    @Test func anAspectRatioOfNothing() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ContentMode.fill.place(aspectRatio: 0, in: Rectangle(x: 0, y: 0, width: 4, height: 3))
        }
        let told = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(told.contains("An aspect ratio is a width divided by a height, above 0."))
    }
}
