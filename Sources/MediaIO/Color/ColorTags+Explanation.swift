extension ColorTags {
    /// A part of the colours.
    public enum Part: String, CaseIterable, Hashable, Sendable {
        /// How the components are made from R, G and B.
        case matrix
        /// The code values of black and white.
        case range
        /// The chromaticities of red, green and blue.
        case primaries
        /// How code values relate to light.
        case transfer
        /// The position of chroma samples.
        case chroma
    }

    /// Where a tag comes from, for people; a tag without a note is the stream's own.
    public enum Note: Hashable, Sendable {
        /// The decoder reports this value for every stream of its codec.
        case inferred
        /// The decoder reports this value for every stream of its codec; the container's tag, given by name, is
        /// ignored.
        case overruled(String)
        /// Either the stream has this tag or the decoder inferred it: the two cannot be told apart.
        case perhapsInferred
        /// The name of the pixel format implies it.
        case implied
        /// The value is only the closest one to the stream's tag, which is given by name.
        case approximated(String)
        /// The decoder reports this value, given by name, for tagged and untagged streams alike, so it does not count
        /// as a tag.
        case ambiguous(String)
        /// The stream's tag, given by name, is not used, for the given reason.
        case unusable(String, because: String)
        /// A person set it, replacing the stream's tag if there is one; `by` says how: "set on the command line".
        case set(insteadOf: String?, by: String)
    }

    /// One part of ``explanation(of:size:notes:)``.
    public struct Explanation: Hashable, Sendable {
        /// The part of the colours.
        public let part: Part
        /// The stream's tag, or `nil`.
        public let said: String?
        /// The value used.
        public let taken: String
        /// The reason for that value.
        public let reason: String
    }

    /// The name of a part's value, or `nil` if it is missing.
    public func name(of part: Part) -> String? {
        switch part {
        case .matrix: matrix?.rawValue
        case .range: range?.rawValue
        case .primaries: primaries?.rawValue
        case .transfer: transfer?.rawValue
        case .chroma: chromaLocation?.rawValue
        }
    }

    /// The tag of a part, for people: its name, and the reason if the tag is not used.
    ///
    /// - Parameters:
    ///   - part: the part.
    ///   - notes: what is known of the tags besides their values.
    /// - Returns: the stream's tag, or `nil` if it has none.
    public func said(of part: Part, _ notes: [Part: Note]) -> String? {
        switch notes[part] {
        case .approximated(let tag), .overruled(let tag): tag
        case .ambiguous(let value): "\(value) or none"
        case .unusable(let tag, let cause): "\(tag) (\(cause))"
        case .set(let own, _): own
        case .inferred, .implied: nil
        case .perhapsInferred, nil: name(of: part)
        }
    }

    /// The tags, the values used, and why, part by part, for people.
    ///
    /// - Parameters:
    ///   - format: the format of the frame.
    ///   - size: the size of the frame.
    ///   - notes: what is known of the tags besides their values.
    /// - Returns: an explanation of each part.
    public func explanation(of format: PixelFormat, size: VideoSize, notes: [Part: Note] = [:]) -> [Explanation] {
        let layout = format.layout
        func row<Value: RawRepresentable<String>>(_ part: Part, _ choice: Choice<Value>) -> Explanation {
            Explanation(
                part: part, said: said(of: part, notes), taken: choice.value.rawValue,
                reason: words(part, choice.reason, notes))
        }
        return [
            row(.matrix, chosenMatrix(layout, size)), row(.range, chosenRange(layout)),
            row(.primaries, chosenPrimaries(layout, size)), row(.transfer, chosenTransfer(layout)),
            row(.chroma, chosenChromaLocation(layout)),
        ]
    }

    private func words(_ part: Part, _ reason: Reason, _ notes: [Part: Note]) -> String {
        let rule = words(reason, part, notes)
        guard reason == .tag else {
            if case .set(_, let by) = notes[part] { return "\(by), but not used: \(rule)" }
            if name(of: part) != nil { return "not used: \(rule)" }
            switch notes[part] {
            case .unusable, .ambiguous: return rule
            default: return reason.isDefault ? "untagged; \(rule)" : rule
            }
        }
        return switch notes[part] {
        case .inferred: "inferred by the decoder"
        case .overruled: "inferred by the decoder, instead of the container's tag"
        case .perhapsInferred: "tagged, or inferred by the decoder"
        case .implied: "implied by the name of the format"
        case .approximated: "the closest to the tag"
        case .set(_, let by): by
        case .unusable, .ambiguous, nil: rule
        }
    }

    private func words(_ reason: Reason, _ part: Part, _ notes: [Part: Note]) -> String {
        switch reason {
        case .tag: "tagged by the stream"
        case .noMatrix: "the format has no Cb and Cr"
        case .fewBits: "limited range needs 8 bits or more"
        case .notSubsampled: "the format has no subsampled chroma"
        case .wide: "\(whoSaysWide(part, notes)) say BT.2020, PQ or HLG"
        case .large: "1280 columns or more, or more than 576 rows"
        case .small: "fewer than 1280 columns, at most 576 rows"
        case .lines625: "576 rows"
        case .rgbFormat: "the format is RGB"
        case .grayFormat: "the format is gray"
        case .yCbCrFormat: "the format is YCbCr"
        case .floatFormat: "the format has floating-point samples"
        case .mpeg: "as in MPEG-2 and H.264"
        }
    }

    /// The tags that make a part BT.2020's: those of the stream, or only those that a person set.
    private func whoSaysWide(_ part: Part, _ notes: [Part: Note]) -> String {
        let says: [(Part, Bool)] = [
            (.matrix, matrix == .bt2020), (.primaries, primaries == .bt2020), (.transfer, transfer?.isHDR ?? false),
        ]
        var settings: String?
        for (other, isWide) in says where isWide && other != part {
            guard case .set(_, let by) = notes[other] else { return "the stream's other tags" }
            settings = by
        }
        return settings.map { "other values \($0)" } ?? "other tags"
    }
}

extension ColorTags.Reason {
    /// Whether the value is assumed only because a tag is missing.
    fileprivate var isDefault: Bool {
        switch self {
        case .tag, .noMatrix, .fewBits, .notSubsampled, .wide: false
        case .large, .small, .lines625, .rgbFormat, .grayFormat, .yCbCrFormat, .floatFormat, .mpeg: true
        }
    }
}
