/// A token of GLSL: a word, a number or one character of punctuation.
///
/// Comments and white space are omitted. A preprocessor directive is one token.
package struct GLSLToken: Hashable {
    package enum Kind { case word, number, punctuation, directive }

    package let kind: Kind
    package let text: Substring
    /// The line in the text that was split, from 1.
    package let line: Int

    /// Splits a text.
    ///
    /// This never fails: characters that are not GLSL become punctuation, which the compiler rejects.
    package static func tokens(of text: String) -> [GLSLToken] {
        var splitter = Splitter(text)
        splitter.run()
        return splitter.tokens
    }

    /// The line of a comment that does not end, or `nil`.
    package static func unclosedComment(in text: String) -> Int? {
        var splitter = Splitter(text)
        splitter.run()
        return splitter.unclosedComment
    }

    /// Whether it is this word or character.
    package func `is`(_ text: String) -> Bool { self.text == text && kind != .directive }
}

private struct Splitter {
    private let bytes: Substring.UTF8View
    private let text: Substring
    private var index: String.Index
    private var line = 1
    private var isLineStart = true
    private(set) var tokens: [GLSLToken] = []
    private(set) var unclosedComment: Int?

    init(_ text: String) {
        self.text = text[...]
        bytes = self.text.utf8
        index = bytes.startIndex
    }

    mutating func run() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\n"): skipLineBreak()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): advance()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "#") where isLineStart: take(.directive) { $0.skipLine() }
            case _ where Self.isLetter(byte): take(.word) { $0.skip { Self.isLetter($0) || Self.isDigit($0) } }
            case _ where Self.isDigit(byte): takeNumber()
            default: take(.punctuation) { $0.skipCharacter() }
            }
        }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        guard let place = bytes.index(index, offsetBy: distance, limitedBy: bytes.endIndex), place < bytes.endIndex
        else { return nil }
        return bytes[place]
    }

    private mutating func advance() { index = bytes.index(after: index) }

    /// Skips all bytes of one UTF-8 character, so that a token is always valid text.
    private mutating func skipCharacter() {
        advance()
        while let byte = peek(), byte & 0xC0 == 0x80 { advance() }
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) { while let byte = peek(), belongs(byte) { advance() } }

    private mutating func skipLineBreak() {
        advance()
        line += 1
        isLineStart = true
    }

    /// Skips to the end of the line; a backslash before the line break continues the line.
    private mutating func skipLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n") {
            advance()
            guard byte == UInt8(ascii: "\\") else { continue }
            if peek() == UInt8(ascii: "\r"), peek(1) == UInt8(ascii: "\n") { advance() }
            if peek() == UInt8(ascii: "\n") {
                advance()
                line += 1
            }
        }
    }

    private mutating func skipComment() {
        let first = line
        advance()
        advance()
        while let byte = peek() {
            if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                advance()
                advance()
                return
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            advance()
        }
        unclosedComment = first
    }

    private mutating func take(_ kind: GLSLToken.Kind, _ skip: (inout Splitter) -> Void) {
        let (start, first) = (index, line)
        skip(&self)
        tokens.append(GLSLToken(kind: kind, text: text[start..<index], line: first))
        isLineStart = false
    }

    /// Takes a number, and what directly follows it: in `1.0.xy.x`, each dot from the second one on is an operator.
    ///
    /// To the preprocessor all of that is one number. So the words in it are never macros, and count as numbers.
    private mutating func takeNumber() {
        take(.number) { number in
            number.skip(Self.isDigit)
            if number.peek() == UInt8(ascii: ".") { number.advance() }
            number.skip { Self.isLetter($0) || Self.isDigit($0) }
        }
        while peek() == UInt8(ascii: ".") {
            take(.punctuation) { $0.advance() }
            if let byte = peek(), Self.isLetter(byte) || Self.isDigit(byte) {
                take(.number) { $0.skip { Self.isLetter($0) || Self.isDigit($0) } }
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
