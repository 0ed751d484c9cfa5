/// Which parts of some areas of memory are free.
///
/// Neighbouring free parts are merged. Blocks are taken from the first area that has room, so that the last areas
/// become empty and can be freed.
struct FreeSpace {
    private struct Area {
        let base: UInt
        let size: Int
        /// The free parts, by address; never two that touch.
        var free: [Range<UInt>]
        /// The number of pictures that ended since the area became empty.
        var idlePictures = 0

        var isEmpty: Bool { free.count == 1 && free[0].upperBound - free[0].lowerBound == UInt(size) }
    }

    private var areas: [Area] = []
    /// The bytes that were asked for in vain.
    var missing = 0

    /// The length of a block, in whole pages, so that few sizes differ and no small parts remain.
    static func size(_ byteCount: Int) -> Int { (max(byteCount, 1) + 4095) & ~4095 }

    mutating func add(_ base: UInt, _ size: Int) {
        areas.append(Area(base: base, size: size, free: [base..<base + UInt(size)]))
    }

    /// The address of a block of whole pages; `nil` if there is no room.
    mutating func take(_ size: Int) -> UInt? {
        for area in areas.indices {
            for part in areas[area].free.indices {
                let found = areas[area].free[part]
                guard found.upperBound - found.lowerBound >= UInt(size) else { continue }
                let rest = found.lowerBound + UInt(size)..<found.upperBound
                if rest.isEmpty { areas[area].free.remove(at: part) } else { areas[area].free[part] = rest }
                return found.lowerBound
            }
        }
        missing += size
        return nil
    }

    /// Frees a block.
    mutating func give(_ address: UInt, _ size: Int) {
        guard let area = areas.firstIndex(where: { $0.base <= address && address < $0.base + UInt($0.size) })
        else { return }
        let part = address..<address + UInt(size)
        let next = areas[area].free.firstIndex { $0.lowerBound > address } ?? areas[area].free.count
        let joinsNext = next < areas[area].free.count && areas[area].free[next].lowerBound == part.upperBound
        let joinsLast = next > 0 && areas[area].free[next - 1].upperBound == part.lowerBound
        let end = joinsNext ? areas[area].free[next].upperBound : part.upperBound
        if joinsLast {
            areas[area].free[next - 1] = areas[area].free[next - 1].lowerBound..<end
            if joinsNext { areas[area].free.remove(at: next) }
        } else if joinsNext {
            areas[area].free[next] = part.lowerBound..<end
        } else {
            areas[area].free.insert(part, at: next)
        }
        areas[area].idlePictures = 0
    }

    /// Removes an area that has been empty for a number of pictures; called at the end of each picture.
    ///
    /// - Returns: where it began; `nil` if there is none.
    mutating func removeIdle(pictures: Int) -> UInt? {
        var idle: Int?
        for area in areas.indices {
            areas[area].idlePictures = areas[area].isEmpty ? areas[area].idlePictures + 1 : 0
            if areas[area].idlePictures >= pictures { idle = area }
        }
        return idle.map { areas.remove(at: $0).base }
    }
}
