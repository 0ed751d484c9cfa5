import MediaIO
import TestSupport
import Testing
import WindowGL

@Suite struct WindowErrorTests {
    @Test(arguments: [
        (nil, "DISPLAY is not set"), (":4242", "DISPLAY is :4242"), ("nonsense", "Failed to open display nonsense"),
    ])
    func withoutADisplayTheErrorSaysWhatWasTried(_ display: String?, _ words: String) throws {
        let probe = try LineProcess(
            ProbeProcess.executable, environment: ["DISPLAY": display, "WAYLAND_DISPLAY": nil, "XDG_RUNTIME_DIR": nil])
        let error = try probe.wait(for: "error")
        #expect(error.contains("No window can be opened: X11: "))
        #expect(error.contains(words) && error.contains("GLFW 3.") && error.contains("desktop session"))
        #expect(probe.end() == 69)
    }

    @Test(arguments: [(0, 10), (10, 0), (-5, 10), (100_000, 10), (10, 100_000)])
    func aSizeOutOfRangeIsRefused(width: Int, height: Int) {
        // The size is checked first, so no display is needed.
        let error = #expect(throws: WindowError.self) {
            _ = try Window(title: "impossible", size: VideoSize(width: width, height: height))
        }
        #expect(error?.code == .badSize)
        #expect(error?.description.contains("\(width)x\(height)") == true)
    }
}
