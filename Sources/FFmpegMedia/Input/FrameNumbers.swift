/// Notices lost pictures of H.264 by the numbers of those that others are decoded from: frame_num, ITU-T H.264, 7.4.3.
///
/// FFmpeg passes over what a network loses of RTP, and its decoder makes up for lost pictures without a word.
///
/// Two losses go unnoticed: that of pictures that no other is decoded from, which have no number of their own, and that of
/// a key frame, or of 16 pictures and more, after which the count happens to continue.
///
/// **Cost:** reads a packet up to its first slice; allocates nothing.
struct FrameNumbers {
    /// What a sequence parameter set says of the numbers.
    private struct Rule: Equatable {
        var bitCount: Int
        var hasSeparatePlanes: Bool
        var allowsGaps: Bool
    }

    /// How much doubt there is where gaps are not believed.
    ///
    /// A sender that does not number as the standard says would otherwise lose all of its pictures. Each gap adds
    /// ``stepsPerGap`` to the doubt, and each picture without one takes 1 away.
    private static let mostDoubt = 40
    private static let stepsPerGap = 5

    private var rule: Rule?
    /// The number of the set that the rule is from.
    private var setID = 0
    /// Whether there are several sets that differ: which of them a picture uses, only the picture's own set says.
    private var isAmbiguous = false
    /// The number of the newest picture that others are decoded from; `nil` if unknown.
    private var previous: Int?
    private var doubt = 0

    /// - Parameter configuration: the parameter sets behind start codes, if they do not come in the packets.
    init(configuration: [UInt8] = []) {
        configuration.withUnsafeBytes { _ = isAfterGap($0) }
    }

    /// Notes a packet.
    ///
    /// - Parameter bytes: its units, each one behind a start code.
    /// - Returns: whether pictures that it depends on are missing before it.
    mutating func isAfterGap(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while let unit = Self.unit(of: bytes, from: place) {
            place = unit.startIndex
            switch unit[place] & 31 {
            case 1, 2: return note(unit, isIDR: false)
            case 5: return note(unit, isIDR: true)
            case 7: learn(UnitBits(unit.dropFirst()))
            default: break
            }
        }
        return false
    }

    /// What is behind the next start code: everything, because the units before slices are short.
    private static func unit(of bytes: UnsafeRawBufferPointer, from start: Int) -> Slice<UnsafeRawBufferPointer>? {
        var place = start
        while place + 3 < bytes.count {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                return bytes[(place + 3)...]
            } else {
                place += 1
            }
        }
        return nil
    }

    /// Reads the beginning of a slice's header: clause 7.3.3.
    private mutating func note(_ unit: Slice<UnsafeRawBufferPointer>, isIDR: Bool) -> Bool {
        guard let rule, !isAmbiguous else { return false }
        var bits = UnitBits(unit.dropFirst())
        // The place of the first macroblock, the type and the picture's set.
        for _ in 0..<3 { _ = bits.unsigned() }
        if rule.hasSeparatePlanes { _ = bits.number(2) }
        let number = bits.number(rule.bitCount)
        guard !bits.isOver else { return false }
        let isReference = unit[unit.startIndex] & 0x60 != 0
        let count = 1 << rule.bitCount
        // Both fields of a frame have the same number, and all pictures that no other is decoded from have the next one.
        let isNext = previous.map { number == $0 || number == ($0 + 1) % count } ?? true
        if isReference {
            previous = number
        } else if !isNext {
            previous = (number + count - 1) % count
        }
        if isIDR || isNext || rule.allowsGaps {
            doubt = max(doubt - 1, 0)
            return false
        }
        doubt = min(doubt + Self.stepsPerGap, Self.mostDoubt)
        return doubt < Self.mostDoubt
    }

    /// Reads a sequence parameter set: clause 7.3.2.1.1.
    private mutating func learn(_ unit: UnitBits) {
        var bits = unit
        let profile = bits.number(8)
        _ = bits.number(16)
        let id = bits.unsigned()
        var hasSeparatePlanes = false
        if [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244].contains(profile) {
            let chroma = bits.unsigned()
            if chroma == 3 { hasSeparatePlanes = bits.flag() }
            // Both depths, and a flag of lossless coding.
            _ = (bits.unsigned(), bits.unsigned(), bits.flag())
            if bits.flag() { for list in 0..<(chroma == 3 ? 12 : 8) where bits.flag() { bits.skipScaling(list) } }
        }
        let bitCount = bits.unsigned() + 4
        switch bits.unsigned() {
        case 0: _ = bits.unsigned()
        case 1:
            _ = (bits.flag(), bits.signed(), bits.signed())
            for _ in 0..<min(bits.unsigned(), 255) { _ = bits.signed() }
        default: break
        }
        _ = bits.unsigned()
        let allowsGaps = bits.flag()
        guard !bits.isOver, bitCount <= 16 else { return }
        let rule = Rule(bitCount: bitCount, hasSeparatePlanes: hasSeparatePlanes, allowsGaps: allowsGaps)
        guard rule != self.rule else { return }
        isAmbiguous = isAmbiguous || self.rule != nil && id != setID
        (self.rule, setID, previous) = (rule, id, nil)
    }
}

extension UnitBits {
    /// Passes over a list of scaling factors: clause 7.3.2.1.1.1.
    fileprivate mutating func skipScaling(_ list: Int) {
        var (last, next) = (8, 8)
        for _ in 0..<(list < 6 ? 16 : 64) {
            if next != 0 { next = (last + signed() + 256) % 256 }
            if next != 0 { last = next }
        }
    }
}
