import Glibc

/// The system's words for an `errno` value, such as "No such file or directory".
///
/// **Thread:** any.
package func systemMessage(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    // This name is the POSIX variant, which fills the buffer.
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
