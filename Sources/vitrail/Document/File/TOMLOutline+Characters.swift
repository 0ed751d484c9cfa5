/// What is between the values of TOML: spaces, ends of lines, comments.
extension TOMLOutline {
    /// A mistake at the present place.
    func mistake(_ message: String) -> OutlineError {
        OutlineError(offset: position, message: peek == nil ? "the file ends too early: \(message)" : message)
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 { position += 1 }
    }

    /// Skips the end of a line, if it is here.
    mutating func takeNewline() -> Bool {
        let length = peek == 0x0D ? 2 : 1
        guard position + length <= bytes.count, bytes[position + length - 1] == 0x0A else { return false }
        position += length
        return true
    }

    /// Skips spaces, ends of lines and comments.
    mutating func skipLines(withComments: Bool = true) throws(OutlineError) {
        repeat {
            skipSpace()
            if withComments { try skipComment() }
        } while takeNewline()
    }

    /// Skips the rest of a line, where only a comment may be.
    mutating func endLine() throws(OutlineError) {
        skipSpace()
        try skipComment()
        guard takeNewline() || peek == nil else {
            throw mistake("the line must end here, or a comment begin with #")
        }
    }

    private mutating func skipComment() throws(OutlineError) {
        guard peek == UInt8(ascii: "#") else { return }
        while let byte = peek, byte != 0x0A, byte != 0x0D { try skipCharacter(byte) }
    }

    /// Skips a byte of a comment or a text.
    mutating func skipCharacter(_ byte: UInt8) throws(OutlineError) {
        guard byte >= 0x20 || byte == 0x09, byte != 0x7F else {
            throw mistake("a control character may not be here: in a text, write \\u and four digits")
        }
        position += 1
    }
}
