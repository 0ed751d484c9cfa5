import Glibc
import MediaIO
public import Testing
import TextRaster
public import VideoWall

@Suite struct TextRasterizerTests {
    private let rasterizer = TextRasterizer()

    @Test(arguments: [
        "Camera 1", "كاميرا المدخل", "מצלמה", "कैमरा", "Größe ñ ç", "a\u{301}\u{327}\u{30A}", "カメラ", "🎥", "\u{FFFD}",
    ])
    func everyScriptLeavesInk(_ text: String) {
        let image = rasterizer.image(for: text, fontSize: 24)
        #expect(image.ink > 20)
        #expect(image.size.width > 5 && image.size.height > 12)
        #expect(image.bytesPerRow % 4 == 0 && image.bytesPerRow >= image.size.width)
        #expect(image.bytes.count == image.bytesPerRow * image.size.height)
    }

    @Test(arguments: [12.0, 24, 64])
    func inkReachesFullCoverageAndGrowsWithTheSize(_ size: Double) {
        let image = rasterizer.image(for: "HHH", fontSize: size)
        #expect(image.bytes.max() ?? 0 > 200)
        #expect(Double(image.size.height) >= size && Double(image.size.height) < size * 1.6)
    }

    @Test(arguments: ["", " ", "\n\n", "\u{200B}"])
    func textThatShowsNothingIsOnePixel(_ text: String) {
        let image = rasterizer.image(for: text, fontSize: 20)
        #expect(image.size.width == 1 && image.size.height == 1 && image.ink == 0)
    }

    /// Languages that have fonts, or characters, of their own.
    @Test func theLocaleChangesNothing() async throws {
        let english = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            setenv("LC_ALL", "en_US.UTF-8", 1)
            print("ink", Self.inkOfManyScripts)
        }
        let japanese = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            setenv("LC_ALL", "ja_JP.UTF-8", 1)
            print("ink", Self.inkOfManyScripts)
        }
        let arabic = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            setenv("LC_ALL", "ar_EG.UTF-8", 1)
            print("ink", Self.inkOfManyScripts)
        }
        let texts = [english, japanese, arabic].map { String(decoding: $0.standardOutputContent, as: UTF8.self) }
        #expect(texts[0].contains("ink"))
        #expect(texts[1] == texts[0] && texts[2] == texts[0])
    }

    /// A sum in which the place of each byte counts.
    private static var inkOfManyScripts: Int {
        TextRasterizer().image(for: "Hello 直 骨 fi שלום नमस्ते", fontSize: 24).bytes.reduce(0) { sum, byte in
            (sum &* 31 &+ Int(byte)) & 0xFFFF_FFFF
        }
    }

    @Test func theSameTextGivesTheSameBytes() {
        let text = "Camera 1 كاميرا カメラ"
        let first = rasterizer.image(for: text, fontSize: 19, maximumWidth: 100)
        _ = rasterizer.image(for: "something else", fontSize: 40, isBold: true)
        #expect(rasterizer.image(for: text, fontSize: 19, maximumWidth: 100) == first)
        #expect(TextRasterizer().image(for: text, fontSize: 19, maximumWidth: 100) == first)
    }

    @Test func boldIsHeavier() {
        let regular = rasterizer.image(for: "weight", fontSize: 40)
        let bold = rasterizer.image(for: "weight", fontSize: 40, isBold: true)
        #expect(bold.ink > regular.ink)
    }

    @Test func linesBreakBetweenWordsAndInsideLongOnes() {
        let line = rasterizer.image(for: "one two three", fontSize: 20)
        let words = rasterizer.image(for: "one two three", fontSize: 20, maximumWidth: line.size.width * 2 / 3)
        #expect(words.size.height >= line.size.height * 2 && words.size.width <= line.size.width * 2 / 3)
        #expect(words.ink == line.ink)
        let letters = rasterizer.image(for: "onetwothree", fontSize: 20, maximumWidth: line.size.width / 3)
        #expect(letters.size.height >= line.size.height * 3 && letters.size.width <= line.size.width / 3)
    }

    @Test(arguments: ["a\nb", "a\r\nb", "a\rb", "a\u{2028}b", "a\u{2029}b", "a\u{85}b"])
    func everyLineEndIsOneLineEnd(_ text: String) {
        #expect(rasterizer.image(for: text, fontSize: 20) == rasterizer.image(for: "a\nb", fontSize: 20))
    }

    @Test(arguments: ["a\u{0}b", "a\u{1B}b", "a\u{7F}b", "a\u{9B}b"])
    func controlCharactersAreReplaced(_ text: String) {
        #expect(rasterizer.image(for: text, fontSize: 20) == rasterizer.image(for: "a\u{FFFD}b", fontSize: 20))
    }

    @Test(arguments: [
        "a name that is much too long for the little room that it has", "eins\nzwei\ndrei\nvier\nfünf\nsechs",
        "كاميرا المدخل الرئيسي في الطابق الأول من المبنى", "とても長いカメラの名前ですがここには入りません",
        "awordthatisnotbrokenbutmuchlongerthanthelinethatithastofitin", "\n\n\n\nlate",
    ])
    func textThatDoesNotFitEndsInAnEllipsis(_ text: String) {
        for (width, height) in [(120, 60), (120, 30), (300, 30), (60, 90)] {
            let image = rasterizer.image(for: text, fontSize: 20, maximumWidth: width, maximumHeight: height)
            #expect(image.size.width <= width && image.size.height <= height)
            #expect(image.ink > 0)
            let unlimited = rasterizer.image(for: text, fontSize: 20, maximumWidth: width)
            #expect(unlimited.size.height > height, "The text fits, so the case tests nothing.")
        }
    }

    @Test func theEllipsisFillsTheLine() {
        let expected = rasterizer.image(for: "Building, main entran…", fontSize: 20)
        let cut = rasterizer.image(
            for: "Building, main entrance and yard", fontSize: 20, maximumWidth: expected.size.width, maximumLines: 1)
        #expect(cut == expected)
    }

    @Test func aLimitOfLinesCountsThoseOfAllParagraphs() {
        let text = "a\nb\nc\nd"
        let two = rasterizer.image(for: text, fontSize: 20, maximumLines: 2)
        #expect(two == rasterizer.image(for: "a\nb…", fontSize: 20))
        #expect(rasterizer.image(for: text, fontSize: 20, maximumLines: 4) == rasterizer.image(for: text, fontSize: 20))
    }

    @Test func linesStandAsAligned() {
        let text = "a long first line\ni"
        let leading = rasterizer.image(for: text, fontSize: 20)
        let center = rasterizer.image(for: text, fontSize: 20, alignment: .center)
        #expect(leading.size.width == center.size.width)
        #expect(leading.inkColumns(lowerHalf: true).upperBound < leading.size.width / 4)
        let columns = center.inkColumns(lowerHalf: true)
        #expect(abs(columns.lowerBound + columns.upperBound - center.size.width) <= 3)
        let hebrew = rasterizer.image(for: "שורה ראשונה ארוכה\nי", fontSize: 20)
        #expect(hebrew.inkColumns(lowerHalf: true).lowerBound > hebrew.size.width * 3 / 4)
    }

    @Test(arguments: [0, -3, 1e9, .nan, .infinity, 0.5])
    func sizesThatMakeNoSenseAreBroughtIn(_ size: Double) {
        let image = rasterizer.image(for: "x", fontSize: size)
        #expect((1...1000).contains(image.size.width) && (1...1000).contains(image.size.height))
    }

    @Test func limitsHoldForHugeText() {
        for text in [String(repeating: "word ", count: 100_000), String(repeating: "e\u{301}", count: 100_000)] {
            let image = rasterizer.image(for: text, fontSize: 100, maximumHeight: 600)
            #expect(image.size.width <= TextRasterizer.maximumSide && image.size.height <= 600)
        }
        let narrow = rasterizer.image(for: "wide", fontSize: 100, maximumWidth: 1, maximumHeight: 1)
        #expect(narrow.size.width == 1 && narrow.size.height == 1)
    }
}

extension CoverageImage {
    /// Whether both are the same pixels; the library only compares identities.
    fileprivate static func == (left: CoverageImage, right: CoverageImage) -> Bool {
        left.size == right.size && left.bytesPerRow == right.bytesPerRow && left.bytes == right.bytes
    }

    /// Pixels with any ink.
    fileprivate var ink: Int { bytes.count { $0 > 0 } }

    /// From the first to behind the last column with ink.
    fileprivate func inkColumns(lowerHalf: Bool) -> Range<Int> {
        let rows = lowerHalf ? (size.height / 2 + 2)..<size.height : 0..<size.height
        let columns = (0..<size.width).filter { x in rows.contains { bytes[$0 * bytesPerRow + x] > 0 } }
        return (columns.first ?? 0)..<((columns.last ?? -1) + 1)
    }
}

extension CoverageImage: CustomTestStringConvertible {
    /// Short, because a failed expectation would print every byte.
    public var testDescription: String { "\(size), \(ink) pixels of ink" }
}
