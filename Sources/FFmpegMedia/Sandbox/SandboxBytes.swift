/// A message to or from a decoder's process, as it is written.
struct SandboxWriter {
    /// Room for the length, so that a message is sent, and wakes who waits for it, in one piece.
    static let headByteCount = MemoryLayout<UInt32>.size
    private var all = [UInt8](repeating: 0, count: headByteCount)

    /// What was written.
    var bytes: ArraySlice<UInt8> { all.dropFirst(Self.headByteCount) }

    /// Begins anew, in the same memory.
    mutating func clear() { all.removeLast(bytes.count) }

    /// Calls `body` with the message after its length.
    mutating func withMessage<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let length = UInt32(clamping: bytes.count)
        return all.withUnsafeMutableBytes { all in
            all.storeBytes(of: length, as: UInt32.self)
            return body(UnsafeRawBufferPointer(all))
        }
    }

    /// Adds a number.
    mutating func put(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number) { all += $0 } }

    /// Adds bytes, after their count.
    mutating func put(bytes other: UnsafeRawBufferPointer) {
        put(UInt32(clamping: other.count))
        all += other
    }

    /// Adds another message.
    mutating func append(_ other: SandboxWriter) { all += other.bytes }

    /// Adds a text.
    mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// A message as it is read, in memory of whoever received it: nothing in it is believed.
struct SandboxReader {
    /// The message ends early, or has what makes no sense.
    struct Fault: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func take<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Fault) -> Number {
        guard bytes.count - place >= MemoryLayout<Number>.size else { throw Fault() }
        defer { place += MemoryLayout<Number>.size }
        return bytes.loadUnaligned(fromByteOffset: place, as: Number.self)
    }

    /// Takes a number of entries, at most `limit`.
    mutating func takeCount(_ limit: Int) throws(Fault) -> Int {
        let count = Int(try take(UInt32.self))
        guard count <= limit else { throw Fault() }
        return count
    }

    mutating func takeBytes() throws(Fault) -> UnsafeRawBufferPointer {
        let count = Int(try take(UInt32.self))
        guard bytes.count - place >= count else { throw Fault() }
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }
}
