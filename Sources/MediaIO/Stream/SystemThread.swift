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
    ///   - run: the thread ends when it returns.
    /// - Throws: ``StreamError`` when the system has no thread left.
    package init(for name: String, run: @escaping @Sendable () -> Void) throws(StreamError) {
        let body = Unmanaged.passRetained(Body(run))
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

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    /// Waits until the thread has ended.
    package func join() { pthread_join(handle, nil) }

    /// Lets the thread end when it likes: nobody waits for it.
    package func detach() { pthread_detach(handle) }
}
