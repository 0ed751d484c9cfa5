/// Finds names that are similar to a wrong one, for errors.
package enum SimilarNames {
    /// Up to three names, the closest first: those with at most a third of their letters to change, and those that begin
    /// with the whole of `name`.
    ///
    /// **Cost:** for errors.
    package static func names(similarTo name: String, among names: [String]) -> [String] {
        let wanted = Array(name.lowercased().utf8.prefix(64))
        guard !wanted.isEmpty else { return [] }
        let limit = max(1, wanted.count / 3)
        let close = names.enumerated().compactMap { index, known -> (name: String, distance: Int, index: Int)? in
            let letters = Array(known.lowercased().utf8)
            let distance = letters.starts(with: wanted) ? 1 : distance(wanted, letters)
            return distance <= limit ? (known, distance, index) : nil
        }
        // Sorting is not guaranteed to be stable, so the index breaks ties.
        return close.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.prefix(3).map(\.name)
    }

    /// The number of letters to insert, delete, change or swap with the next to turn one name into the other.
    package static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var (before, last) = ([Int](), Array(0...other.count))
        for (index, letter) in one.enumerated() {
            var row = [index + 1]
            for (column, otherLetter) in other.enumerated() {
                let changed = last[column] + (otherLetter == letter ? 0 : 1)
                var least = min(changed, last[column + 1] + 1, row[column] + 1)
                if index > 0, column > 0, one[index - 1] == otherLetter, other[column - 1] == letter {
                    least = min(least, before[column - 1] + 1)
                }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[other.count]
    }
}
