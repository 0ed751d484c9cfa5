import MediaIO
import Testing
import TextRaster
import VideoWall
import WindowGL

@testable import vitrail

/// The help and the menu over the wall, on walls of many sizes.
struct PanelTests {
    static let sizes = [
        (320, 180), (640, 360), (960, 540), (1280, 720), (1920, 1080), (3840, 2160), (1080, 1920), (7680, 1080),
    ]
    let painter = TextRasterizer()

    private func isInside(_ overlays: [WallOverlay], _ size: VideoSize) -> Bool {
        let wall = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        return overlays.allSatisfy { $0.bounds.intersection(wall) == $0.bounds }
    }

    @Test("All pages of the help are on the wall, and after the last one it is closed", arguments: sizes)
    func help(_ width: Int, _ height: Int) {
        let size = VideoSize(width: width, height: height)
        var panel = HelpPanel()
        #expect(panel.overlays(in: size, painter).isEmpty)
        var pages = 0
        repeat {
            panel.turn()
            let overlays = panel.overlays(in: size, painter)
            #expect(overlays.isEmpty == (panel.page == nil))
            #expect(isInside(overlays, size), "\(overlays.map(\.bounds))")
            pages += panel.page == nil ? 0 : 1
        } while panel.page != nil
        #expect(pages == (height >= 720 ? 1 : width < 400 ? pages : 960 <= width ? 2 : 4))
        panel.show(true)
        #expect(panel.page == 0 && !panel.overlays(in: size, painter).isEmpty)
        panel.show(false)
        #expect(panel.page == nil)
    }

    @Test("All lines of the menu are on the wall, each under its own part of the mouse's way", arguments: sizes)
    func menu(_ width: Int, _ height: Int) {
        let size = VideoSize(width: width, height: height)
        for place in [(0, 0), (width / 2, height / 2), (width - 1, height - 1)] {
            var menu = WallMenu(
                of: WallTile(name: "a"), at: WindowEvent.MousePosition(x: Double(place.0), y: Double(place.1)))
            #expect(isInside(menu.overlays(in: size, painter), size))
            var found: Set<Int> = []
            for y in stride(from: 0, to: height, by: 4) {
                for x in stride(from: 0, to: width, by: max(40, width / 64)) {
                    if let entry = menu.entry(at: .init(x: Double(x), y: Double(y)), in: size) { found.insert(entry) }
                }
            }
            #expect(found == Set(menu.entries.indices))
        }
    }

    @Test("The menu has what can be done to a tile, to pages, clocks and the grid")
    func entries() {
        let menu = WallMenu(of: WallTile(name: "a"), at: .init(x: 0, y: 0))
        let verbs = Set(menu.entries.map(\.action.name))
        #expect(verbs.isSuperset(of: ["name", "retry", "remove", "rotate", "mirror", "content", "effects", "copy"]))
        #expect(
            verbs.isSuperset(of: ["page", "tour", "clock", "grid", "gap", "margin", "page-size", "save-as", "open"]))
        let wall = WallMenu(of: nil, at: .init(x: 0, y: 0))
        #expect(!wall.entries.contains { $0.action.section == .tile })
    }
}
