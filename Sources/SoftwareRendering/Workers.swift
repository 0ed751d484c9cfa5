import CVitrailKernels
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

/// The threads of a renderer, which sleep while there is nothing to draw.
final class Workers {
    /// The number of threads, with the one that asks for work.
    let count: Int
    private let state = SharedState()
    private var threads: [SystemThread] = []

    /// Creates threads.
    ///
    /// If the system refuses some, there are fewer.
    ///
    /// - Parameter count: the number of threads, at least 1, with the one that asks for work.
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
        state.begin(work, parts, threads.count)
        state.takeParts(of: work, worker: 0)
        state.awaitEnd()
    }
}

/// What the threads of ``Workers`` share.
private final class SharedState: Sendable {
    private struct Order {
        var number = 0
        var work: (any SharedWork)?
        var busy = 0
        var isEnded = false
    }

    private let order = Monitor(Order())
    private let next = Atomic(0)
    private let parts = Atomic(0)

    func begin(_ work: any SharedWork, _ count: Int, _ threads: Int) {
        next.store(0, ordering: .relaxed)
        parts.store(count, ordering: .relaxed)
        order.change { order in
            order.number += 1
            order.work = work
            order.busy = threads
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

    func awaitEnd() { _ = order.wait { $0.busy == 0 ? true : nil } }

    func serve(_ worker: Int) {
        var seen = 0
        while true {
            let work: (any SharedWork)? = order.wait { order -> (any SharedWork)?? in
                if order.isEnded { return .some(nil) }
                guard order.number != seen else { return nil }
                seen = order.number
                return .some(order.work)
            }.flatMap { $0 }
            guard let work else { return }
            takeParts(of: work, worker: worker)
            order.change { order in
                order.busy -= 1
                if order.busy == 0 { order.work = nil }
            }
        }
    }

    func end() { order.change { $0.isEnded = true } }
}
