import Glibc

/// A thread of one's own: either joined or detached, once.
///
/// **Thread:** any. **Cost:** rare.
package final class SystemThread: @unchecked Sendable {
    // Unchecked: the handle is written once, before anyone else can see the object.
    private var handle = pthread_t()

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts `run` on a new thread.
    ///
    /// - Parameters:
    ///   - name: for whom, in the error.
    ///   - niceness: by how much it yields to the others, 0 to 19; threads that it starts inherit that.
    ///   - run: the thread ends when it returns.
    /// - Throws: ``StreamError`` when the system has no thread left.
    package init(for name: String, niceness: Int32 = 0, run: @escaping @Sendable () -> Void) throws(StreamError) {
        let body = Unmanaged.passRetained(
            Body {
                if niceness > 0 { Self.lowerPriority(by: niceness) }
                run()
            })
        let failure = pthread_create(
            &handle, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard failure == 0 else {
            body.release()
            throw StreamError(
                .cannotOpen, "No thread could be made for \(name): the system's limit is reached. Close something.",
                underlying: failure)
        }
    }

    /// On Linux a priority belongs to a thread, and 0 is the one that asks.
    private static func lowerPriority(by niceness: Int32) {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // A system that refuses leaves the thread as it was, which is no harm.
        setpriority(thread, 0, getpriority(thread, 0) + niceness)
    }

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    /// Waits until the thread has ended.
    package func join() { pthread_join(handle, nil) }

    /// Lets the thread end when it likes: nobody waits for it.
    package func detach() { pthread_detach(handle) }
}
