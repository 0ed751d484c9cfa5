import CVitrailKernels
import FrameConversion
import MediaIO
import Synchronization

/// Work in numbered parts that may be done at the same time.
protocol SharedWork: AnyObject, Sendable {
    /// Does one part.
    ///
    /// - Parameters:
    ///   - part: the number of the part.
    ///   - worker: the number of the thread, 0 for the one that asked for the work.
    func perform(_ part: Int, worker: Int)
}

extension PictureEncoding: SharedWork {
    func perform(_ part: Int, worker: Int) { perform(part) }
}

/// The threads of a renderer, which sleep while there is nothing to draw.
final class Workers {
    /// The number of threads, including the one that asks for work.
    let count: Int
    private let state = SharedState()
    private var threads: [SystemThread] = []

    /// Creates threads.
    ///
    /// If the system refuses some, there are fewer.
    ///
    /// - Parameter count: the number of threads, at least 1, including the one that asks for work.
    init(_ count: Int) {
        for number in 1..<max(1, count) {
            let state = self.state
            let thread = try? SystemThread(for: "drawing") { state.serve(number) }
            guard let thread else { break }
            threads.append(thread)
        }
        self.count = threads.count + 1
    }

    deinit {
        state.end()
        for thread in threads { thread.join() }
    }

    /// The number of processors that this process may use.
    static var processorCount: Int { Int(vitrail_processor_count()) }

    /// Does all parts of a work, and returns when they are done.
    ///
    /// **Cost:** every frame; wakes the other threads if there is more than one part.
    func run(_ work: some SharedWork, parts: Int) {
        guard parts > 1, count > 1 else {
            for part in 0..<parts { work.perform(part, worker: 0) }
            return
        }
        state.begin(work, parts)
        state.takeParts(of: work, worker: 0)
        state.awaitEnd()
    }
}

/// What the threads of ``Workers`` share.
private final class SharedState: Sendable {
    private struct Order {
        /// What is being done; `nil` when no more threads are needed.
        var work: (any SharedWork)?
        /// The threads that have taken it.
        var busy = 0
        var isEnded = false
    }

    private let order = Monitor(Order())
    private let next = Atomic(0)
    private let parts = Atomic(0)

    func begin(_ work: any SharedWork, _ count: Int) {
        order.change { order in
            next.store(0, ordering: .relaxed)
            parts.store(count, ordering: .relaxed)
            order.work = work
        }
    }

    func takeParts(of work: any SharedWork, worker: Int) {
        let count = parts.load(ordering: .relaxed)
        while true {
            let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard part < count else { return }
            work.perform(part, worker: worker)
        }
    }

    /// Waits for the threads that have taken the work; those that have not woken yet find none.
    func awaitEnd() {
        _ = order.wait { order -> Bool? in
            order.work = nil
            return order.busy == 0 ? true : nil
        }
    }

    func serve(_ worker: Int) {
        while let work = awaitWork() {
            takeParts(of: work, worker: worker)
            order.change { order in
                order.busy -= 1
                // All parts are taken: the next work is another one.
                order.work = nil
            }
        }
    }

    /// Waits for work; `nil` at the end.
    private func awaitWork() -> (any SharedWork)? {
        let found: (any SharedWork)?? = order.wait { order -> (any SharedWork)?? in
            if order.isEnded { return .some(nil) }
            guard let work = order.work else { return nil }
            order.busy += 1
            return work
        }
        return found.flatMap { $0 }
    }

    func end() { order.change { $0.isEnded = true } }
}
