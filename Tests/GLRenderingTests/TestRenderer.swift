import Foundation
import HeadlessGL
import MediaIO
import SoftwareRendering
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// The renderers that must give the same pictures.
enum TestRenderer: String, CaseIterable, Sendable {
    case gl
    case cpu

    /// The one that tests draw with.
    @TaskLocal static var current = gl
}

/// Runs each test once with each renderer.
struct EveryRenderer: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for renderer in TestRenderer.allCases {
            // A failure says with which renderer.
            let naming = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("with the renderer \(renderer.rawValue)")
                return issue
            }
            try await TestRenderer.$current.withValue(renderer) {
                try await naming.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
    }
}

extension Trait where Self == EveryRenderer {
    /// Runs the test, or each test of the suite, once with each renderer.
    static var everyRenderer: Self { EveryRenderer() }
}

/// Whether the tests draw with OpenGL ES: the environment has `VITRAIL_GLES`.
let drawsWithES = ProcessInfo.processInfo.environment["VITRAIL_GLES"] != nil

extension HeadlessContext {
    /// A context of OpenGL, or of OpenGL ES.
    static func forTests() throws -> GLContext { try make(interfaces: [drawsWithES ? .embedded : .desktop]) }
}

extension PixelFormat {
    /// The formats that the renderers draw: OpenGL ES has no textures for one of them.
    static let drawn = allCases.filter { !drawsWithES || $0 != .xrgb1555 }
}
