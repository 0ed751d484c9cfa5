import CVitrailV4L2
import MediaIO
import Testing

@testable import V4L2Capture

/// The controls of a real driver.
@Suite(VividCamera.isThere, .serialized) struct V4L2ControlTests {
    private static func camera() throws -> CameraDevice { try #require(VividCamera.all().first) }

    @Test func controlsAreReadAndSet() throws {
        let camera = try Self.camera()
        let controls = try CameraControls(path: camera.path)
        let all = controls.all()
        let brightness = try #require(all.first { $0.key == "brightness" })
        #expect(brightness.range == 0...255 && brightness.defaultValue == 128 && brightness.kind == .number)
        #expect(try controls.set("brightness", to: "200").value == 200)
        #expect(try controls.set("brightness", to: "default").value == 128)
        #expect(try controls.set("horizontal_flip", to: "on").valueText == "on")
        #expect(try controls.set("horizontal_flip", to: "off").value == 0)
        #expect(try controls.set("integer_menu", to: "13").value == 6)
        #expect(try controls.set("integer_menu", to: "default").value == 4)
        #expect(try controls.set("bitmask", to: "0x400000").value == 0x40_0000)
        for (key, value, words) in [
            ("brightness", "256", "use 0 to 255"), ("brightness", "x", "not a value"),
            ("flip", "on", "horizontal_flip"),
            ("nothing", "1", "has no control “nothing”"), ("menu", "Item 2", "Menu Item 1 (1)"),
            ("read_only_integer_32_bits", "1", "can only be read"),
        ] {
            let error = try #require(throws: StreamError.self) { try controls.set(key, to: value) }
            #expect(error.code == .unsupported && error.description.contains(words), "\(error)")
        }
    }

    @Test func keysChooseAndChange() throws {
        let controls = try CameraControls(path: Self.camera().path)
        let all = controls.all().filter { !$0.isReadOnly }
        var knob = CameraKnob()
        // The first key shows the first control.
        #expect(try knob.perform(.choose(1), on: controls)?.key == all[0].key)
        #expect(try knob.perform(.choose(1), on: controls)?.key == all[1].key)
        #expect(try knob.perform(.choose(-1), on: controls)?.key == all[0].key)
        #expect(try knob.perform(.choose(-1), on: controls)?.key == all.last?.key)
        while try #require(try knob.perform(.choose(1), on: controls)).key != "brightness" {}
        try controls.set("brightness", to: "250")
        #expect(try knob.perform(.change(-1), on: controls)?.value == 238)
        #expect(try knob.perform(.change(1), on: controls)?.value == 250)
        #expect(try knob.perform(.change(1), on: controls)?.value == 255)
        #expect(try knob.perform(.change(1), on: controls)?.value == 255)
        #expect(try controls.set("brightness", to: "default").value == 128)
        // The other camera has the control, too, and one without controls has none.
        let other = try CameraControls(path: try #require(VividCamera.all().last).path)
        #expect(try knob.perform(.change(1), on: other)?.value == 140)
        try other.set("brightness", to: "default")
    }
}
