import CVitrailV4L2
import Glibc
import MediaIO
import Testing

@testable import V4L2Capture

/// A camera at whose socket nothing comes in.
@Suite(.timeLimit(.minutes(25))) struct CameraSignalTests {
    private static let digital = UInt32(V4L2_IN_CAP_DV_TIMINGS)

    private static func camera(_ status: Int32? = 0, capabilities: UInt32 = 0) -> FakeCamera {
        var behavior = FakeCamera.Behavior()
        behavior.input = status.map { (UInt32($0), capabilities) }
        return FakeCamera("C", [CameraReaderTests.small], behavior)
    }

    /// Fills buffers until something is so.
    private static func fill(_ camera: FakeCamera, until condition: () -> Bool) {
        #expect(
            eventually {
                camera.fill([7])
                return condition()
            })
    }

    private static func isWithoutSignal(_ scene: CameraScene) -> Bool {
        if case .waiting(_, nil, .noSignal) = scene.mailbox.condition { true } else { false }
    }

    @Test(
        arguments: [
            (0, nil), (V4L2_IN_ST_NO_POWER, .noPower), (V4L2_IN_ST_NO_SIGNAL, .noSignal), (V4L2_IN_ST_NO_SYNC, .noSync),
            (V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_SYNC, .noPower),
            (V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_SYNC | V4L2_IN_ST_NO_H_LOCK, .noSignal),
            // A picture in grey, upside down or protected is a picture, and a tape that is wound has one, too.
            (V4L2_IN_ST_NO_COLOR | V4L2_IN_ST_COLOR_KILL | V4L2_IN_ST_HFLIP | V4L2_IN_ST_VFLIP, nil),
            (V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_MACROVISION | V4L2_IN_ST_VTR, nil),
        ] as [(Int32, InputFault?)]) func bitsOfTheStatus(_ status: Int32, _ fault: InputFault?)
    {
        #expect(InputFault(status: UInt32(status)) == fault)
    }

    @Test(
        arguments: [
            (V4L2_IN_ST_NO_POWER, 0, "What is connected to “HDMI 2” of C (/dev/video0) is off: switch it on."),
            (V4L2_IN_ST_NO_SIGNAL, 0, "C (/dev/video0) gets no signal at “HDMI 2”"),
            (V4L2_IN_ST_NO_SYNC, 0, "C (/dev/video0) cannot lock on to the signal at “HDMI 2”"),
            (0, ENOLINK, "gets no signal"), (0, ENOLCK, "cannot lock on"),
            // Too fast for the hardware; not asked while it captures; a driver that has nothing to say.
            (0, ERANGE, nil), (0, EBUSY, nil), (0, ENOTTY, nil), (0, 0, nil),
        ] as [(Int32, Int32, String?)])
    func whatADriverSays(_ status: Int32, _ timings: Int32, _ words: String?) throws {
        let camera = Self.camera(status, capabilities: Self.digital)
        if timings != 0 { camera.change { $0.errors[vitrail_query_dv_timings] = timings } }
        let error = InputFault.error(of: try OpenDevice("/dev/video0", FakeDevices(camera)))
        #expect(error?.code == words.map { _ in .noSignal })
        if let words { #expect(error?.description.contains(words) == true, "\(error?.description ?? "")") }
    }

    /// Analogue inputs have no timings, and most cameras no inputs.
    @Test func whatIsNotAsked() throws {
        let analogue = Self.camera(0)
        analogue.change { $0.errors[vitrail_query_dv_timings] = ENOLINK }
        #expect(InputFault.error(of: try OpenDevice("/dev/video0", FakeDevices(analogue))) == nil)
        #expect(InputFault.error(of: try OpenDevice("/dev/video0", FakeDevices(Self.camera(nil)))) == nil)
    }

    @Test func theFirstFrameAsksAndThenEachSecond() {
        let begin = MonotonicTime.now
        var watch = SignalWatch(at: begin)
        #expect(!watch.isDue(at: begin, hasFrame: false))
        #expect(watch.isDue(at: begin, hasFrame: true))
        #expect(watch.isDue(at: begin + .seconds(1), hasFrame: false))
        let problem = StreamError(.noSignal, "none")
        watch.note(problem, at: begin + .milliseconds(100))
        #expect(watch.problem == problem && watch.next == begin + .milliseconds(1100))
        for hasFrame in [false, true] {
            #expect(!watch.isDue(at: begin + .milliseconds(1099), hasFrame: hasFrame))
            #expect(watch.isDue(at: begin + .milliseconds(1100), hasFrame: hasFrame))
        }
        watch.note(nil, at: begin + .milliseconds(1100))
        #expect(watch.problem == nil)
    }

    /// The driver goes on with frames of noise.
    @Test func noiseIsNotShown() throws {
        let camera = Self.camera(0)
        let scene = try CameraScene("", system: FakeDevices(camera))
        try scene.show(1, on: camera)
        camera.change { $0.input?.status = UInt32(V4L2_IN_ST_NO_SIGNAL) }
        Self.fill(camera) { Self.isWithoutSignal(scene) }
        #expect(scene.reason?.contains("gets no signal at “HDMI 2”") == true)
        _ = scene.mailbox.take()
        let questions = camera.questions
        Self.fill(camera) { camera.questions >= questions + 2 }
        #expect(!scene.mailbox.hasFrame && Self.isWithoutSignal(scene))
        camera.change { $0.input?.status = 0 }
        Self.fill(camera) { scene.mailbox.hasFrame }
        #expect(scene.mailbox.condition == .live)
        #expect(camera.status.starts == 1 && scene.source.report?.restarts == 0)
        // And it may go again.
        camera.change { $0.input?.status = UInt32(V4L2_IN_ST_NO_SYNC) }
        Self.fill(camera) { scene.reason?.contains("cannot lock on") == true }
    }

    @Test func notEvenTheFirstFrameOfNoiseIsShown() throws {
        let camera = Self.camera(V4L2_IN_ST_NO_SIGNAL)
        let scene = try CameraScene("", system: FakeDevices(camera))
        camera.awaitStart()
        Self.fill(camera) { Self.isWithoutSignal(scene) }
        #expect(scene.mailbox.statistics.received == 0)
    }

    /// It would not help, and the wait says why already.
    @Test func aCameraWithoutFramesAndSignalIsNotRestarted() throws {
        let camera = Self.camera(0)
        let scene = try CameraScene("", system: FakeDevices(camera))
        try scene.show(1, on: camera)
        camera.change { $0.input?.status = UInt32(V4L2_IN_ST_NO_SIGNAL) }
        #expect(eventually { Self.isWithoutSignal(scene) })
        // Twice as long as a stall.
        let questions = camera.questions
        #expect(eventually { camera.questions >= questions + 4 })
        #expect(camera.status.starts == 1)
        camera.change { $0.input?.status = 0 }
        // Once the signal is back, it counts as stalled, and is restarted.
        try scene.show(2, on: camera, start: 2)
        #expect(scene.mailbox.condition == .live)
    }

    /// Whoever comes late hears it, too.
    @Test func itIsSaidAfterAStop() throws {
        let camera = Self.camera(0)
        let scene = try CameraScene("", system: FakeDevices(camera))
        try scene.show(1, on: camera)
        scene.stream.stop()
        camera.change { $0.input?.status = UInt32(V4L2_IN_ST_NO_SIGNAL) }
        let questions = camera.questions
        #expect(eventually { camera.questions >= questions + 2 })
        try scene.stream.start()
        #expect(eventually { Self.isWithoutSignal(scene) })
    }

    /// To some drivers, a lost signal is an error of reading, or one of starting.
    @Test(arguments: [vitrail_dqbuf, vitrail_streamon]) func errorsWithoutASignal(_ call: UInt) throws {
        let camera = Self.camera(0)
        let scene = try CameraScene("", system: FakeDevices(camera))
        try scene.show(1, on: camera)
        camera.change {
            $0.input?.status = UInt32(V4L2_IN_ST_NO_SIGNAL)
            $0.errors[vitrail_dqbuf] = EIO
            $0.errors[call] = EIO
        }
        camera.fill([2])
        #expect(eventually { Self.isWithoutSignal(scene) })
        camera.change {
            $0.input?.status = 0
            $0.errors = [:]
        }
        Self.fill(camera) { scene.mailbox.condition == .live }
    }

    /// Whoever pulls frames gets what there is: a recording goes on.
    @Test func aReaderOfItsOwnReadsOn() throws {
        let camera = Self.camera(V4L2_IN_ST_NO_SIGNAL)
        let reader = try CameraReaderTests.reader(camera)
        camera.fill([1])
        #expect(try CameraReaderTests.first(reader.next()) == 1)
        #expect(camera.questions == 0)
        camera.change { $0.errors[vitrail_dqbuf] = EIO }
        camera.fill([2])
        let failure = try #require(throws: StreamError.self) { try reader.next() }
        #expect(failure.code == .noSignal)
    }

    @Test func aDriverThatCannotTellIsShownAsItIs() throws {
        let camera = Self.camera(nil)
        let scene = try CameraScene("", system: FakeDevices(camera))
        try scene.show(1, on: camera)
        try scene.show(2, on: camera)
        #expect(scene.mailbox.condition == .live)
    }
}
