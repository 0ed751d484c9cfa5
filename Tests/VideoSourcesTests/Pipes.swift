import Glibc
import Testing

/// Runs `body` with the two ends of a pipe; what it does not close is closed after it.
func withPipe(_ body: (_ input: Int32, _ output: Int32) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends where end >= 0 { close(end) } }
    // The writer gets the write end for itself, so that closing it is the end of the file.
    let output = ends[1]
    ends[1] = -1
    try body(ends[0], output)
}

/// Writes bytes to a descriptor on a thread of its own, a piece at a time, and closes it.
final class BackgroundWriter {
    private final class Work {
        let bytes: [UInt8]
        let descriptor: Int32
        let piece: Int

        init(_ bytes: [UInt8], _ descriptor: Int32, _ piece: Int) {
            (self.bytes, self.descriptor, self.piece) = (bytes, descriptor, piece)
        }

        func run() {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                let part = bytes[start..<min(bytes.count, start + piece)]
                _ = part.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            }
            close(descriptor)
        }
    }

    private var thread = pthread_t()

    init(_ bytes: [UInt8], to descriptor: Int32, piece: Int) throws {
        let work = Unmanaged.passRetained(Work(bytes, descriptor, piece))
        let failure = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        try #require(failure == 0)
    }

    func join() { pthread_join(thread, nil) }
}

/// Reads a descriptor to its end on a thread of its own.
final class BackgroundReader {
    private final class Work {
        let descriptor: Int32
        var bytes: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        func run() {
            var piece = [UInt8](repeating: 0, count: 1000)
            while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        }
    }

    private let work: Work
    private var thread = pthread_t()

    init(_ descriptor: Int32) {
        work = Work(descriptor)
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(work).toOpaque())
    }

    /// All that was read, when the end has come.
    func join() -> [UInt8] {
        pthread_join(thread, nil)
        return work.bytes
    }
}
