import Foundation
import TestSupport
import Testing

@testable import FFmpegMedia

/// What fuzzing has found stays found; `make fuzz` looks for more.
@Suite(.timeLimit(.minutes(25)))
struct FuzzTests {
    private static let found = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Found")

    @Test(
        "What once did harm does none any more, and nor does what fuzzing begins with", arguments: FuzzedParser.allCases
    )
    func found(_ parser: FuzzedParser) throws {
        let folder = TemporaryFolder()
        for seed in parser.seeds { parser.read(seed, folder) }
        parser.read([], folder)
        let files = try? FileManager.default.contentsOfDirectory(
            at: Self.found.appending(path: parser.rawValue), includingPropertiesForKeys: nil)
        for file in files ?? [] { parser.read(Array(try Data(contentsOf: file)), folder) }
    }

    @Test("The fuzzer begins with an answer of a decoder's process that is accepted")
    func answer() throws {
        let seed = try #require(FuzzedParser.sandbox.seeds.first)
        #expect(FuzzedParser.answer(seed, memoryByteCount: 1 << 14)?.pictures.count == 1)
    }

    /// Runs only for `make fuzz`, whose build has libFuzzer in it.
    @Test(.enabled(if: Fuzzer.parser != nil)) func fuzz() throws {
        #expect(try Fuzzer.run() == 0)
    }
}
