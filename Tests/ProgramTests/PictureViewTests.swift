import MediaIO
import Testing
import VideoWall
import WindowGL

@testable import vitrail

/// How the wheel and the mouse change which part of a picture is shown.
struct PictureViewTests {
    private let area = Rectangle(x: 0, y: 0, width: 600, height: 120)

    /// A wheel that is turned fast has several steps between two drawings.
    @Test("Steps of the wheel keep the point under the mouse, drawn in between or not")
    func steps() throws {
        let tile = WallTile(name: "")
        tile.contentMode = .stretch
        let mouse = WindowEvent.MousePosition(x: 500, y: 60)
        for step in 1...6 {
            tile.zoom = PictureView(of: tile, in: area).enlarged(by: 1, at: mouse)
            let placement = tile.placement(in: area)
            let point = placement.visibleX + placement.visibleWidth * mouse.x / 600
            #expect(abs(point - 500.0 / 600) < 1e-4, "\(step)")
        }
        // 100 pixels to the right, in four steps.
        let before = tile.placement(in: area)
        for _ in 0..<4 { tile.zoom = PictureView(of: tile, in: area).moved(x: -25, y: 0) }
        let after = tile.placement(in: area)
        #expect(abs(before.visibleX - after.visibleX - before.visibleWidth * 100 / 600) < 1e-4)
    }
}
