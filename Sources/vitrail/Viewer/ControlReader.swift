import Glibc
import MediaIO
import VideoEffects
import VideoWall

/// Reads lines from standard input on a thread of its own.
///
/// It reads no further while ``mostLines`` wait to be taken, so memory is bounded and the wall is drawn between them.
///
/// **Thread:** any.
final class ControlReader: Sendable {
    /// The most lines that wait.
    static let mostLines = 16
    private let lines = Monitor<[ControlLine]>([])

    /// Begins to read.
    ///
    /// - Parameter wake: called for each line.
    /// - Throws: ``StreamError`` if no thread can be started.
    init(wake: @escaping @Sendable () -> Void) throws(StreamError) {
        let lines = lines
        // It ends with the program: a read of a terminal cannot be cancelled.
        try SystemThread(for: "standard input") {
            func put(_ line: ControlLine) {
                line.readEffects()
                lines.wait { lines -> Void? in
                    guard lines.count < Self.mostLines else { return nil }
                    lines.append(line)
                    return ()
                }
                wake()
            }
            var splitter = LineSplitter()
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                splitter.split(buffer[..<count], into: put)
            }
            splitter.finish(into: put)
        }.detach()
    }

    /// The lines since the last call, ``mostLines`` at most.
    func take() -> [ControlLine] {
        lines.change { lines in
            defer { lines = [] }
            return lines
        }
    }
}

/// A line on standard input.
enum ControlLine: Hashable {
    /// A line, without its end.
    case text(String)
    /// A line of more than ``LineSplitter/longest`` bytes, which are not kept.
    case tooLong

    /// Reads the effects that the line names, so that they are known when it is obeyed.
    fileprivate func readEffects() {
        guard case .text(let text) = self, let command = try? ControlCommand(text) else { return }
        var notes: [String] = []
        if let chain = command.effects { _ = try? EffectChain(chain, notes: &notes) }
        if let preset = command.preset { _ = try? EffectPreset.chains(ofFileAt: preset, notes: &notes) }
        for value in command.set?.values.map(\.text) ?? [] where pathExtension(value) == "cube" {
            _ = try? CubeFile.read(value)
        }
    }

    /// Hides the secrets of the line in an answer to it, such as passwords in URLs, and shortens one that quotes much of it.
    func hidingSecrets(in answer: String) -> String {
        guard case .text(let text) = self else { return answer }
        var answer = answer
        if answer.utf8.count > 1000 {
            let start = answer.prefix(1000)
            // Half a password would not be hidden.
            answer = start[..<(start.lastIndex(of: " ") ?? start.startIndex)] + " …"
        }
        // JSON may write a slash as \/.
        return ArgumentSecrets.hide(in: answer, [text.replacing("\\/", with: "/")])
    }
}

/// Splits bytes into lines of limited length.
struct LineSplitter {
    /// The most bytes of a line.
    static let longest = 65_536
    private var line: [UInt8] = []
    private var isTooLong = false

    /// Adds bytes, and passes on the lines that end in them.
    mutating func split(_ bytes: ArraySlice<UInt8>, into put: (ControlLine) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            finishLine(into: put)
            rest = rest[(end + 1)...]
        }
        add(rest)
    }

    /// Passes on the last line, if it has no end.
    mutating func finish(into put: (ControlLine) -> Void) {
        if isTooLong || !line.isEmpty { finishLine(into: put) }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || line.count + bytes.count > Self.longest
        if isTooLong { line.removeAll() } else { line += bytes }
    }

    private mutating func finishLine(into put: (ControlLine) -> Void) {
        put(isTooLong ? .tooLong : .text(String(decoding: line, as: UTF8.self)))
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}
