// The benchmark uses this target, too, and a program with its own copy of Swift's libraries has no Testing.
#if canImport(Testing)
    public import Foundation
    public import Testing

    /// The turn to draw: tests that draw in this process do so one after the other.
    ///
    /// When a context uploads, llvmpipe (of Mesa 22.3, for one) searches the lists of textures that all contexts of the process
    /// are drawing with, while other threads add to their own without a lock (`lp_scene_add_resource_reference`). A crash is
    /// rare, but hundreds of tests on several threads meet it.
    ///
    /// As a trait, it holds for each test of a suite, which must not suspend. Code that draws for many tests and then
    /// computes for a long time takes ``lock`` itself.
    public struct RenderTurn: SuiteTrait, TestTrait, TestScoping {
        /// Held by the thread that draws.
        public static let lock = NSRecursiveLock()

        /// A suite passes the trait on to its tests.
        public var isRecursive: Bool { true }

        /// Who waits for their turn: they must not keep threads, of which all tests together have one for a processor.
        private actor Queue {
            private var isTaken = false
            private var waiting: [CheckedContinuation<Void, Never>] = []

            func enter() async {
                guard isTaken else { return isTaken = true }
                await withCheckedContinuation { waiting.append($0) }
            }

            func leave() {
                if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
            }
        }

        private static let queue = Queue()
        /// Whether the test has its turn from a suite around its own.
        @TaskLocal private static var hasTurn = false

        /// Runs a test while no other one draws.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            if Self.hasTurn { return try await function() }
            await Self.queue.enter()
            let result = await Self.$hasTurn.withValue(true) { await Self.result(of: function) }
            await Self.queue.leave()
            try result.get()
        }

        private static func result(of function: @Sendable () async throws -> Void) async -> Result<Void, any Error> {
            let thread = take()
            defer { pass(thread) }
            do { return .success(try await function()) } catch { return .failure(error) }
        }

        // A function of its own, because `async` functions may not use a lock directly. The tests must never suspend: they
        // could continue on another thread, which cannot unlock it.
        private static func take() -> UInt {
            lock.lock()
            return UInt(pthread_self())
        }

        private static func pass(_ thread: UInt) {
            precondition(thread == UInt(pthread_self()), "A test that takes its turn to draw must not suspend.")
            lock.unlock()
        }
    }

    extension Trait where Self == RenderTurn {
        /// Runs the test, or each test of the suite, while no other one draws.
        public static var renderTurn: Self { RenderTurn() }
    }
#endif
