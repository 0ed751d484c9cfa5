import MediaIO

/// The samples of one component in a row of memory.
struct SampleRow {
    private let bytes: UnsafeMutableRawPointer
    private let component: ComponentDescription
    /// Whether other samples are in the same word; a sample alone also uses the upper byte of its word.
    private let isShared: Bool

    /// Describes a row, which is only read, or only written.
    init?(_ bytes: UnsafeRawBufferPointer, _ component: ComponentDescription) {
        guard let base = bytes.baseAddress else { return nil }
        self.bytes = UnsafeMutableRawPointer(mutating: base)
        self.component = component
        isShared = component.depth <= 8 * (component.wordBytes - 1)
    }

    /// The sample in column `x` of the component; a value that exceeds the depth reads as the highest one.
    @inline(__always)
    func load(_ x: Int) -> Int {
        let place = component.offset + x * component.step
        let word =
            switch component.wordBytes {
            case 1: Int(bytes.load(fromByteOffset: place, as: UInt8.self))
            case 2: Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
            default: Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
        let (value, most) = (word >> component.shift, 1 << component.depth - 1)
        return isShared ? value & most : min(value, most)
    }

    /// Writes a sample; in words of more than a byte, which samples may share, its bits must be 0 before.
    @inline(__always)
    func store(_ value: Int, _ x: Int) {
        let place = component.offset + x * component.step
        let bits = value << component.shift
        switch component.wordBytes {
        case 1:
            bytes.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: place, as: UInt8.self)
        case 2:
            let old = bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            let new = old | UInt16(truncatingIfNeeded: bits).littleEndian
            bytes.storeBytes(of: new, toByteOffset: place, as: UInt16.self)
        default:
            let old = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            let new = old | UInt32(truncatingIfNeeded: bits).littleEndian
            bytes.storeBytes(of: new, toByteOffset: place, as: UInt32.self)
        }
    }
}
