import MediaIO

/// What two pictures are compared by: a hash, and the mean of each of 64 x 36 blocks.
///
/// Both are of the bytes of every fourth row of the first plane. An encoder codes a picture that stands still a little
/// differently in each key frame, which changes the hash but hardly a mean.
///
/// **Cost:** about 0.1 ms for a frame of 1920x1080; allocates once.
struct PictureSignature {
    private static let (columns, rows) = (64, 36)
    /// By how much the mean of a block may differ.
    private static let tolerance = 2

    private(set) var hash: UInt64 = 0
    private var means = [UInt8](repeating: 0, count: columns * rows)
    private var sums = [Int](repeating: 0, count: columns)

    /// Takes a frame.
    ///
    /// - Returns: false for one that is not in memory, such as a texture.
    mutating func take(_ frame: VideoFrame) -> Bool {
        guard case .planes(let buffer) = frame.image else { return false }
        let (size, description) = (buffer.size, buffer.format.planes[0])
        let height = description.height(size)
        buffer.withPlane(0) { plane in
            // Two lanes, because each step waits for the one before it in its lane.
            var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
            for block in 0..<Self.rows {
                let (start, end) = (height * block / Self.rows, height * (block + 1) / Self.rows)
                for column in 0..<Self.columns { sums[column] = 0 }
                var (index, count) = ((start + 3) / 4 * 4, 0)
                while index < end {
                    let row = plane.row(index, description, size)
                    Self.mix(row, &first, &second)
                    add(row)
                    index += 4
                    count += 1
                }
                let width = description.rowBytes(size)
                for column in 0..<Self.columns {
                    let bytes =
                        (width * (column + 1) / Self.columns - width * column / Self.columns) * count
                    means[block * Self.columns + column] = bytes > 0 ? UInt8(sums[column] / bytes) : 0
                }
            }
            hash = Self.mixed(first, second)
        }
        return true
    }

    /// Whether no block differs by more than what another encoding of the same picture changes.
    func isClose(to other: PictureSignature) -> Bool {
        for index in means.indices where abs(Int(means[index]) - Int(other.means[index])) > Self.tolerance {
            return false
        }
        return true
    }

    private mutating func add(_ row: UnsafeRawBufferPointer) {
        for column in 0..<Self.columns {
            var sum = 0
            for place in row.count * column / Self.columns..<row.count * (column + 1) / Self.columns {
                sum &+= Int(row[place])
            }
            sums[column] += sum
        }
    }

    private static func mix(_ row: UnsafeRawBufferPointer, _ first: inout UInt64, _ second: inout UInt64) {
        var place = 0
        while place + 16 <= row.count {
            first = mixed(first, row.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            second = mixed(second, row.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
            place += 16
        }
        while place < row.count {
            first = mixed(first, UInt64(row[place]))
            place += 1
        }
    }

    /// A step of the hash FNV-1a, with whole words; the high half is folded in, since a product carries only upwards.
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ (product >> 32)
    }
}
