import Testing

@testable import V4L2Capture

/// The values of controls, as people and keys give them.
@Suite struct CameraControlTests {
    private static func control(
        _ kind: CameraControl.Kind, _ value: Int?, range: ClosedRange<Int> = 0...255, step: Int = 1,
        choices: [Int: String] = [:]
    ) -> CameraControl {
        CameraControl(
            id: 1, key: "c", name: "C", kind: kind, range: range, step: step, defaultValue: 0, value: value,
            choices: choices, isReadOnly: false, isInactive: false)
    }

    @Test(
        arguments: [
            (control(.number, 128), 140, 116), (control(.number, 250), 255, 238), (control(.number, 3), 15, 0),
            (control(.number, -2, range: -4...4), -1, -3),
            (control(.number, 500, range: 0...10_000, step: 300), 800, 200),
            (control(.number, 0, range: -9...0, step: 0), 0, -1), (control(.number, 5, range: 5...5), 5, 5),
            (control(.number, nil), nil, nil), (control(.toggle, 0), 1, 1), (control(.toggle, 1), 0, 0),
            (control(.button, nil), 1, 1), (control(.bits, 4), nil, nil),
            // The power line's frequency: off, 50 Hz, 60 Hz; and a menu with gaps, at a value that it does not have.
            (control(.menu, 2, choices: [0: "off", 1: "50 Hz", 2: "60 Hz"]), 0, 1),
            (control(.menu, 1, choices: [1: "manual", 3: "aperture"]), 3, 3),
            (control(.menu, 2, choices: [1: "manual", 3: "aperture"]), 1, 1), (control(.menu, 0), nil, nil),
        ] as [(CameraControl, Int?, Int?)]) func keysChangeValues(_ control: CameraControl, _ more: Int?, _ less: Int?)
    {
        #expect(control.value(after: 1) == more)
        #expect(control.value(after: -1) == less)
    }

    @Test(
        arguments: [
            ("50 hz", 1), ("2", 2), ("3", nil), ("Off", 0), ("default", 0),
        ] as [(String, Int?)]) func choicesAreFoundByNameOrNumber(_ text: String, _ value: Int?)
    {
        #expect(Self.control(.menu, 0, choices: [0: "off", 1: "50 Hz", 2: "60 Hz"]).value(of: text) == value)
    }

    @Test func choicesThatAreNumbersAreFoundByThem() {
        let control = Self.control(.menu, 4, choices: [3: "8", 4: "5", 5: "13"])
        #expect(control.value(of: "5") == 4 && control.value(of: "8") == 3 && control.value(of: "3") == 3)
    }

    @Test func onlyBitsThatThereAreAreSet() {
        let control = Self.control(.bits, 0, range: 0...0x50)
        #expect(
            control.value(of: "0x40") == 0x40 && control.value(of: "80") == 0x50 && control.value(of: "0x20") == nil)
    }

    @Test func settingsAreDescribed() {
        #expect(Self.control(.number, 7).description(after: 7) == "c = 7")
        #expect(Self.control(.number, 7).description(after: 8) == "c = 7 (8 was wanted)")
        #expect(Self.control(.toggle, 1).description() == "c = on")
    }
}
