internal import CVitrailSeccomp
import Glibc
import MediaIO
import VitrailSupport

/// The process of one decoder, as the program sees it: it lives as long as the decoder, its memory as long as a picture.
///
/// **Thread:** ``exchange(_:)`` and ``end()`` one at a time; the rest any.
final class SandboxProcess: @unchecked Sendable {
    // Unchecked: the pointer is set once, and only exchange(_:) uses the channel.

    /// Room for the pictures of any decoder; what is not used takes no memory.
    static let memoryByteCount = 2 << 30
    /// How long a packet may take, in seconds.
    private static let patience = 10
    /// More bytes than the descriptions of all pictures of a packet have.
    private static let largestAnswer = 1 << 20

    let memory: UnsafeMutableRawBufferPointer
    private let channel: SandboxChannel
    private let process: pid_t
    /// Pictures that nobody uses any more.
    private let released = Monitor<[UInt64]>([])
    private let isRunning = Monitor(true)

    /// Starts a process.
    ///
    /// - Throws: ``StreamError/Code/noMemory`` if the system refuses.
    init() throws(StreamError) {
        require(
            DecoderSandbox.isPrepared.withLock { $0 },
            "DecoderSandbox.serveIfAsked() must be called first of all, for isSandboxed.")
        var ends: [Int32] = [-1, -1]
        let memoryFile = vitrail_shared_memory(Self.memoryByteCount)
        defer { if memoryFile >= 0 { close(memoryFile) } }
        guard memoryFile >= 0,
            let start = mmap(nil, Self.memoryByteCount, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFile, 0),
            start != MAP_FAILED
        else { throw Self.refusal(errno) }
        memory = UnsafeMutableRawBufferPointer(start: start, count: Self.memoryByteCount)
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            let error = errno
            munmap(start, Self.memoryByteCount)
            throw Self.refusal(error)
        }
        channel = SandboxChannel(ends[0], limit: Self.largestAnswer, patience: Self.patience)
        defer { close(ends[1]) }
        var child: pid_t = 0
        let error = Self.spawn(ends[1], memoryFile, &child)
        guard error == 0 else {
            munmap(start, Self.memoryByteCount)
            throw Self.refusal(error)
        }
        process = child
    }

    deinit {
        end()
        munmap(memory.baseAddress, memory.count)
    }

    private static func refusal(_ number: Int32) -> StreamError {
        StreamError(
            .noMemory, "No process for a decoder can be started (\(String(cString: strerror(number)))).",
            underlying: number)
    }

    private static func spawn(_ channel: Int32, _ memory: Int32, _ process: inout pid_t) -> Int32 {
        // Beyond those that are set.
        let (high, other) = (fcntl(channel, F_DUPFD_CLOEXEC, 16), fcntl(memory, F_DUPFD_CLOEXEC, 16))
        defer { for file in [high, other] where file >= 0 { close(file) } }
        guard high >= 0, other >= 0 else { return errno }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        for file: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, file) }
        posix_spawn_file_actions_adddup2(&actions, high, DecoderSandbox.channel)
        posix_spawn_file_actions_adddup2(&actions, other, DecoderSandbox.memory)
        // What a terminal sends to all programs in front is not for it: the program ends it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var arguments = [strdup("vitrail-decoder"), strdup(DecoderSandbox.mark), nil]
        // Nothing else of the environment concerns it, and some of it may be secret.
        var environment =
            getenv("LD_LIBRARY_PATH").map { [strdup("LD_LIBRARY_PATH=" + String(cString: $0)), nil] } ?? [nil]
        defer { for text in arguments + environment { free(text) } }
        return posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, &environment)
    }

    /// Notes that a picture is no longer used: the process is told with the next packet.
    func release(_ token: UInt64) { released.withLock { $0.append(token) } }

    /// The pictures that were released since the last call.
    func takeReleased() -> [UInt64] {
        released.withLock { tokens in
            defer { tokens.removeAll(keepingCapacity: true) }
            return tokens
        }
    }

    /// Sends a message and waits for the answer; `nil` if there is none.
    func exchange(_ message: inout SandboxWriter) -> SandboxReader? {
        guard isRunning.withLock({ $0 }), channel.send(&message) else { return nil }
        return channel.receive()
    }

    /// Ends the process, unless it has ended.
    ///
    /// - Returns: why it had ended already; `nil` if it had not.
    @discardableResult
    func end() -> String? {
        isRunning.withLock { isRunning in
            guard isRunning else { return nil }
            isRunning = false
            var status: Int32 = 0
            // One that crashes closes its end a moment before it has ended.
            var ended = waitpid(process, &status, WNOHANG)
            if ended == 0 {
                kill(process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                ended = 0
            }
            let signal = status & 0x7F
            if signal == SIGKILL, ended == 0 { return nil }
            return signal == 0 ? "its process has ended" : "its process has ended by signal \(signal)"
        }
    }
}
