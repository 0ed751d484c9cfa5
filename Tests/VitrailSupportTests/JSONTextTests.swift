import Testing
import VitrailSupport

struct JSONTextTests {
    @Test(
        "Brackets count outside of strings only",
        arguments: [
            ("", true), ("1", true), (#""[[""#, true),
            (String(repeating: "[", count: 64), true), (String(repeating: "[", count: 65), false),
            (String(repeating: #"{"a":"#, count: 64), true), (String(repeating: #"{"a":"#, count: 65), false),
            (String(repeating: "[]", count: 500), true), (#"[""# + String(repeating: "[", count: 500) + #""]"#, true),
            (#""\""# + String(repeating: "[", count: 500), true),
            (#""\\""# + String(repeating: "[", count: 65), false),
            // A quotation mark is escaped in strings only.
            (#"\"a""# + String(repeating: "[", count: 65), false), (String(repeating: "]", count: 9) + "[", true),
        ])
    func depth(_ text: String, _ isGood: Bool) {
        let result = Result { try JSONText.checkDepth(text) }
        #expect(((try? result.get()) != nil) == isGood)
    }
}
