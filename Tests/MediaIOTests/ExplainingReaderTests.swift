import Testing

@testable import MediaIO

/// A reader says why no frames come while it waits for them.
@Suite(.timeLimit(.minutes(25))) struct ExplainingReaderTests {
    /// Delivers what a test says, or says why nothing comes.
    private final class Reader: ExplainingReader {
        enum Step: Sendable {
            case frame(VideoFrame)
            case explain(String)
        }

        /// The steps to come, and how many are done.
        final class Script: Sendable {
            let content = Monitor<(steps: [Step], done: Int)>(([], 0))

            func add(_ steps: [Step]) { content.change { $0.steps += steps } }
            func await(_ count: Int) { _ = content.wait { $0.done >= count ? () : nil } }
        }

        let info = StreamInfo(container: "live", size: VideoSize(width: 2, height: 2), isLive: true)
        var explain: ((StreamError) -> Void)?
        private let script: Script
        private let cancellation: ReadCancellation

        init(_ script: Script, _ cancellation: ReadCancellation) {
            (self.script, self.cancellation) = (script, cancellation)
        }

        func next() throws(StreamError) -> VideoFrame? {
            while !cancellation.isCancelled {
                let step = script.content.wait(until: .now + .milliseconds(5)) {
                    $0.steps.isEmpty ? nil : $0.steps.removeFirst()
                }
                defer { if step != nil { script.content.change { $0.done += 1 } } }
                switch step {
                case .frame(let frame): return frame
                case .explain(let reason): explain?(StreamError(.noSignal, reason))
                case nil: break
                }
            }
            throw StreamError(.readFailed, "Cancelled.")
        }

        func rewind() throws(StreamError) { throw StreamError(.unsupported, "Live.") }
    }

    private static func source(_ script: Reader.Script, _ log: DecodingSourceTests.Log) -> LiveSource {
        let cancellation = ReadCancellation()
        return LiveSource(
            name: "camera", cancellation: cancellation, awaitChance: { _ in },
            decoder: { _ in DecodingSourceTests.Decoder(log) }
        ) { Reader(script, cancellation) }
    }

    private static func waiting(_ reason: String) -> SourceCondition { .waiting(reason, code: .noSignal) }

    /// Pictures as they are, and packets, whose pictures come on another thread.
    @Test(arguments: [false, true]) func eachReasonIsToldOnceBetweenThePictures(_ isEncoded: Bool) throws {
        func frame(_ number: UInt8) throws -> Reader.Step {
            isEncoded
                ? .frame(try DecodingSourceTests.packet(number, isKeyFrame: true))
                : .frame(try VideoStreamTests.frame(at: .seconds(Int(number))))
        }
        let (script, consumer) = (Reader.Script(), WaitingConsumer())
        let source = Self.source(script, DecodingSourceTests.Log())
        try source.initialize(consumer: consumer)
        try source.start()
        script.add([try frame(1)])
        consumer.awaitFrames(1)
        #expect(consumer.conditions.isEmpty)
        script.add([.explain("off")])
        consumer.awaitConditions(1)
        script.add([.explain("off"), .explain("off"), .explain("loose")])
        consumer.awaitConditions(2)
        script.add([try frame(2)])
        consumer.awaitFrames(2)
        script.add([.explain("off")])
        consumer.awaitConditions(4)
        source.dispose()
        #expect(consumer.conditions == [Self.waiting("off"), Self.waiting("loose"), .live, Self.waiting("off")])
    }

    /// What was said while the source was stopped is said when the reader repeats it.
    @Test func whoStartsLaterIsToldToo() throws {
        let (script, consumer) = (Reader.Script(), WaitingConsumer())
        let source = Self.source(script, DecodingSourceTests.Log())
        try source.initialize(consumer: consumer)
        script.add([.explain("off")])
        script.await(1)
        #expect(consumer.conditions.isEmpty)
        try source.start()
        script.add([.explain("off"), .explain("off")])
        script.await(3)
        source.dispose()
        #expect(consumer.conditions == [Self.waiting("off")])
    }
}
