import FoundationEssentials
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import vitrail

/// The document of a wall, and its form in files.
struct WallDocumentTests {
    static func read(_ json: String) throws -> WallDocument {
        try JSONDecoder().decode(WallDocument.self, from: Data(json.utf8))
    }

    @Test("Inputs that come to the same place are kept apart, so that the wall can be saved")
    func places() throws {
        var document = WallDocument()
        let place = FreeLayout.Place(x: 0, y: 0.5, width: 1, height: 0.5)
        for _ in 0..<3 {
            let id = document.add(WallInput(address: "test:bars"))
            document.inputs[document.index(of: id) ?? 0].place = place
        }
        document.layout.kind = .free
        document.keepPlacesApart()
        let places = document.inputs.compactMap(\.place)
        #expect(Set(places).count == 3 && places[0] == place)
        #expect(places.allSatisfy { $0.x >= 0 && $0.y >= 0.5 && $0.x + $0.width <= 1 && $0.y + $0.height <= 1 })
        let read = try JSONDecoder().decode(WallDocument.self, from: JSONEncoder().encode(document))
        #expect(read == document)
    }

    static func problem(_ json: String) -> String {
        do {
            _ = try read(json)
            return "none"
        } catch {
            return (error as? WallProblem)?.description ?? "\(error)"
        }
    }

    @Test("Everything is read")
    func everything() throws {
        let document = try Self.read(
            """
            {"title": "Office", "focus": "Yard",
             "layout": {"kind": "strip", "edge": "left", "gap": 4, "margin": 1, "share": 0.25},
             "pages": {"size": 1, "page": 2, "tour": 12.5},
             "look": {"content": "fill", "filter": "lanczos", "linear-light": true, "color": "exact",
                      "animation": false, "effect": "grayscale", "wall-effect": "vignette"},
             "output": {"snapshots": "/tmp"},
             "input": [{"url": "rtsp://door/1?token=a#latency=0", "name": "Door", "rotate": 90, "mirror": "none"},
                       {"url": "test:bars?size=640x360", "name": "Yard", "id": "yard", "effect": "blur:radius=3:off",
                        "swapuv": true, "place": {"x": 0, "y": 0.5, "width": 0.5, "height": 0.5},
                        "zoom": {"scale": 2, "x": 0.25, "y": 0.75}}]}
            """)
        #expect(document.title == "Office" && document.focus == "yard")
        #expect(
            document.layout
                == {
                    var layout = LayoutSettings()
                    (layout.kind, layout.edge, layout.gap, layout.margin, layout.share) = (.strip, .left, 4, 1, 0.25)
                    return layout
                }())
        #expect(document.pages == PageSettings(size: 1, page: 1, tour: 12.5))
        #expect(document.look.content == .fill && document.look.filter == .lanczos && document.look.linearLight)
        #expect(document.look.color == .exact && !document.look.animation)
        #expect(document.look.effects == "grayscale" && document.look.wallEffects == "vignette")
        #expect(document.output.snapshots == "/tmp")
        let (door, yard) = (document.inputs[0], document.inputs[1])
        #expect(door.address == "rtsp://door/1?token=a" && door.id == door.address && door.name == "Door")
        #expect(door.settings == [.latency: "0", .rotate: "90", .mirror: "none"])
        #expect(yard.settings == [.size: "640x360", .swapuv: "yes"] && yard.effects == "blur:radius=3:off")
        #expect(yard.place == FreeLayout.Place(x: 0, y: 0.5, width: 0.5, height: 0.5))
        #expect(yard.zoom == TileZoom(scale: 2, x: 0.25, y: 0.75))
        let again = try JSONDecoder().decode(WallDocument.self, from: JSONEncoder().encode(document))
        #expect(again == document)
    }

    @Test("Random documents come back as they were written")
    func roundTrips() throws {
        var random = SeededGenerator(seed: 3)
        var document = WallDocument()
        for _ in 0..<300 {
            WallHistoryTests.edit(&document, &random)
            var again = try JSONDecoder().decode(WallDocument.self, from: JSONEncoder().encode(document))
            // Identities that follow from the address follow from the order, too.
            #expect(again.inputs.map(\.settings) == document.inputs.map(\.settings))
            for index in again.inputs.indices { again.inputs[index].id = document.inputs[index].id }
            again.focus = again.focus == nil ? nil : document.focus
            again.pages.page = document.pages.page
            #expect(again == document)
        }
    }

    @Test(
        "What cannot be used is named, with its place",
        arguments: [
            (#"{"lay": {}}"#, "lay: there is no “lay” in the wall; did you mean layout"),
            (#"{"layout": {"gapp": 1}}"#, "layout.gapp: there is no “gapp” in [layout]; did you mean gap?"),
            (#"{"layout": {"gap": "1"}}"#, "layout.gap: “gap” must be a whole number from 0 to 1000"),
            (#"{"layout": {"gap": -1}}"#, "layout.gap: “gap” must be a whole number from 0 to 1000, not -1"),
            (#"{"layout": {"kind": "spot"}}"#, "layout.kind: “spot” is not a value of kind; did you mean spotlight?"),
            (#"{"layout": 1}"#, "layout: [layout] must be a table"), ("[]", "the wall must be a table"),
            (#"{"input": {}}"#, "input: “input” must be a list of tables"),
            (#"{"input": [{}]}"#, "input[1].url: an input needs a “url”"),
            (#"{"input": [{"url": "test:ba"}]}"#, "input[1].url: There is no test pattern “ba”"),
            (#"{"input": [{"url": "a.mp4"}, {"url": "b.mp4", "rotate": 45}]}"#, "input[2].rotate: b.mp4: “45” is not"),
            (#"{"input": [{"url": "a.mp4", "fps": 30}]}"#, "input[1].fps: a.mp4: the option “fps” does not apply here"),
            (
                #"{"input": [{"url": "a.mp4", "efect": "x"}]}"#,
                "input[1].efect: there is no “efect” in [[input]]; did you"
            ),
            (#"{"input": [{"url": "a.mp4", "effect": "blurr"}]}"#, "input[1].effect: blurr: there is no effect"),
            (#"{"input": [{"url": "a.mp4", "id": "a"}, {"url": "b.mp4", "id": "a"}]}"#, "input[2].id: two inputs have"),
            (
                #"{"focus": "Dor", "input": [{"url": "a.mp4", "name": "Door"}]}"#,
                "focus: no input has the name “Dor”; did"
            ),
            (#"{"pages": {"tour": 0}}"#, "pages.tour: “tour” must be a number from 1 to 86400, not 0"),
            (#"{"look": {"animation": "yes"}}"#, "look.animation: “animation” must be true or false"),
            (
                #"""
                {"layout": {"kind": "free"}, "input": [
                 {"url": "a.mp4", "place": {"x": 0, "y": 0, "width": 1, "height": 1}},
                 {"url": "b.mp4", "place": {"x": 0, "y": 0, "width": 1, "height": 1}}]}
                """#, "input[2].place: inputs 1 and 2 have the same place"
            ),
            (
                #"{"input": [{"url": "a.mp4", "place": {"x": 2}}]}"#,
                "input[1].place.x: “x” must be a number from 0 to 1"
            ),
            (#"{"input": [{"url": "rtsp://a@b", "secret": "pa55"}]}"#, "input[1].secret: a secret is env:NAME"),
        ])
    func problems(_ json: String, _ words: String) {
        #expect(Self.problem(json).hasPrefix(words), "\(Self.problem(json))")
    }

    @Test("The layout of a document is one of the library's")
    func layouts() {
        var document = WallDocument()
        for _ in 0..<6 { document.add(WallInput(address: "test:bars")) }
        let size = VideoSize(width: 1920, height: 1080)
        func areas() -> [Int] {
            document.wallLayout.rectangles(aspectRatios: Array(repeating: 16.0 / 9, count: 6), in: size)
                .map { $0.width * $0.height }
        }
        #expect(Set(areas()).count <= 2)
        for kind in [LayoutSettings.Kind.spotlight, .strip, .pip] {
            document.layout.kind = kind
            #expect(areas().dropFirst().allSatisfy { $0 > 0 && $0 < areas()[0] }, "\(kind)")
        }
        document.layout.kind = .free
        #expect(areas().allSatisfy { $0 == 480 * 270 })
        document.pages = PageSettings(size: 4, page: 1)
        #expect(areas().map { $0 > 0 } == [false, false, false, false, true, true])
    }
}
