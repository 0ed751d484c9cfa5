internal import VitrailSupport

extension PixelFormat {
    /// Names, ours and others', similar to an unknown one, for an error.
    ///
    /// Up to five, the closest first: those with the fewest letters to change, at most a third of them, and those that
    /// begin with the whole of `name`. A prefix such as `v4l2:` is kept; if nothing in that vocabulary is so close, the
    /// nearest names in it are given, with at most half of the letters to change.
    ///
    /// **Cost:** compares with a few hundred names; for set-up.
    public static func namesClose(to name: String) -> [String] {
        let name = name.lowercased().prefix(64)
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let vocabulary = parts.count == 2 ? Vocabulary(rawValue: String(parts[0])) : nil
        let wanted = Array((vocabulary == nil ? name : parts[1]).utf8)
        guard !wanted.isEmpty else { return [] }
        let prefix = vocabulary.map { $0.rawValue + ":" } ?? ""
        let own = vocabulary == nil ? allCases.map(\.rawValue) : []
        let others = (vocabulary.map { [$0] } ?? Vocabulary.allCases)
            .flatMap { vocabulary in allCases.flatMap { $0.names(in: vocabulary) } }

        let limit = max(1, wanted.count / 3)
        let furthest = vocabulary == nil ? limit : max(limit, wanted.count / 2)
        var seen: Set<String> = []
        let close: [(name: String, distance: Int)] = (own + others).compactMap { known in
            let letters = Array(known.lowercased().utf8)
            guard seen.insert(known.lowercased()).inserted else { return nil }
            let distance = letters.starts(with: wanted) ? 1 : SimilarNames.distance(wanted, letters)
            return distance <= furthest ? (prefix + known, distance) : nil
        }
        let nearest = close.lazy.map(\.distance).min() ?? 0
        // Sorting is not guaranteed to be stable, so the index breaks ties.
        return close.filter { $0.distance <= max(limit, nearest) }.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(5).map(\.element.name)
    }
}
