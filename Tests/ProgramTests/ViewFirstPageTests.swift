import Foundation
import MediaIO
import TestSupport
import Testing
import TextRaster
import WindowGL

@testable import VideoWall
@testable import vitrail

/// What a window without inputs shows.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewFirstPageTests {
    static let size = VideoSize(width: 640, height: 360)

    /// Waits until places of the screen have colours, within what renderers differ.
    private func wait(
        _ display: VirtualDisplay, _ program: RunningProgram, _ colors: [(x: Int, y: Int, color: [Int])],
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        func seen() throws -> [[Int]] {
            let screen = try display.screenshot()
            return colors.map { screen.color(x: $0.x, y: $0.y).map(Int.init) }
        }
        func isSo(_ seen: [[Int]]) -> Bool {
            zip(seen, colors).allSatisfy { zip($0, $1.color).allSatisfy { abs($0 - $1) <= 3 } }
        }
        let end = Date.now + 120
        while try !isSo(seen()), Date.now < end, program.process.isRunning { usleep(10_000) }
        let last = try seen()
        #expect(isSo(last), "\(last) \(program.errorText)", sourceLocation: place)
    }

    /// The middle of an entry.
    private func place(_ index: Int, _ list: RecentList) throws -> (String, String) {
        let page = FirstPage(list)
        let rows = (0..<Self.size.height).filter {
            page.entry(at: .init(x: 320, y: Double($0)), in: Self.size) == index
        }
        return ("320", "\(try #require(rows.first) + rows.count / 2)")
    }

    @Test("An empty wall shows the page; a digit and a click open what is recent, and it goes and comes back")
    func page() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        for (name, luma) in [("a.yuv", UInt8(70)), ("b.yuv", 200)] {
            _ = folder.write(name, Array(repeating: luma, count: 4096) + Array(repeating: 128, count: 2048))
        }
        let options = "size=64x64&format=i420&loop=yes&content=stretch"
        let look = "[look]\nanimation = false\n[layout]\nrows = 1\ncolumns = 2\ngap = 0\n"
        _ = folder.write("empty.toml", Array(look.utf8))
        let inputs = ["a", "b"].map { "[[input]]\nurl = \"\($0).yuv?\(options)\"\n" }.joined()
        _ = folder.write("two.toml", Array((look + inputs).utf8))
        var list = RecentList()
        let input = RecentList.Entry.input("\(folder.path)/a.yuv?\(options)")
        list.add([input, .wall(path: "\(folder.path)/two.toml")])
        folder.makeFolder("state")
        folder.makeFolder("state/vitrail")
        _ = folder.write("state/vitrail/recent", Array(list.text.utf8))

        let program = try startViewer(
            ["empty.toml", "--size", "640x360"], display, folder,
            environment: ["XDG_STATE_HOME": "\(folder.path)/state"])
        let (dark, bright) = ((70 - 16) * 255 / 219, (200 - 16) * 255 / 219)
        let ground = [13, 17, 23]
        let isPage = [(x: 4, y: 4, color: ground), (636, 4, ground), (4, 356, ground), (636, 356, ground)]
        try wait(display, program, isPage)
        // There is no third one.
        try display.xdotool("key", "3", "2")
        let isTwo = [
            (x: 4, y: 4, color: [dark, dark, dark]), (300, 300, [dark, dark, dark]),
            (340, 4, [bright, bright, bright]), (636, 320, [bright, bright, bright]),
        ]
        try wait(display, program, isTwo)
        let file = RecentFile(in: "\(folder.path)/state/vitrail")
        #expect(file.read().entries == [.wall(path: "\(folder.path)/two.toml"), input])

        try display.xdotool("mousemove", "100", "100", "key", "Delete")
        try display.xdotool("mousemove", "320", "100", "key", "Delete")
        try wait(display, program, isPage)
        // Under the mouse, an entry is marked; what it opens does not take the second click for itself.
        let wall = try place(0, file.read())
        try display.xdotool("mousemove", wall.0, wall.1)
        try wait(display, program, [(x: 530, y: try #require(Int(wall.1)), color: [28, 47, 69])])
        try display.xdotool("click", "--repeat", "2", "--delay", "30", "1")
        try wait(display, program, isTwo)
        usleep(300_000)
        try wait(display, program, isTwo)

        try display.xdotool("mousemove", "100", "100", "key", "Delete")
        try display.xdotool("mousemove", "320", "100", "key", "Delete")
        try wait(display, program, isPage)
        let second = try place(1, file.read())
        try display.xdotool("mousemove", second.0, second.1, "click", "1")
        try wait(display, program, [(x: 200, y: 4, color: [dark, dark, dark]), (440, 320, [dark, dark, dark])])
        #expect(try program.quit(display).status == 0)
        #expect(file.read().entries.first == input)
    }

    @Test("The demo wall says for a while how to replace it, and is not recent")
    func welcome() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try startViewer(
            ["--size", "640x360"], display, folder, environment: ["XDG_STATE_HOME": "\(folder.path)/state"])
        var card = WelcomeCard()
        card.isDue = true
        let bounds = try #require(card.overlays(in: Self.size, now: .now, TextRasterizer()).first?.bounds)
        // Over the lower edge of the gradient, where all colours are light.
        let place = (x: bounds.x + bounds.width - 4, y: bounds.y + 3)
        func wait(until isSo: (UInt8) -> Bool) throws {
            let end = Date.now + 120
            var seen: UInt8
            repeat {
                seen = try display.screenshot().color(x: place.x, y: place.y).max() ?? 0
            } while !isSo(seen) && Date.now < end && program.process.isRunning
            #expect(isSo(seen), "\(seen) \(program.errorText)")
        }
        // Black is the wall before its first picture.
        try wait { (1...60).contains($0) }
        try wait { $0 >= 180 }
        #expect(try program.quit(display).status == 0)
        #expect(access("\(folder.path)/state", F_OK) != 0)
    }

    @Test("The page fits where there is room for it, shows fewer entries where there is less, and names the keys")
    func places() {
        var list = RecentList()
        list.add((1...8).map { .input("rtsp://door/\($0)/" + String(repeating: "long", count: 40)) })
        let painter = TextRasterizer()
        for (width, height) in [(320, 180), (640, 360), (1280, 720), (1920, 1080), (3840, 2160), (1080, 1920)] {
            let size = VideoSize(width: width, height: height)
            var page = FirstPage(list)
            page.pointed = 0
            let overlays = page.overlays(in: size, painter)
            let whole = Rectangle(x: 0, y: 0, width: width, height: height)
            #expect(overlays[0].bounds == whole)
            for overlay in overlays { #expect(overlay.bounds.intersection(whole) == overlay.bounds, "\(size)") }
            // No key is cut: each is as wide as in a room without end.
            let fontSize = FirstPage.Metrics(in: size, recent: 8).fontSize
            for (key, _) in FirstPage.hints {
                let room = VideoSize(width: width * 4, height: height)
                let whole = painter.coverage(of: key, TextStyle(fontSize: fontSize), in: room).size.width
                #expect(overlays.contains { $0.hasImage && $0.image.size.width == whole }, "\(key) in \(size)")
            }
            let texts = overlays.filter(\.hasImage).map(\.bounds)
            for (index, text) in texts.enumerated() {
                #expect(!texts[..<index].contains { $0.intersects(text) }, "\(size)")
            }
            let entries = (0..<height).compactMap {
                page.entry(at: .init(x: Double(width / 2), y: Double($0)), in: size)
            }
            #expect(height < 360 ? Set(entries).count < 8 : Set(entries).count == 8, "\(size)")
            #expect(page.entry(at: .init(x: 1, y: Double(height / 2)), in: size) == nil)
            // Nothing is made anew while nothing changes.
            #expect(page.overlays(in: size, painter) == overlays)
        }
        #expect(FirstPage.hints.map(\.key) == ["Drop", "Ctrl+O", "Ctrl+V", "F10", "?"])
        #expect(FirstPage.shortened("rtsp://door/1", to: 13) == "rtsp://door/1")
        #expect(FirstPage.shortened("rtsp://door/1/a/b.mp4", to: 12) == "rts…/a/b.mp4")
    }

    @Test("Its texts have a contrast of at least 4.5:1, marked or not")
    func contrast() {
        func luminance(_ color: SIMD4<Float>) -> Double {
            let light = [color.x, color.y, color.z].map { value in
                value <= 0.04045 ? Double(value) / 12.92 : pow((Double(value) + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
        }
        var page = FirstPage(RecentList(text: "input test:bars"))
        page.pointed = 0
        let overlays = page.overlays(in: Self.size, TextRasterizer())
        let mark = overlays[1].background
        let marked = FirstPage.background * (1 - mark.w) + mark * mark.w
        for text in overlays where text.hasImage {
            let ground = text.bounds.intersects(overlays[1].bounds) ? marked : FirstPage.background
            #expect(text.color.w == 1)
            #expect((luminance(text.color) + 0.05) / (luminance(ground) + 0.05) >= 4.5)
        }
    }
}
