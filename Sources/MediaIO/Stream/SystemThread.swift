import Glibc

/// A thread, which must be finished, joined or detached, once.
///
/// **Thread:** any. **Cost:** rare.
package final class SystemThread: @unchecked Sendable {
    // Unchecked: the handle is written once, before the object is shared.
    private var handle = pthread_t()

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts `run` on a new thread.
    ///
    /// - Parameters:
    ///   - name: the owner's name, for the error.
    ///   - niceness: its niceness beyond that of the main thread, 0 to 19; 0 for the niceness of the caller. Threads that it
    ///     starts inherit it.
    ///   - run: the thread's function; the thread ends when it returns.
    /// - Throws: ``StreamError`` if no thread can be started.
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
                .cannotOpen, "No thread could be started for \(name): the system's limit is reached. Close something.",
                underlying: failure)
        }
    }

    /// Lowers the priority of the calling thread, which on Linux has one of its own and the ID 0, below that of the main one.
    private static func lowerPriority(by niceness: Int32) {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // If the system refuses, the priority stays unchanged, which is harmless.
        setpriority(thread, 0, getpriority(thread, id_t(getpid())) + niceness)
    }

    /// Lets the threads that a library has started for the calling thread run only while no other one wants the processor.
    ///
    /// - Parameter name: how the names of these threads begin; those with another priority than the caller's are not
    ///   its own.
    package static func letRunWhenIdle(named name: String) {
        guard let folder = opendir("/proc/self/task") else { return }
        defer { closedir(folder) }
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        let priority = getpriority(thread, 0)
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Int32(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
            guard let number, getpriority(thread, id_t(number)) == priority,
                let file = fopen("/proc/self/task/\(number)/comm", "r")
            else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 64)
            guard fgets(&line, Int32(line.count), file) != nil, strncmp(line, name, strlen(name)) == 0 else { continue }
            var none = sched_param()
            // If the system refuses, the thread competes with others, which is harmless.
            sched_setscheduler(number, idlePolicy, &none)
        }
    }

    /// `SCHED_IDLE` of `linux/sched.h`, which Glibc's module lacks.
    private static let idlePolicy: Int32 = 5

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    /// Waits until the thread has ended; from the thread itself, which cannot wait for its own end, only lets it end.
    package func finish() { if isCurrent { detach() } else { join() } }

    /// Waits until the thread has ended.
    package func join() { pthread_join(handle, nil) }

    /// Detaches the thread: nothing waits for its end.
    package func detach() { pthread_detach(handle) }
}
