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
}
