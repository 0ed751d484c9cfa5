import Glibc
import MediaIO

/// A file, pipe or device that is read sequentially: a descriptor, and a read-ahead buffer for lines of text.
struct InputFile: ~Copyable {
    private let file: ReadableFile
    private let cancellation: ReadCancellation?
    private let start: Int
    private let buffer: UnsafeMutableRawBufferPointer
    /// The part of the buffer with bytes that were read ahead and are not used yet.
    private var ahead = 0..<0

    /// The result of ``readLine(limit:)``.
    enum Line {
        /// The bytes of the line without its end, in the buffer, valid until the next call.
        case text(UnsafeRawBufferPointer)
        /// The file ended within a line, after this number of its bytes.
        case end(Int)
        /// There is no line end within the limit.
        case tooLong
    }

    /// Opens a file that this value closes.
    ///
    /// - Parameters:
    ///   - path: the path, used literally.
    ///   - cancellation: ends a read that waits.
    /// - Throws: ``StreamError/Code/cannotOpen``, naming the path, the cause and the next step.
    init(path: String, cancellation: ReadCancellation?) throws(StreamError) {
        self.init(try ReadableFile(path: path), cancellation)
    }

    /// Reads from an open descriptor, from its current position.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading; it is not closed.
    ///   - name: what people call it, for errors.
    ///   - cancellation: ends a read that waits.
    init(descriptor: Int32, name: String, cancellation: ReadCancellation?) {
        self.init(ReadableFile(descriptor: descriptor, name: name, isOwned: false), cancellation)
    }

    private init(_ file: consuming ReadableFile, _ cancellation: ReadCancellation?) {
        start = file.size == nil ? 0 : max(0, lseek(file.descriptor, 0, SEEK_CUR))
        self.file = file
        self.cancellation = cancellation
        buffer = .allocate(byteCount: 4096, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The name in errors: its path, or `standard input`.
    var name: String { file.name }

    /// Bytes from where reading began to the end of a regular file; `nil` for anything else.
    var size: Int? { file.size.map { $0 - start } }

    /// Reads up to and including the next line feed.
    ///
    /// - Parameter limit: the most bytes that a line may have, less than 4096.
    /// - Returns: the line, or why there is none.
    /// - Throws: ``StreamError/Code/readFailed`` if the system call fails.
    mutating func readLine(limit: Int) throws(StreamError) -> Line {
        while true {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[ahead])
            if let end = bytes.prefix(limit + 1).firstIndex(of: 0x0A) {
                ahead = ahead.lowerBound + end + 1..<ahead.upperBound
                return .text(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            }
            guard bytes.count <= limit else { return .tooLong }
            guard try readAhead() else { return .end(bytes.count) }
        }
    }

    /// Fills `spans`, or as much of them as the file has.
    ///
    /// - Returns: the number of bytes missing at the end of the file.
    /// - Throws: ``StreamError/Code/readFailed`` if the system call fails.
    mutating func read(into spans: inout ByteSpans) throws(StreamError) -> Int {
        let used = spans.fill(from: UnsafeRawBufferPointer(rebasing: buffer[ahead]))
        ahead = ahead.lowerBound + used..<ahead.upperBound
        while spans.remaining > 0 {
            try awaitInput()
            let count = spans.transfer(file.descriptor, readv)
            if count == 0 { break }
            if count < 0, let failure = waitAfterFailure(file.descriptor, POLLIN) { throw file.readError(failure) }
        }
        return spans.remaining
    }

    /// Seeks to a byte, counted from where reading began.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` on a pipe.
    mutating func seek(to offset: Int) throws(StreamError) {
        guard size != nil, lseek(file.descriptor, start + offset, SEEK_SET) >= 0 else {
            throw StreamError(
                .unsupported,
                "\(name) cannot be rewound: it is not a regular file. Save it to one first.")
        }
        ahead = 0..<0
    }

    /// Appends bytes to those read ahead; false at the end of the file.
    private mutating func readAhead() throws(StreamError) -> Bool {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[ahead]))
        ahead = 0..<ahead.count
        while true {
            try awaitInput()
            let count = Glibc.read(
                file.descriptor, buffer.baseAddress?.advanced(by: ahead.count), buffer.count - ahead.count)
            if count >= 0 {
                ahead = 0..<ahead.count + count
                return count > 0
            }
            if let failure = waitAfterFailure(file.descriptor, POLLIN) { throw file.readError(failure) }
        }
    }

    /// Waits until a read would not block.
    private borrowing func awaitInput() throws(StreamError) {
        // Waits 50 ms at a time, because a cancellation has no descriptor to wait for.
        while cancellation?.isCancelled != true {
            if file.waitUntilReadable(cancellation == nil ? -1 : 50) { return }
        }
        throw StreamError(.readFailed, "\(name) was not read further: reading was cancelled.", underlying: ECANCELED)
    }
}
