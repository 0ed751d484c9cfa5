import MediaIO
import TestSupport
import Testing

/// Every step in every state, and long walks against a model.
struct StreamLifecycleTests {
    typealias State = StreamLifecycle.State
    typealias Step = StreamLifecycle.Step

    /// What is expected: a new state, nothing (`nil`), or an error that advises this.
    enum Outcome {
        case to(State)
        case nothing
        case error(String)
    }

    /// Written down by hand, state by state.
    static func expected(_ state: State, _ step: Step) -> Outcome {
        switch (state, step) {
        case (.created, .initialize): .to(.initialized)
        case (.created, .start): .error("initialize it first")
        case (.created, .stop): .nothing
        case (.created, .dispose): .to(.disposed)
        case (.initialized, .initialize): .error("done before")
        case (.initialized, .start): .to(.started)
        case (.initialized, .stop): .nothing
        case (.initialized, .dispose): .to(.disposed)
        case (.started, .initialize): .error("done before")
        case (.started, .start): .error("done before")
        case (.started, .stop): .to(.initialized)
        case (.started, .dispose): .error("stop it first")
        case (.disposed, .initialize): .error("make a new one")
        case (.disposed, .start): .error("make a new one")
        case (.disposed, .stop): .nothing
        case (.disposed, .dispose): .nothing
        }
    }

    /// A life that has come to a state by legal steps.
    static func life(in state: State) throws -> StreamLifecycle {
        var life = StreamLifecycle()
        let path: [Step] =
            switch state {
            case .created: []
            case .initialized: [.initialize]
            case .started: [.initialize, .start]
            case .disposed: [.dispose]
            }
        for step in path { try life.take(step, of: "it") {} }
        #expect(life.state == state)
        return life
    }

    @Test(arguments: State.allCases, Step.allCases) func table(_ state: State, _ step: Step) throws {
        var life = try Self.life(in: state)
        var worked = false
        var error: StreamError?
        do throws(StreamError) {
            try life.take(step, of: "the camera") { worked = true }
        } catch let failure {
            error = failure
        }
        switch Self.expected(state, step) {
        case .to(let next):
            #expect(error == nil)
            #expect(worked)
            #expect(life.state == next)
        case .nothing:
            #expect(error == nil)
            #expect(!worked)
            #expect(life.state == state)
        case .error(let advice):
            #expect(error?.code == .wrongOrder)
            for word in ["the camera", "\(step)", "\(state)", advice] {
                #expect(error?.description.contains(word) == true, "\(word)")
            }
            #expect(!worked)
            #expect(life.state == state)
        }
    }

    @Test(arguments: State.allCases, Step.allCases) func failingWorkLeavesTheState(_ state: State, _ step: Step) throws
    {
        guard case .to = Self.expected(state, step) else { return }
        var life = try Self.life(in: state)
        let failure = StreamError(.cannotOpen, "The lens is on.")
        let error = #expect(throws: StreamError.self) {
            try life.take(step, of: "the camera") { () throws(StreamError) in throw failure }
        }
        #expect(error == failure)
        #expect(life.state == state)
        try life.take(step, of: "the camera") {}
        #expect(life.state != state)
    }

    @Test func randomWalks() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            var life = StreamLifecycle()
            var model = State.created
            for _ in 0..<20 {
                guard let step = Step.allCases.randomElement(using: &random) else { return }
                let fails = Int.random(in: 0..<4, using: &random) == 0
                do throws(StreamError) {
                    try life.take(step, of: "it") { () throws(StreamError) in
                        if fails { throw StreamError(.cannotOpen, "no") }
                    }
                    if case .to(let next) = Self.expected(model, step) { model = next }
                } catch {
                    if case .nothing = Self.expected(model, step) { Issue.record("\(step) in \(model): \(error)") }
                }
                #expect(life.state == model)
            }
        }
    }
}
