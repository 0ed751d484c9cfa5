import Testing

@testable import vitrail

/// The places of keys and values in a text.
struct TOMLOutlineTests {
    static let text = """
        # A comment = "with a value"
        title = "a # b" # c
        "quoted key" . 'x' = 1
        layout.gap = 0x1F # 31

        [ pages ]
        long = \"\"\"
        size = "no"
        [no]\\\"\"\" and \"\" "
        \"\"\"
        raw = '''
        [[no]]'''

        [[input]]
        url = 'C:\\'
        shares = [ 1,
          [ 'two', # ] comment
            3 ], ]
        place = { x = 1, y.z = [ {} ] }
            [input.zoom]
            scale = 2 # é

        [[input]]
        url = "é" # after

        [a."b.c".d]
        e = +1_9.79E-2
        """

    @Test(
        "Every key and value has its place",
        arguments: [
            ("title", "title", "\"a # b\"", 2, 1), ("quoted key/x", "'x'", "1", 3, 16),
            ("layout/gap", "gap", "0x1F", 4, 8),
            ("layout", "layout", "layout", 4, 1), ("pages", "pages", "[ pages ]", 6, 3),
            ("pages/raw", "raw", "'''\n[[no]]'''", 11, 1), ("input/0", "[[input]]", "[[input]]", 14, 1),
            ("input/0/url", "url", "'C:\\'", 15, 1), ("input/0/shares/0", "1", "1", 16, 12),
            ("input/0/shares/1/1", "3", "3", 18, 5), ("input/0/place/y/z", "z", "[ {} ]", 19, 20),
            ("input/0/place/y/z/0", "{}", "{}", 19, 26), ("input/0/zoom", "zoom", "[input.zoom]", 20, 12),
            ("input/0/zoom/scale", "scale", "2", 21, 5), ("input/1", "[[input]]", "[[input]]", 23, 1),
            ("input/1/url", "url", "\"é\"", 24, 1), ("a/b.c/d/e", "e", "+1_9.79E-2", 27, 1),
        ], ["\n", "\r\n"])
    func places(_ row: (path: String, key: String, value: String, line: Int, column: Int), _ newline: String) throws {
        let bytes = Array(Self.text.replacing("\n", with: newline).utf8)
        let outline = try TOMLOutline(bytes).outline
        let node = outline.nodes[try #require(outline.find(row.path.split(separator: "/").map(String.init)))]
        #expect(String(decoding: bytes[node.key], as: UTF8.self) == row.key)
        #expect(String(decoding: bytes[node.value], as: UTF8.self) == row.value.replacing("\n", with: newline))
        #expect(TextPlace(of: node.key.lowerBound, in: bytes) == TextPlace(line: row.line, column: row.column))
    }

    @Test("A path that is not there leads to the nearest table")
    func closest() throws {
        let outline = try TOMLOutline(Array(Self.text.utf8)).outline
        #expect(outline.closest(to: ["input", "1", "place", "x"]).count == 2)
        #expect(outline.find(["input", "2"]) == nil && outline.closest(to: []).node == 0)
    }

    @Test("JSON has places, too")
    func json() throws {
        let bytes = Array("{\"a\\u0062\": [1, {\"x\" : \"é\"}],\n \"b\":-1.5e3 }".utf8)
        let (value, outline) = try JSONOutline.read(bytes)
        #expect(value == .table(["ab": .list([.whole(1), .table(["x": .text("é")])]), "b": .number(-1500)]))
        let node = outline.nodes[try #require(outline.find(["ab", "1", "x"]))]
        #expect(String(decoding: bytes[node.value], as: UTF8.self) == "\"é\"")
        let last = outline.nodes[try #require(outline.find(["b"]))]
        #expect(TextPlace(of: last.key.lowerBound, in: bytes) == TextPlace(line: 2, column: 2))
        #expect(String(decoding: bytes[last.value], as: UTF8.self) == "-1.5e3")
    }
}
