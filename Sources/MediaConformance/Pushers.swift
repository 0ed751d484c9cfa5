internal import Glibc
internal import MediaIO

/// Two threads that make a source deliver, until they are ended.
final class Pushers: Sendable {
    private let isDone = Monitor(false)
    private let threads: Monitor<[SystemThread]>

    init(_ source: any VideoSource, _ deliver: (@Sendable (any VideoSource) -> Void)?) {
        guard let deliver else {
            threads = Monitor([])
            return
        }
        let isDone = isDone
        threads = Monitor(
            (0..<2).compactMap { _ in
                try? SystemThread(for: "the kit") {
                    while !isDone.withLock({ $0 }) {
                        deliver(source)
                        usleep(200)
                    }
                }
            })
    }

    func end() {
        isDone.withLock { $0 = true }
        let all = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in all { thread.join() }
    }
}
