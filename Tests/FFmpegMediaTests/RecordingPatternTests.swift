import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// How recordings are named.
@Suite(.timeLimit(.minutes(25))) struct RecordingPatternTests {
    /// 2026-11-28 19:30:05.25 UTC; tests run in UTC or not.
    private let time = RecordingTime(sinceEpoch: .milliseconds(1_795_894_205_250))

    @Test("Each part of a pattern becomes what it says")
    func parts() throws {
        let pattern = try RecordingPattern("{date}/{name} {time}.mp4")
        #expect(pattern.container == .mp4)
        let path = pattern.path(name: "yard", time: time, attempt: 0)
        #expect(path == "\(time.date)/yard \(time.text).mp4")
        #expect(path.wholeMatch(of: /2026-11-2[789]\/yard 2026-11-2[789]_\d\d-\d\d-05\.mp4/) != nil, "\(path)")
        #expect(pattern.path(name: "yard", time: time, attempt: 1).hasSuffix("-05-2.mp4"))
        #expect(time.universal == "2026-11-28T19:30:05.250000Z")
        let numbered = try RecordingPattern("{name}/part-{number}.ts")
        #expect(numbered.path(name: "a", time: time, attempt: 0) == "a/part-001.ts")
        #expect(numbered.path(name: "a", time: time, attempt: 1234) == "a/part-1235.ts")
        #expect(try RecordingPattern("{name}_{time}.mkv") == .standard)
        #expect(try RecordingPattern("\(RecordingPattern.standard)") == .standard)
    }

    @Test(
        "What names no files, or two files in the same way, is refused with a reason",
        arguments: [
            ("{name}.mkv", "{time} or {number}"), ("{time}", "end it with .mp4"), ("{time}.avi", "end it with"),
            ("{time}.{name}", "end it with"), ("", "a name that does not begin with a dot"),
            ("../{time}.mkv", "stay in its folder"),
            ("a/../../{time}.mkv", "stay in its folder"), ("/tmp/{time}.mkv", "stay in its folder"),
            ("{tme}.mkv", "in braces may be"), ("{time.mkv", "in braces may be"), ("{time}}.mkv", "in braces may be"),
            ("a//{time}.mkv", "needs a name"), (".hidden/{time}.mkv", "begin with a dot"), ("./{time}.mkv", "dot"),
            ("a\0{time}.mkv", "needs a name"), ("../\u{301}a/{time}.mkv", "stay in its folder"),
            (".\u{301}a/{time}.mkv", "begin with a dot"),
        ])
    func refused(_ row: (text: String, reason: String)) {
        let error = #expect(throws: StreamError.self) { try RecordingPattern(row.text) }
        #expect(error?.description.contains(row.reason) == true, "\(error?.description ?? "")")
    }

    @Test(
        "Names of streams become names of files",
        arguments: [
            ("yard", "yard"), ("rtsp://a/b", "rtsp:__a_b"), ("", "_"), (".x", "_x"), ("..", "_."), ("a\nb", "a_b"),
            ("{time}", "{time}"), ("Müller 📷", "Müller 📷"),
            ("a/\u{301}b", "a_\u{301}b"), (".\u{301}b", "_\u{301}b"),
        ])
    func names(_ row: (name: String, file: String)) { #expect(RecordingPattern.fileName(row.name) == row.file) }

    @Test("The longest name leaves room for the rest")
    func longName() {
        let name = RecordingPattern.fileName(String(repeating: "ü", count: 1000))
        #expect(name == String(repeating: "ü", count: 50))
    }
}
