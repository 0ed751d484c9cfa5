import Foundation
import MediaIO
import WindowGL

/// Prints a line unbuffered: the test at the other end of the pipe waits for it.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Reads commands from standard input on a thread of its own and wakes the loop for each.
final class CommandReader: Sendable {
    private let commands = Monitor<[String]>([])

    /// Starts to read; the end of input is the command `quit`.
    func start(waking waker: Waker) {
        let thread = Thread {
            while let line = readLine() {
                self.commands.withLock { $0.append(line) }
                waker.wake()
            }
            self.commands.withLock { $0.append("quit") }
            waker.wake()
        }
        thread.start()
    }

    /// The next command, if one has come.
    func next() -> String? {
        commands.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
