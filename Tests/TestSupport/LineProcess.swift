internal import Foundation

/// A program that is controlled by lines: tests write commands to it and wait for its output.
///
/// It is ended with the object.
public final class LineProcess {
    /// What went wrong with it, with all that it has printed.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence and the lines so far.
        public let description: String
    }

    private let identifier: pid_t
    private var input: Int32
    private let output: Int32
    private var status: Int32?
    private var pending: [UInt8] = []
    /// What it has printed so far.
    public private(set) var lines: [String] = []
    private var unread = 0

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: its path.
    ///   - arguments: without the program's name.
    ///   - environment: what differs from this process; `nil` takes a variable away.
    /// - Throws: ``Failure`` when it is not there.
    public init(_ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:]) throws {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        (identifier, input, output) = try Self.spawn(executable, arguments, variables)
    }

    deinit {
        terminate()
        close(output)
    }

    /// Writes a line to its standard input.
    public func send(_ line: String) {
        // A program that has ended reads nothing; waiting for its answer will say so.
        _ = Array("\(line)\n".utf8).withUnsafeBytes {
            Foundation.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Waits for a line and skips those before it.
    ///
    /// - Parameters:
    ///   - text: what the line contains; any line will do for an empty one.
    ///   - seconds: when to give up.
    /// - Returns: the line.
    /// - Throws: ``Failure`` when the program ends or does not print such a line in time.
    @discardableResult
    public func wait(for text: String, seconds: Double = 60) throws -> String {
        guard let line = try line(with: text, seconds: seconds) else {
            throw Failure(description: "No line with “\(text)” in \(seconds) s. Lines so far: \(lines)")
        }
        return line
    }

    /// Waits for a line like ``wait(for:seconds:)``; `nil` when it does not come in time.
    public func line(with text: String, seconds: Double) throws -> String? {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            while unread < lines.count {
                unread += 1
                if text.isEmpty || lines[unread - 1].contains(text) { return lines[unread - 1] }
            }
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { return nil }
            try read(milliseconds: Int32(min(left, 1000).rounded(.up)), for: text)
        }
    }

    /// Repeats an action until the program writes the resulting line.
    ///
    /// For actions that may be ignored if they come too early.
    ///
    /// - Parameters:
    ///   - text: a text in the line.
    ///   - action: performed every half second, 100 times at most.
    /// - Throws: ``Failure`` if the line is never written, or what `action` throws.
    public func wait(for text: String, repeating action: () throws -> Void) throws {
        for _ in 0..<100 {
            try action()
            if try line(with: text, seconds: 0.5) != nil { return }
        }
        throw Failure(description: "No line with “\(text)”. Lines so far: \(lines)")
    }

    /// Ends it, if it has not ended, and waits until it has.
    public func terminate() {
        guard status == nil else { return }
        kill(identifier, SIGTERM)
        _ = end()
    }

    /// Closes its input and waits for its end; it is killed if it has not ended after two minutes.
    ///
    /// - Returns: its exit status.
    public func end() -> Int32 {
        if input >= 0 { close(input) }
        input = -1
        let end = ContinuousClock.now + .seconds(120)
        var raw: Int32 = 0
        while status == nil {
            switch waitpid(identifier, &raw, WNOHANG) {
            case 0:
                if end < .now { kill(identifier, SIGKILL) }
                usleep(500)
            case identifier:
                // The exit status, or 128 and the signal, as a shell says it.
                status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
            default:
                if errno != EINTR { status = -1 }
            }
        }
        return status ?? -1
    }

    private func read(milliseconds: Int32, for text: String) throws {
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(output, &buffer, buffer.count)
        guard count > 0 else {
            throw Failure(description: "The program ended before a line with “\(text)” came. Lines so far: \(lines)")
        }
        pending += buffer[..<count]
        while let newline = pending.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: pending[..<newline], as: UTF8.self))
            pending.removeSubrange(...newline)
        }
    }

    /// Starts a program with a socket for standard input, so that writing to one that has ended raises no signal, and a
    /// pipe for standard output.
    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> (identifier: pid_t, input: Int32, output: Int32) {
        var inputs: [Int32] = [-1, -1]
        var outputs: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &inputs) == 0, socketpair(AF_UNIX, type, 0, &outputs) == 0 else {
            throw Failure(description: "No file descriptor is left for \(executable).")
        }
        defer {
            close(inputs[1])
            close(outputs[1])
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputs[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputs[1], STDOUT_FILENO)

        // Threads of the tests block most signals, and a program that inherited this could not be ended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in words + variables { free(string) } }
        var identifier: pid_t = 0
        let failure = posix_spawn(&identifier, executable, &actions, &attributes, words, variables)
        guard failure == 0 else {
            close(inputs[0])
            close(outputs[0])
            let reason = String(cString: strerror(failure))
            throw Failure(
                description:
                    "\(executable) could not be started: \(reason). Install what the tests need, see `make test`.")
        }
        return (identifier, inputs[0], outputs[0])
    }
}
