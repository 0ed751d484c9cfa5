import Testing

@testable import vitrail

/// What a text in TOML says, against JSON and against the examples of the specification.
struct TOMLValueTests {
    /// Texts, and what they say in JSON.
    static let values: [(text: String, json: String)] = [
        ("", "{}"), ("# only a comment é\t", "{}"), ("\u{FEFF}a = 1", #"{"a": 1}"#),
        // Keys.
        (#"bare-key_1 = 1"#, #"{"bare-key_1": 1}"#), (#"1234 = 1"#, #"{"1234": 1}"#),
        (#""127.0.0.1" = 1"#, #"{"127.0.0.1": 1}"#), (#"'quoted "value"' = 1"#, #"{"quoted \"value\"": 1}"#),
        (#""ʎ\u01DD\u029E" = 1"#, #"{"ʎǝʞ": 1}"#), ("\"\" = 1", #"{"": 1}"#), ("'' = 1", #"{"": 1}"#),
        (#"site."google.com" = true"#, #"{"site": {"google.com": true}}"#), ("3.14 = 1", #"{"3": {"14": 1}}"#),
        (
            "fruit.name = 'a'\nfruit. color = 'b'\nfruit\t.\tflavor='c'",
            #"{"fruit": {"name": "a", "color": "b", "flavor": "c"}}"#
        ),
        ("a.b = 1\nc = 2\na.d = 3", #"{"a": {"b": 1, "d": 3}, "c": 2}"#), ("true.inf = 1", #"{"true": {"inf": 1}}"#),
        // Texts.
        (##"a = "\b\t\n\f\r\"\\\u00e9\U0001F600 # é""##, ##"{"a": "\b\t\n\f\r\"\\é😀 # é"}"##),
        (#"a = '\u \\ "x" #'"#, ##"{"a": "\\u \\\\ \"x\" #"}"##), ("a = \"\"\nb = ''", #"{"a": "", "b": ""}"#),
        ("a = \"\"\"\"\"\"\nb = ''''''", #"{"a": "", "b": ""}"#),
        ("a = \"\"\"\nx\n\ny\"\"\"", #"{"a": "x\n\ny"}"#), ("a = \"\"\"\r\nx\r\ny\"\"\"", #"{"a": "x\ny"}"#),
        ("a = '''\r\nx\r\ny\\'''", #"{"a": "x\ny\\"}"#), ("a = '''\n\nx'''", #"{"a": "\nx"}"#),
        ("a = \"\"\"x \\\n\n\n   y \\  \r\n\t é\"\"\"", #"{"a": "x y é"}"#),
        ("a = \"\"\"\\\n  x\\\n  \"\"\"", #"{"a": "x"}"#), ("a = \"\"\"x\\\n# y\"\"\"", ##"{"a": "x# y"}"##),
        (
            #"a = """Two: "". Three: ""\". Five: ""\""".""""#,
            ##"{"a": "Two: \"\". Three: \"\"\". Five: \"\"\"\"\"."}"##
        ),
        (#"a = """""b""""""#, ##"{"a": "\"\"b\"\""}"##), ("a = '''''b'''''", #"{"a": "''b''"}"#),
        (#"a = """x""""""#, ##"{"a": "x\"\""}"##), (#"a = '''"""x"""'''"#, ##"{"a": "\"\"\"x\"\"\""}"##),
        // Whole numbers.
        ("a = [+99, 42, 0, -17, +0, -0]", #"{"a": [99, 42, 0, -17, 0, 0]}"#),
        ("a = [1_000, 5_349_221, 1_2_3]", #"{"a": [1000, 5349221, 123]}"#),
        ("a = [0xDEADBEEF, 0xdead_beef, 0x00e5]", #"{"a": [3735928559, 3735928559, 229]}"#),
        ("a = [0o01234567, 0o7_55, 0b1101_0110, 0b0]", #"{"a": [342391, 493, 214, 0]}"#),
        (
            "a = [9223372036854775807, -9223372036854775808, 0x7fffffffffffffff]",
            #"{"a": [9223372036854775807, -9223372036854775808, 9223372036854775807]}"#
        ),
        // Other numbers.
        ("a = [+1.0, 3.1415, -0.01, -0.0]", #"{"a": [1.0, 3.1415, -0.01, 0.0]}"#),
        ("a = [5e+22, 1e06, -2E-2, 0e0]", #"{"a": [5e22, 1e6, -0.02, 0e0]}"#),
        ("a = [6.626e-34, 224_617.445_991_228, 1e1_0]", #"{"a": [6.626e-34, 224617.445991228, 1e10]}"#),
        ("a = true\nb = false # true", #"{"a": true, "b": false}"#),
        // Lists.
        ("a = []\nb = [ ]\nc = [\n# d\n]", #"{"a": [], "b": [], "c": []}"#),
        ("a = [[1, 2], ['a', \"\"\"b\"\"\", 1.5], [[]],]", #"{"a": [[1, 2], ["a", "b", 1.5], [[]]]}"#),
        ("a = [1,\r\n 2 # b\n , # c ]\n ]", #"{"a": [1, 2]}"#),
        ("a = [{b = 1}, {b.c = [\n]}]", #"{"a": [{"b": 1}, {"b": {"c": []}}]}"#),
        // Tables in braces.
        ("a = {}\nb = { }", #"{"a": {}, "b": {}}"#),
        (
            "a = { type.name = 'p', type.x={y=1}, \"b c\"=2 }",
            #"{"a": {"type": {"name": "p", "x": {"y": 1}}, "b c": 2}}"#
        ),
        // Headers.
        ("[a]\n[b] # c\nx = 1\r\n\t[c]", #"{"a": {}, "b": {"x": 1}, "c": {}}"#),
        ("[a.\"b.c\".d]\n[ e . 'f' ]", #"{"a": {"b.c": {"d": {}}}, "e": {"f": {}}}"#),
        ("[x.y.z]\n[x]\na = 1\n[x.y]\nb = 2", #"{"x": {"a": 1, "y": {"b": 2, "z": {}}}}"#),
        ("[a.b]\nx = 1\n[c]\n[a.d]", #"{"a": {"b": {"x": 1}, "d": {}}, "c": {}}"#),
        ("[a.b.c]\n[a]\nb.x = 1", #"{"a": {"b": {"c": {}, "x": 1}}}"#),
        ("[f]\na.c = 1\na.t.s = 2\n[f.a.x]\ny = 3", #"{"f": {"a": {"c": 1, "t": {"s": 2}, "x": {"y": 3}}}}"#),
        ("[[a]]\nx = 1\n[[ a ]]\n[[a]]\nx = 2", #"{"a": [{"x": 1}, {}, {"x": 2}]}"#),
        (
            "[[f]]\nn = 1\n[f.p]\nc = 2\n[[f.v]]\nn = 3\n[[f.v]]\nn = 4\n[[f]]\n[[f.v]]\nn = 5\n[f.p]\nc = 6",
            #"{"f": [{"n": 1, "p": {"c": 2}, "v": [{"n": 3}, {"n": 4}]}, {"v": [{"n": 5}], "p": {"c": 6}}]}"#
        ),
        ("[[a.b]]\n[a]\nx = 1", #"{"a": {"b": [{}], "x": 1}}"#),
    ]

    @Test("Every kind of value is read", arguments: values)
    func value(_ row: (text: String, json: String)) throws {
        let expected = try JSONOutline.read(Array(row.json.utf8)).value
        #expect(try TOMLOutline(Array(row.text.utf8)).value == expected)
        #expect(try TOMLOutline(Array((row.text + "\r\n").utf8)).value == expected)
    }

    /// Texts that are no TOML, or no wall, and the start of the error.
    static let mistakes: [(text: String, error: String)] = [
        // Numbers and words.
        ("a = 01", "1:5: “01” is no value"), ("a = -01.5", "1:5: “-01.5” is no value"), ("a = 1.", "1:5: “1.”"),
        ("a = .5", "1:5: “.5”"), ("a = 1.e5", "1:5: “1.e5”"), ("a = 1e", "1:5: “1e”"), ("a = 1e5.0", "1:5: “1e5.0”"),
        ("a = 1.2.3", "1:5: “1.2.3”"), ("a = +-1", "1:5: “+-1”"), ("a = - 1", "1:5: “- 1”"), ("a = _1", "1:5: “_1”"),
        ("a = 1_", "1:5: “1_”"), ("a = 1__0", "1:5: “1__0”"), ("a = 1_.0", "1:5: “1_.0”"), ("a = 1._0", "1:5: “1._0”"),
        ("a = 1_e5", "1:5: “1_e5”"), ("a = 1e_5", "1:5: “1e_5”"), ("a = 0x", "1:5: “0x”"), ("a = 0xg", "1:5: “0xg”"),
        ("a = 0x_1", "1:5: “0x_1”"), ("a = 0b_1", "1:5: “0b_1”"), ("a = 0b2", "1:5: “0b2”"), ("a = 0o8", "1:5: “0o8”"),
        ("a = 0X1", "1:5: “0X1”"), ("a = +0x1", "1:5: “+0x1”"), ("a = 0x+1", "1:5: “0x+1”"),
        ("a = 0x1.5", "1:5: “0x1.5”"),
        ("a = True", "1:5: “True”"), ("a = １", "1:5: “１”"), ("a = Inf", "1:5: “Inf”"), ("a = +true", "1:5: “+true”"),
        ("é = 1", "1:1: a name is expected"), ("a = [1 2]", "1:6: “1 2” is no value"),
        ("a = 9223372036854775808", "1:5: “9223372036854775808” is too large"),
        ("a = -9223372036854775809", "1:5: “-9223372036854775809” is too large"),
        ("a = 0xeeeeeeeeeeeeeeeee", "1:5: “0xeeeeeeeeeeeeeeeee” is too large"),
        ("a = [\n 1e400]", "2:2: “1e400” is too large"), ("a = +inf", "1:5: “+inf” is no number"),
        ("a = {b = nan}", "1:10: “nan” is no number"),
        // What a wall does not use.
        ("a = 1979-05-27T07:32:00.5-07:00", "1:5: “1979-05-27T07:32:00.5-07:00” is a date or a time"),
        ("a = [1979-05-27,]", "1:6: “1979-05-27” is a date"), ("a = 07:32:00", "1:5: “07:32:00” is a date or"),
        ("a = abcd-ef-gh", "1:5: “abcd-ef-gh” is no value"), ("a = rtsp://b", "1:5: “rtsp://b” is no value"),
        // Texts.
        (#"a = "\x41""#, "1:7: after \\ in a text"), (#"a = "\ ""#, "1:7: after \\"),
        (#"a = """\ x""""#, "1:9: after \\"),
        (#"a = "\u12g4""#, "1:8: \\u needs four digits"), (#"a = "\uD800""#, "1:8: \\u needs"),
        (#"a = "\U00110000""#, "1:8: \\u needs"), (#"a = "\u"#, "1:8: the file ends too early: \\u needs"),
        (##"a = "\"##, "1:7: the file ends too early: after \\"), ("a = \"\u{7F}\"", "1:6: a control character"),
        ("a = '\u{1F}'", "1:6: a control character"), ("a = \"\"\"\r\"\"\"", "1:8: a control character"),
        ("a = '''\n\u{8}'''", "2:1: a control character"), ("# é\u{0B}", "1:4: a control character"),
        ("a = \"x\ny\"", "1:7: the text does not end in its line"), ("a = 'x\ny'", "1:7: the text does not end"),
        ("a = \"\"\"x\"\"", "1:11: the file ends too early: the text has no end"),
        ("a = '''x''''''", "1:14: the line must end here"), (#"a = """x"""""""#, "1:14: the line must end here"),
        // Lines.
        ("a = 1\r", "1:6: the line must end here"), ("\r", "1:1: the line must end here"),
        ("a = 'x' b = 'y'", "1:9: the line must end here"), ("[a] b = 1", "1:5: the line must end here"),
        ("a\n= 1", "1:2: “=” is expected"), ("a =\n1", "1:4: a value is expected"), ("= 1", "1:1: a name is expected"),
        ("a b = 1", "1:3: “=” is expected"), ("\"\"\"a\"\"\" = 1", "1:3: “=” is expected"), (".a = 1", "1:1: a name"),
        ("a..b = 1", "1:3: a name is expected"), ("[]", "1:2: a name is expected"), ("[a.]", "1:4: a name"),
        ("[[a]", "1:5: the file ends too early: “]” is expected"), ("[[a] ]", "1:5: “]” is expected"),
        ("[ [a]]", "1:3: a name is expected"),
        // Lists, and tables in braces.
        ("a = [1,,2]", "1:8: a value is expected"), ("a = [,1]", "1:6: a value is expected"),
        ("a = ['x' 'y']", "1:10: “,” or “]” is expected"), ("a = {b = 1,}", "1:12: a name is expected"),
        ("a = {b = 1 # c\n}", "1:12: “,” or “}” is expected"), ("a = {\nb = 1}", "1:6: a name is expected"),
        ("a = {b = 1 c = 2}", "1:10: “1 c = 2” is no value"), ("a = {b = 1, b = 2}", "1:13: “b” is there twice"),
        ("a = {b.c = 1, b = 2}", "1:15: “b” is there twice"),
        ("a = {b = {}, b.c = 1}", "1:14: “b” is there already: add"),
        // Names that are there already.
        ("a = 1\n\"\\u0061\" = 2", "2:1: “a” is there twice"),
        ("a = 1\na.b = 2", "2:1: “a” is there already, and not as"),
        ("a.b = 1\na = 2", "2:1: “a” is there twice"), ("a.b.c = 1\na.b = 2", "2:3: “b” is there twice"),
        ("a = {}\na.b = 1", "2:1: “a” is there already: add"), ("a = {}\n[a]", "2:2: “a” is there already: add"),
        ("a = {b = {}}\n[a.b.c]", "2:2: “a” is there already: add"), ("a = 1\n[a.b]", "2:2: “a” is there already, and"),
        ("[a]\n[a]", "2:2: “a” is there already: add"), ("[a]\n b = 1\n[ a.b ]", "3:5: “b” is there already, and"),
        ("[a]\n[b]\n[a]", "3:2: “a” is there already: add"), ("a.b = 1\n[a]", "2:2: “a” is there already: add"),
        ("[f]\na.c.d = 1\n[f.a.c]", "3:6: “c” is there already: add"), ("[a.b]\n[a]\nb = 1", "3:1: “b” is there twice"),
        ("[a.b]\n[a]\nb.x = 1", "3:1: “b” is there already: add"),
        ("[a.b.c.d]\n[a]\nb.c.d.x = 1", "3:5: “d” is there already: add"),
        ("[a.b.c]\n[a]\nb.x = 1\n[a.b]", "4:4: “b” is there already: add"),
        ("[[a.b]]\n[a]\nb.x = 1", "3:1: “b” is there already, and not as a table"),
        ("a = []\n[[a]]", "2:3: “a” is there already: add"), ("a = [{}]\n[a.b]", "2:2: “a” is there already, and"),
        ("a = {}\n[[a]]", "2:3: “a” is there already, and not as a list"),
        ("[a]\n[[a]]", "2:3: “a” is there already, and not as a list"),
        ("[a.b]\n[[a]]", "2:3: “a” is there already, and not as a list"),
        ("[[a]]\n[a]", "2:2: “a” is there already, and not as a table"),
        ("[[a]]\n[a.b]\n[[a.b]]", "3:5: “b” is there already, and not as a list"),
    ]

    @Test("A text that is not TOML is refused, with its line and column", arguments: mistakes)
    func mistake(_ row: (text: String, error: String)) {
        let bytes = Array(row.text.utf8)
        do throws(OutlineError) {
            let value = try TOMLOutline(bytes).value
            Issue.record("It was read: \(value)")
        } catch {
            let place = TextPlace(of: error.offset, in: bytes)
            let line = "\(place.line):\(place.column): \(error.message)"
            #expect(line.hasPrefix(row.error), "\(line)")
        }
    }
}
