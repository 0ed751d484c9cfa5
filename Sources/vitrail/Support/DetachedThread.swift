import Glibc

/// Threads that nobody waits for: whatever may take long and must not hold up the loop.
enum DetachedThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `run` on a thread of its own.
    ///
    /// - Returns: false when the system has no thread left; `run` is not called then.
    @discardableResult
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard failure == 0 else {
            body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
