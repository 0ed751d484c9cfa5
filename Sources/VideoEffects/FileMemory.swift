internal import Glibc
internal import MediaIO
import VideoWall

/// Remembers what was read from files, for as long as they stay as they are.
///
/// A wall's document names effects by their files, and is read again at each edit, on the thread that draws. An effect
/// that stays the same object need not be compiled again either.
///
/// **Thread:** any. **Cost:** a system call for each file.
final class FileMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let value: Value
        let stamps: [String: Stamp]
        let byteCount: Int
    }

    /// The most bytes that it keeps; what was not used for longest is forgotten.
    private let limit = 1 << 26
    private let files: @Sendable (Value) -> Set<String>
    private let byteCount: @Sendable (Value) -> Int
    /// The one that was used last is at the end.
    private let entries = Monitor<[Entry]>([])

    /// Remembers nothing yet.
    ///
    /// - Parameters:
    ///   - files: the files that a value comes from.
    ///   - byteCount: the bytes of memory that a value takes, about.
    init(
        files: @escaping @Sendable (Value) -> Set<String>, byteCount: @escaping @Sendable (Value) -> Int
    ) {
        (self.files, self.byteCount) = (files, byteCount)
    }

    /// Reads a value, unless it is known.
    ///
    /// - Parameters:
    ///   - key: what to read.
    ///   - read: reads it.
    /// - Returns: the value.
    /// - Throws: what `read` throws; errors are not remembered, nor what has changed in the last 20 ms.
    func value(of key: Key, _ read: () throws(EffectError) -> Value) throws(EffectError) -> Value {
        let known = entries.withLock { $0.first { $0.key == key } }
        if let known, known.stamps.allSatisfy({ Stamp($0.key) == $0.value }) {
            entries.withLock { entries in
                guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
                entries.append(entries.remove(at: index))
            }
            return known.value
        }
        let begin = Stamp.now
        let value = try read()
        remember(value, of: key, readAt: begin)
        return value
    }

    private func remember(_ value: Value, of key: Key, readAt begin: Stamp.Time) {
        var stamps: [String: Stamp] = [:]
        for file in files(value) {
            // It may have changed while it was read, which a file system's clock cannot always tell.
            guard let stamp = Stamp(file), stamp.isOlder(than: begin) else { return }
            stamps[file] = stamp
        }
        let entry = Entry(key: key, value: value, stamps: stamps, byteCount: byteCount(value))
        entries.withLock { entries in
            entries.removeAll { $0.key == key }
            entries.append(entry)
            var sum = entries.reduce(0) { $0 + $1.byteCount }
            while sum > limit { sum -= entries.removeFirst().byteCount }
        }
    }
}

/// What changes whenever a file does.
private struct Stamp: Equatable {
    struct Time: Equatable {
        let seconds: Int
        let nanoseconds: Int
    }

    /// How exact a file system's clock is, at least.
    private static let tick = 20_000_000
    private let device: dev_t
    private let number: ino_t
    private let byteCount: off_t
    private let changed: Time

    /// Looks at a file; `nil` if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number, byteCount) = (status.st_dev, status.st_ino, status.st_size)
        changed = Time(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
    }

    /// The present time of file systems.
    static var now: Time {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Time(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    func isOlder(than time: Time) -> Bool {
        let seconds = time.seconds - changed.seconds
        return seconds > 1 || seconds * 1_000_000_000 + time.nanoseconds - changed.nanoseconds > Self.tick
    }
}
