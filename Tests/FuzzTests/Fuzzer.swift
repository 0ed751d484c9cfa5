import Foundation
import TestSupport

/// libFuzzer in this process: `FUZZ_PARSER` names the parser, `FUZZ_OPTIONS` has options and folders of inputs.
enum Fuzzer {
    private typealias Body = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    private typealias Driver =
        @convention(c) (
            UnsafeMutablePointer<CInt>, UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>, Body
        ) -> CInt

    static let parser = ProcessInfo.processInfo.environment["FUZZ_PARSER"].flatMap(FuzzedParser.init)

    /// Runs it until its time is over.
    ///
    /// An input that does harm ends the process, after it was saved.
    static func run() throws -> CInt {
        guard let parser, let symbol = dlsym(nil, "LLVMFuzzerRunDriver") else { throw Missing() }
        let options = ProcessInfo.processInfo.environment["FUZZ_OPTIONS"] ?? ""
        let words = ["fuzz"] + options.split(separator: " ").map(String.init)
        if let corpus = words.last {
            for (number, seed) in parser.seeds.enumerated() {
                try Data(seed).write(to: URL(filePath: "\(corpus)/seed-\(number)"))
            }
        }
        var arguments = words.map { strdup($0) } + [nil]
        var count = CInt(words.count)
        return arguments.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return unsafeBitCast(symbol, to: Driver.self)(&count, &base) { bytes, count in
                let input = UnsafeBufferPointer(start: bytes, count: count)
                Fuzzer.parser?.read(Array(input), Fuzzer.folder)
                return 0
            }
        }
    }

    private static let folderOwner = Folder()
    private static var folder: TemporaryFolder { _read { yield folderOwner.folder } }

    /// libFuzzer calls on one thread.
    private final class Folder: @unchecked Sendable {
        let folder = TemporaryFolder()
    }

    /// The build has no libFuzzer.
    private struct Missing: Error {}
}
