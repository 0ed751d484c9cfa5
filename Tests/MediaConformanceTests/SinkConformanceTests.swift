import Glibc
import MediaConformance
import MediaEngine
import MediaIO
import TestSupport
import Testing

/// A sink that counts frames; each mistake changes one thing.
final class CountingSink: VideoSink {
    enum Mistake: CaseIterable {
        case keepsFrames, keepsLateFrames, keepsItself, blocks, throwsAtStart, throwsAtSecondStart, changesDemand
        case stopBlocks

        var rule: ConformanceViolation.Rule {
            switch self {
            case .keepsFrames, .keepsLateFrames: .framesKept
            case .keepsItself: .objectRetained
            case .blocks, .stopBlocks: .doesNotReturn
            case .throwsAtStart, .throwsAtSecondStart: .legalStepThrows
            case .changesDemand: .demandChanges
            }
        }
    }

    private struct State {
        var kept: [VideoFrame] = []
        var itself: CountingSink?
        var isAlive = false
        var starts = 0
    }

    let pixelFormats: [PixelFormat] = [.nv12, .rgb24]
    private let mistake: Mistake?
    private let state = Monitor(State())

    init(_ mistake: Mistake? = nil) { self.mistake = mistake }

    var demand: SinkDemand? { mistake == .changesDemand ? SinkDemand() : nil }

    func initialize() throws(StreamError) {
        state.withLock { state in
            state.isAlive = true
            if mistake == .keepsItself { state.itself = self }
        }
    }

    func start() throws(StreamError) {
        let starts = state.withLock { state in
            state.starts += 1
            return state.starts
        }
        if mistake == .throwsAtStart || mistake == .throwsAtSecondStart && starts > 1 {
            throw StreamError(.cannotOpen, "There is no screen.")
        }
    }

    func stop() { if mistake == .stopBlocks { while true { sleep(100) } } }

    func consume(_ frame: VideoFrame) {
        if mistake == .blocks { sleep(5) }
        state.withLock { state in
            // A frame that arrives after `dispose()` must not be kept.
            if state.isAlive || mistake == .keepsLateFrames { state.kept = [frame] }
        }
    }

    func dispose() {
        state.withLock { state in
            state.isAlive = false
            if mistake != .keepsFrames, mistake != .keepsLateFrames { state.kept = [] }
        }
    }
}

/// Right sinks pass the kit, and wrong ones are caught by name.
@Suite(.timeLimit(.minutes(30))) struct SinkConformanceTests {
    @Test func ourSinksPass() async throws {
        let sinks: [@Sendable () -> any VideoSink] = [
            { FrameMailbox() }, { FrameHandler { _ in } },
            { ConvertingSink(FrameHandler(pixelFormats: [.bgra32]) { _ in }) }, { ConvertingSink(FrameMailbox()) },
            { CountingSink() },
        ]
        for make in sinks {
            var kit = SinkConformance(make)
            // Enough for a busy machine.
            kit.patience = .seconds(20)
            #expect(try await failure(onOwnThread: kit.check) == nil)
        }
    }

    @Test(arguments: CountingSink.Mistake.allCases) func wrongSinksAreCaughtByName(
        _ mistake: CountingSink.Mistake
    ) async throws {
        var kit = SinkConformance { CountingSink(mistake) }
        kit.patience = .seconds(3)
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation?.rule == mistake.rule, "\(violation.map(String.init(describing:)) ?? "nothing was found")")
        #expect(violation?.trace.isEmpty == false)
    }

    @Test func aBrokenSinkThatOpensIsCaught() async throws {
        let kit = SinkConformance({ CountingSink() }, broken: { CountingSink() })
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation?.rule == .failureMissing && violation?.detail.contains("did not throw") == true)
    }

    @Test func theSameSeedTriesTheSame() async throws {
        var kit = SinkConformance { CountingSink(.throwsAtSecondStart) }
        kit.seed = 7
        let found = [try await failure(onOwnThread: kit.check), try await failure(onOwnThread: kit.check)]
        #expect(found[0]?.trace == found[1]?.trace && found[0]?.seed == 7)
    }
}
