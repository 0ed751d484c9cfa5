@preconcurrency import CVitrailEpoxy
internal import Glibc

/// Runs what may recurse deeply, such as a driver's compiler, on a stack of its own.
///
/// A host's threads may have stacks of only some hundred kilobytes. The work stays on the calling thread, so that the
/// context that is current there remains so, whether it is ours or a host's, an EGL or a GLX context.
enum LargeStack {
    /// Mesa's compiler uses some kilobytes for each level of a deep expression.
    private static let size = 64 << 20

    /// Runs a function.
    ///
    /// If there is no memory for the stack, the function runs on the thread's own.
    ///
    /// **Cost:** rare; some system calls.
    static func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        call {
            do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
        }
        guard let result else { return try body() }
        return try result.get()
    }

    /// Calls a function, unless there is no stack for it.
    private static func call(_ body: () -> Void) {
        // The system provides memory only for the pages that are used.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
        guard let stack = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), stack != MAP_FAILED else { return }
        defer { munmap(stack, size) }
        // A guard page: what overflows even this stack must not write elsewhere.
        guard mprotect(stack, Int(sysconf(Int32(_SC_PAGESIZE))), PROT_NONE) == 0 else { return }
        withoutActuallyEscaping(body) { body in
            var body: () -> Void = body
            withUnsafeMutablePointer(to: &body) { pointer in
                _ = vitrail_call_on_stack(
                    stack, size, { $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
            }
        }
    }
}
