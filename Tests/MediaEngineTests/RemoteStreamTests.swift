import MediaEngine
import MediaIO
import Testing

/// Remote streams by ID, their renderers, and what the engine tells of them.
@Suite(.timeLimit(.minutes(30))) struct RemoteStreamTests {
    @Test func streamsAreFoundByTheirID() throws {
        let engine = VideoEngine()
        let (door, yard) = (PushSource(name: "door"), PushSource(name: "yard"))
        let canvas = FrameMailbox()
        try engine.startPlayingStream("yard", from: yard)
        try engine.startPlayingStream("door", from: door, canvas: canvas)
        #expect(engine.streams.map(\.id) == ["door", "yard"])
        #expect(try engine.stream("door").source === door)
        let error = #expect(throws: StreamError.self) { try engine.stream("roof") }
        #expect(error?.code == .unknownStream && error?.description.contains("roof") == true)
        #expect(throws: StreamError.self) { try engine.startPlayingStream("door", from: PushSource(name: "again")) }
        let (first, second) = (RecordingSink(), RecordingSink(.pixelBuffer, [.bgra32]))
        try engine.setRemoteVideoRenderer(first, for: "door")
        #expect(door.push(try markedFrame(1)) == .delivered)
        try engine.setRemoteVideoRenderer(second, for: "door")
        #expect(door.push(try markedFrame(2)) == .delivered)
        #expect(yard.push(try markedFrame(9)) == .delivered)
        #expect(first.marks == [1] && second.frames.map(\.image.format) == [.bgra32])
        #expect(try engine.stream("door").statistics(of: second)?.converted == 1)
        #expect(canvas.statistics.received == 2)
        // One ends, the others go on.
        engine.stopPlayingStream("door")
        #expect(door.push(try markedFrame(3)) == .disposed)
        #expect(yard.push(try markedFrame(9)) == .delivered)
        #expect(engine.streams.map(\.id) == ["yard"])
        engine.stopPlayingStream("door")
        try engine.startPlayingStream("door", from: PushSource(name: "door"))
        engine.dispose()
        #expect(first.steps == ["initialize", "start", "stop", "dispose"] && second.steps == first.steps)
    }

    /// A renderer that is set before its user joins begins with the user's stream, and ends with it.
    @Test func renderersMayWaitForTheirStreams() throws {
        let engine = VideoEngine()
        let (replaced, early, later) = (RecordingSink(), RecordingSink(), RecordingSink())
        try engine.setRemoteVideoRenderer(replaced, for: "door")
        try engine.setRemoteVideoRenderer(early, for: "door")
        try engine.setRemoteVideoRenderer(later, for: "yard")
        try engine.setRemoteVideoRenderer(nil, for: "yard")
        #expect(early.steps.isEmpty)
        // A stream that cannot be opened does not cost the renderer.
        #expect(throws: StreamError.self) { try engine.startPlayingStream("door", from: BrokenSource()) }
        let (door, yard) = (PushSource(name: "door"), PushSource(name: "yard"))
        let stream = try engine.startPlayingStream("door", from: door)
        try engine.startPlayingStream("yard", from: yard)
        #expect(door.push(try markedFrame(1)) == .delivered)
        #expect(yard.push(try markedFrame(2)) == .delivered)
        #expect(early.marks == [1] && later.frames.isEmpty && replaced.steps.isEmpty)
        // It is the stream's renderer, which another one replaces.
        try stream.setVideoRenderer(later)
        #expect(door.push(try markedFrame(3)) == .delivered)
        #expect(early.marks == [1] && later.marks == [3])
        engine.stopPlayingStream("door")
        let again = PushSource(name: "door")
        try engine.startPlayingStream("door", from: again)
        #expect(again.push(try markedFrame(4)) == .delivered)
        #expect(later.marks == [3] && later.steps.last == "dispose" && early.steps.last == "dispose")
        engine.dispose()
        let error = #expect(throws: StreamError.self) { try engine.setRemoteVideoRenderer(early, for: "roof") }
        #expect(error?.code == .wrongOrder)
    }

    @Test func localStreamsAreNoRemoteOnes() throws {
        let engine = VideoEngine()
        let id = StreamID.local(.aux)
        let errors = [
            #expect(throws: StreamError.self) { try engine.stream(id) },
            #expect(throws: StreamError.self) { try engine.startPlayingStream(id, from: PushSource(name: "aux")) },
            #expect(throws: StreamError.self) { try engine.setRemoteVideoRenderer(RecordingSink(), for: id) },
        ]
        for error in errors {
            #expect(error?.code == .unknownStream && error?.description.contains("The channel aux is local") == true)
        }
        #expect(engine.channel(.aux).id == id)
        engine.dispose()
    }

    @Test func anyNumberOfSinks() throws {
        let engine = VideoEngine()
        let source = PushSource(name: "door")
        let stream = try engine.startPlayingStream("door", from: source)
        let sinks = (0..<4).map { _ in RecordingSink() }
        for (index, sink) in sinks.enumerated() {
            try stream.add(sink)
            source.push(try markedFrame(UInt8(index)))
        }
        #expect(throws: StreamError.self) { try stream.add(sinks[0]) }
        for sink in sinks { stream.remove(sink) }
        source.push(try markedFrame(9))
        #expect(sinks.map(\.marks) == [[0, 1, 2, 3], [1, 2, 3], [2, 3], [3]])
        engine.dispose()
    }

    @Test func failuresLeaveNoStream() throws {
        let engine = VideoEngine()
        #expect(throws: StreamError.self) { try engine.startPlayingStream("door", from: BrokenSource()) }
        let canvas = RecordingSink(failing: "initialize")
        let source = PushSource(name: "door")
        #expect(throws: StreamError.self) { try engine.startPlayingStream("door", from: source, canvas: canvas) }
        #expect(engine.streams.isEmpty)
        let other = PushSource(name: "door")
        let stream = try engine.startPlayingStream("door", from: other)
        #expect(throws: StreamError.self) { try stream.setVideoRenderer(canvas) }
        #expect(throws: StreamError.self) { try stream.setVideoSource(BrokenSource()) }
        let sink = RecordingSink()
        try stream.add(sink)
        #expect(other.push(try markedFrame(1)) == .delivered)
        #expect(sink.marks == [1])
        engine.dispose()
    }

    @Test func theFirstFrameOfEachStreamIsTold() throws {
        let events = Journal<EngineEvent>()
        let engine = VideoEngine { events.add($0) }
        let (camera, door) = (PushSource(name: "camera"), PushSource(name: "door"))
        try engine.setVideoSource(camera)
        try engine.startPreview()
        try engine.startPlayingStream("door", from: door)
        for mark in 1...3 {
            camera.push(try markedFrame(UInt8(mark)))
            door.push(try markedFrame(UInt8(mark)))
        }
        door.report(.waiting("the connection is lost"))
        events.await(3)
        engine.stopPreview()
        try engine.startPreview()
        camera.push(try markedFrame(4))
        events.await(4)
        engine.dispose()
        #expect(
            events.entries == [
                .firstFrame(.local(.main)), .firstFrame(.remote("door")),
                .condition(.remote("door"), .waiting("the connection is lost")), .firstFrame(.local(.main)),
            ])
    }

    /// Whatever the owner does in an event, frames go on, and nothing comes after `dispose()`.
    @Test func aSlowOwnerHoldsUpNobody() throws {
        let (began, mayEnd) = (Journal<Int>(), Journal<Int>())
        let engine = VideoEngine { _ in
            began.add(1)
            mayEnd.await(1)
        }
        let (door, yard) = (PushSource(name: "door"), PushSource(name: "yard"))
        let sink = RecordingSink()
        try engine.startPlayingStream("door", from: door, canvas: sink)
        try engine.startPlayingStream("yard", from: yard)
        door.push(try markedFrame(1))
        yard.push(try markedFrame(1))
        began.await(1)
        for mark in 2...9 { door.push(try markedFrame(UInt8(mark))) }
        #expect(sink.frames.count == 9)
        mayEnd.add(1)
        engine.dispose()
        let count = began.entries.count
        door.push(try markedFrame(10))
        #expect(began.entries.count == count && count <= 2)
    }

    /// A renderer that blocks delays its own stream alone.
    @Test func aSlowRendererHoldsUpNoOtherStream() throws {
        let (began, mayEnd) = (Journal<Int>(), Journal<Int>())
        let engine = VideoEngine()
        let (door, yard) = (PushSource(name: "door"), PushSource(name: "yard"))
        try engine.startPlayingStream("door", from: door)
        try engine.startPlayingStream("yard", from: yard)
        let slow = RecordingSink { _ in
            began.add(1)
            mayEnd.await(1)
        }
        let quick = RecordingSink()
        try engine.setRemoteVideoRenderer(slow, for: "door")
        try engine.setRemoteVideoRenderer(quick, for: "yard")
        let frame = try markedFrame(1)
        let pushing = try SystemThread(for: "the door") { door.push(frame) }
        began.await(1)
        for mark in 2...9 { #expect(yard.push(try markedFrame(UInt8(mark))) == .delivered) }
        #expect(quick.frames.count == 8)
        mayEnd.add(1)
        pushing.join()
        #expect(slow.frames.count == 1)
        engine.dispose()
    }

    @Test(arguments: DeviceState.allCases) func deviceStatesAreObserved(_ state: DeviceState) throws {
        let events = Journal<EngineEvent>()
        let engine = VideoEngine { events.add($0) }
        let mailbox = FrameMailbox()
        let capture = try engine.channel(.aux).enableCustomCapture(captureType: .camera)
        try engine.startPreview(canvas: mailbox, for: .aux)
        #expect(capture.deviceState == .open)
        capture.deviceState = state
        #expect(capture.deviceState == state)
        #expect(mailbox.condition == state.condition)
        events.await(2)
        #expect(Set(events.entries) == [.device(.local(.aux), state), .condition(.local(.aux), state.condition)])
        // Whoever comes later is told, too.
        engine.stopPreview(for: .aux)
        try engine.startPreview(canvas: mailbox, for: .aux)
        #expect(state == .open || mailbox.condition == state.condition)
        engine.dispose()
    }
}
