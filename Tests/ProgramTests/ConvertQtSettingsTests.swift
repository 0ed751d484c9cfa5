import Testing

@testable import vitrail

/// The rules of Qt for INI files.
struct ConvertQtSettingsTests {
    private func settings(_ text: String) -> QtSettings { QtSettings(Array(text.utf8)) }

    @Test(
        "Values",
        arguments: [
            (#"plain"#, "plain"), (#"  two words  "#, "two words"), (#""  kept  ""#, "  kept  "), (#""a"b"c""#, "abc"),
            (#"\xe9\x31"#, "é1"), (#""\xe9\x31""#, "é1"), (#"\xd83d\xde00"#, "😀"), (#"\x100e1z"#, "áz"),
            (#"\xg1"#, "g1"), (#"\101\60"#, "A0"), (#"\0"#, "\0"), (#"\a\b\f\v"#, "\u{7}\u{8}\u{C}\u{B}"),
            (#"\n\r\t\"\\"#, "\n\r\t\"\\"), (#"a\qb"#, "ab"), (#"a\"#, "a"), (#"\x"#, ""), (#"a\x20 "#, "a "),
            (#"a, b ,"c,d""#, "a,b,c,d"), (#"a ; comment"#, "a"), (#""a ; b""#, "a ; b"), (#"a # b"#, "a # b"),
            (#"a=b"#, "a=b"), (#"%41"#, "%41"), (#"@@x"#, "@x"), (#"@Invalid()"#, nil), (#"@Size(2 3)"#, nil),
            (#"@ByteArray(\xc3\xa9)"#, "é"), (#"@String(x)"#, "x"), (#"@x"#, "@x"), (#""a"#, "a"), (#""#, ""),
        ] as [(String, String?)])
    func values(raw: String, expected: String?) throws {
        let value = try #require(settings("[g]\nk=\(raw)")["g/k"])
        #expect(value.text == expected)
        #expect(value.line == 2)
    }

    @Test(
        "Keys and groups",
        arguments: [
            ("[g]\n key = 1", "g/key"), ("k=1", "k"), ("[General]\nk=1", "k"), ("[general]\nk=1", "k"),
            ("[%General]\nk=1", "General/k"), ("[a%20b]\nc%5Cd=1", "a b/c\\d"), ("[a]\nb\\c=1", "a/b/c"),
            ("[a]\n%U017e%zz=1", "a/ž%zz"), ("[a\nk=1", "a/k"), ("[a] rest\nk=1", "a/k"),
        ])
    func keys(text: String, key: String) {
        #expect(settings(text)[key]?.text == "1")
    }

    @Test("Lines: comments, what has no value, what is joined, what is said twice")
    func lines() {
        let text = "\u{FEFF};[x]\r\n[g]\r\n; k=0\n# k=2\nnothing\nk=1\nk=a\\\nb ; k=3\n\nq=\"1\n2\" \nz=\\\r\n3"
        let settings = settings(text)
        #expect(settings["g/k"] == QtSettings.Value(text: "ab", raw: "a\\\nb ", line: 7))
        #expect(settings["g/# k"]?.text == "2")
        #expect(settings["g/nothing"] == nil)
        #expect(settings["g/q"] == QtSettings.Value(text: "1\n2", raw: "\"1\n2\" ", line: 10))
        #expect(settings["g/z"] == QtSettings.Value(text: "3", raw: "\\\r\n3", line: 12))
        #expect(settings.has(group: "g") && !settings.has(group: "x"))
    }

    @Test("What is not UTF-8 is Latin-1")
    func latin1() {
        #expect(QtSettings(Array("k=\u{E9}".utf8))["k"]?.text == "\u{E9}")
        #expect(QtSettings([0x6B, 0x3D, 0xE9])["k"]?.text == "\u{E9}")
    }
}
