/// The header of a packet of AAC in a stream (ADTS, ISO/IEC 13818-7, 6.2).
struct ADTSHeader {
    /// The rates that the header counts, in Hz (table 35).
    private static let sampleRates: [Int32] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Its own size in bytes.
    let byteCount: Int
    /// The rate in Hz.
    let sampleRate: Int32
    /// The channels; two if the header leaves them to the packet.
    let channelCount: Int32
    /// The samples in a packet.
    let frameSize: Int32 = 1024

    /// Reads a header; `nil` if the bytes do not begin with one.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 9, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let rate = Int(bytes[2] >> 2 & 15)
        guard rate < Self.sampleRates.count else { return nil }
        sampleRate = Self.sampleRates[rate]
        let channels = Int32(bytes[2] & 1) << 2 | Int32(bytes[3] >> 6)
        channelCount = channels == 0 ? 2 : channels == 7 ? 8 : channels
        // With two bytes of CRC, if the bit does not say that there are none.
        byteCount = bytes[1] & 1 != 0 ? 7 : 9
    }
}
