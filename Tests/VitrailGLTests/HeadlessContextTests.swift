import HeadlessGL
import TestSupport
import Testing
import VitrailGL

/// The context without a window.
///
/// That it can be made is tested by every other test; without EGL all of them fail.
@Suite(.renderTurn) struct HeadlessContextTests {
    @Test func theDriverIntroducesItself() throws {
        let information = try HeadlessContext.make().information
        #expect(!information.vendor.isEmpty && !information.renderer.isEmpty && !information.version.isEmpty)
        #expect(information.maximumTextureSize >= 1024)
    }

    @Test func contextsComeAndGo() throws {
        for _ in 0..<20 {
            let context = try HeadlessContext.make()
            let texture = try Texture(context, .rgba8, width: 256, height: 256)
            #expect(texture.width == 256)
        }
    }
}
