import Glibc
import MediaIO

/// A file, pipe or device that is read sequentially: a descriptor, and a read-ahead buffer for lines of text.
struct InputFile: ~Copyable {
    /// The name to display: its path, or `standard input`.
    let name: String
    /// The bytes from where reading began to the end of a regular file; `nil` for anything else.
    let size: Int?
    private let descriptor: Int32
    private let isOwned: Bool
    /// Whether reading may have to wait, because it is not a regular file.
    private let mayWait: Bool
    private let cancellation: ReadCancellation?
    private let start: Int
    private let buffer: UnsafeMutableRawBufferPointer
    /// The bytes of the buffer that are read ahead and not used yet.
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
        var descriptor: Int32
        repeat {
            // Opening a named pipe would otherwise wait for its writer, without a way to cancel.
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw Self.cannotOpen(path, errno) }
        var status = stat()
        // Opening a directory succeeds; only reading it fails.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw Self.cannotOpen(path, EISDIR)
        }
        self.init(descriptor: descriptor, name: path, isOwned: true, cancellation: cancellation)
    }

    /// Reads from an open descriptor, from its current position.
    ///
    /// - Parameters:
    ///   - descriptor: a descriptor open for reading.
    ///   - name: its name for errors.
    ///   - isOwned: whether to close it at the end.
    ///   - cancellation: ends a read that waits.
    init(descriptor: Int32, name: String, isOwned: Bool, cancellation: ReadCancellation?) {
        self.name = name
        self.descriptor = descriptor
        self.isOwned = isOwned
        self.cancellation = cancellation
        var status = stat()
        let isOpen = fstat(descriptor, &status) == 0
        let isRegular = isOpen && status.st_mode & S_IFMT == S_IFREG
        mayWait = isOpen && !isRegular
        start = isRegular ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
        size = isRegular ? max(0, Int(status.st_size) - start) : nil
        buffer = .allocate(byteCount: 4096, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        if isOwned { close(descriptor) }
    }

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
            let count = spans.transfer(descriptor, readv)
            if count == 0 { break }
            if count < 0, let failure = waitAfterFailure(descriptor, POLLIN) { throw cannotRead(failure) }
        }
        return spans.remaining
    }

    /// Seeks to a byte, counted from where reading began.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` on a pipe.
    mutating func seek(to offset: Int) throws(StreamError) {
        guard size != nil, lseek(descriptor, start + offset, SEEK_SET) >= 0 else {
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
                descriptor, buffer.baseAddress?.advanced(by: ahead.count), buffer.count - ahead.count)
            if count >= 0 {
                ahead = 0..<ahead.count + count
                return count > 0
            }
            if let failure = waitAfterFailure(descriptor, POLLIN) { throw cannotRead(failure) }
        }
    }

    /// Waits until a read would not block.
    private borrowing func awaitInput() throws(StreamError) {
        guard mayWait else { return }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // In slices, because poll cannot wait for a cancellation.
        while cancellation?.isCancelled != true {
            if poll(&entry, 1, cancellation == nil ? -1 : 50) > 0 { return }
        }
        throw StreamError(.readFailed, "\(name) was not read further: reading was cancelled.", underlying: ECANCELED)
    }

    private borrowing func cannotRead(_ number: Int32) -> StreamError {
        StreamError(.readFailed, "\(name) cannot be read: \(describe(number)).", underlying: number)
    }

    private static func cannotOpen(_ path: String, _ number: Int32) -> StreamError {
        let reason =
            switch number {
            case ENOENT: "does not exist: check the path."
            case EACCES: "is not readable by this user: change its permissions."
            case EISDIR: "is a directory: use a file in it."
            case ENXIO, ENODEV: "is a socket, or a device without a driver, and cannot be read: use a file or a pipe."
            case EMFILE, ENFILE:
                "cannot be opened: too many files are open. Close some, or raise the limit (ulimit -n)."
            default: "cannot be opened: \(describe(number))."
            }
        return StreamError(.cannotOpen, "\(path) \(reason)", underlying: number)
    }
}
