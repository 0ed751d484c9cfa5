/// Text without a byte-order mark, whose lines end in `\n`, whichever system wrote it.
package struct PlainText {
    /// The text.
    package let text: String

    /// Converts a text.
    package init(_ text: String) {
        let isPlain = !text.utf8.contains(UInt8(ascii: "\r")) && text.unicodeScalars.first != "\u{FEFF}"
        guard !isPlain else {
            self.text = text
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var last: UInt8 = 0
        for byte in text.utf8.dropFirst(text.unicodeScalars.first == "\u{FEFF}" ? 3 : 0) {
            if byte == UInt8(ascii: "\r") {
                bytes.append(UInt8(ascii: "\n"))
            } else if byte != UInt8(ascii: "\n") || last != UInt8(ascii: "\r") {
                bytes.append(byte)
            }
            last = byte
        }
        self.text = String(decoding: bytes, as: UTF8.self)
    }
}
