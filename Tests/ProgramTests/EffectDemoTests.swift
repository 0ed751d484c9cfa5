import Foundation
import MediaIO
import PNGFile
import TestSupport
import Testing
import VideoEffects
import VideoWall

@testable import vitrail

/// `vitrail effects --demo`.
@Suite(.timeLimit(.minutes(25)))
struct EffectDemoTests {
    @Test("Every parameter of every effect stays in its range, begins and ends at the value it moves around, and moves")
    func motion() throws {
        var count = 0
        for name in BuiltInEffects.names {
            for parameter in try #require(try BuiltInEffects.effect(named: name)).parameters {
                let center = parameter.defaultValue
                let values = (0..<100).map { parameter.moved(Double($0) / 100, around: center) }
                #expect(values[0] == center, "\(name) \(parameter.name) \(values[0])")
                #expect(values.allSatisfy { parameter.clamped($0) == $0 }, "\(name) \(parameter.name)")
                let moves = parameter.motionSeconds > 0
                #expect((Set(values).count > 1) == moves, "\(name) \(parameter.name)")
                if case .choice(let names) = parameter.kind { #expect(Set(values).count == names.count) }
                count += moves ? 1 : 0
            }
        }
        #expect(count > 40)
    }

    @Test("The values depend on the time only; each effect's parameters move in turn, around the values that were set")
    func turns() throws {
        var notes: [String] = []
        let chain = try EffectChain("posterize:levels=20,vignette,difference", notes: &notes)
        func make() throws -> EffectDemo { try EffectDemo(chain.steps) { WallTile(name: "a") } }
        let (demo, other) = (try make(), try make())
        #expect(demo.tiles.count == 4 && demo.tiles[0].effects.isEmpty)
        #expect(demo.tiles[1].label == "posterize · levels 20")
        demo.move(to: .seconds(1))
        #expect(demo.tiles[1].label == "posterize · levels 27")
        #expect(demo.tiles[2].label == "vignette · amount 0.88")
        demo.move(to: .seconds(5))
        #expect(demo.tiles[2].label == "vignette · radius 0.64")
        #expect(demo.tiles[2].effects.steps[0].value(of: "amount") == .float(0.7))
        other.move(to: .seconds(5))
        for (tile, same) in zip(demo.tiles, other.tiles) {
            #expect(tile.label == same.label && tile.effects.steps.map(\.values) == same.effects.steps.map(\.values))
        }
        // What is compared with the first tile must differ from it.
        #expect(demo.tiles[3].effects.steps.map(\.effect.name) == ["blur", "difference"])
        #expect(demo.tiles[3].effects.steps.last?.value(of: "with") == .tile(1))
    }

    @Test("Every tile shows something, and something else than the plain one", arguments: [0, 2.9, 9.4])
    func pictures(_ start: Double) throws {
        let folder = TemporaryFolder()
        let (size, names) = (VideoSize(width: 1280, height: 720), BuiltInEffects.names)
        let run = try Run(
            ["effects", "--demo", "-o", "a.png", "--size", "\(size)", "--start", "\(start)"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let picture = try PNG.read("\(folder.path)/a.png")
        let ratios = [Double](repeating: 16.0 / 9, count: names.count + 1)
        let tiles = GridLayout(gap: 2).rectangles(aspectRatios: ratios, in: size).map { rectangle in
            // Not the label.
            let part = ContentMode.fit.place(aspectRatio: 16.0 / 9, in: rectangle).destination
            return (part.y + part.height / 4..<part.y + part.height).map { row in
                let start = (row * size.width + part.x) * 4
                return Array(picture.rgba[start..<start + part.width * 4])
            }
        }
        for (name, tile) in zip(names, tiles.dropFirst()) {
            let lit = tile.reduce(0) { sum, row in
                sum + row.indices.count { $0 % 4 != 3 && row[$0] > 80 }
            }
            #expect(lit > 200, "\(name)")
            // Nothing comes before the first frame.
            if name != "denoise" { #expect(tile != tiles[0], "\(name)") }
        }
    }

    @Test("The same time gives the same bytes, and another one others, though the stream is still")
    func sameBytes() throws {
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 180))
        let bytes = try ["1", "1", "2"].map { start in
            let run = try Run(
                [
                    "effects", "--demo", "still.y4m?loop", "--effect", "sepia,pixelate", "-o", "a.y4m", "--size",
                    "320x90", "--frames",
                    "3", "--start", start,
                ], in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            return try folder.read("a.y4m")
        }
        #expect(bytes[0] == bytes[1] && bytes[0] != bytes[2])
    }

    @Test("In a window, a still picture changes, because the effect moves")
    func window() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        let program = try startViewer(
            ["--demo", "still.y4m", "--effect", "invert", "--size", "640x240"], display, folder, command: "effects")
        // The plain picture on the left, of luma 30; the negative on the right becomes gray and returns.
        var (plain, levels): (Int, Set<UInt8>) = (0, [])
        let end = Date.now + 120
        while levels.count < 5 || !levels.contains(where: { $0 < 180 }), Date.now < end, program.process.isRunning {
            let shot = try display.screenshot()
            plain = Int(shot.color(x: 160, y: 150)[1])
            levels.insert(shot.color(x: 480, y: 150)[1])
        }
        #expect(abs(plain - 16) <= 1 && levels.count >= 5, "\(plain) \(levels) \(program.errorText)")
        #expect(levels.contains { $0 < 180 }, "\(levels)")
        #expect(try program.quit(display).status == 0)
    }

    @Test(
        "Options that do not fit are refused",
        arguments: [
            ["--output", "a.png"], ["blur", "--size", "10x10"], ["--effect", "blur"], ["--demo", "test:bars", "b.mp4"],
            ["--demo", "--json"], ["--demo", "--effect", "nothing"], ["--demo", "--output", "a.mp3"],
        ])
    func refusals(_ options: [String]) throws {
        let run = try Run(["effects"] + options)
        #expect(run.status == 64 && run.errors.count == 1, "\(run.errors)")
    }
}
