import VideoWall

/// What a wall is: its inputs, how they are placed, and how they look.
///
/// It is a value: keys, mouse, files and control lines make an edited copy, and the viewer shows the difference. As a
/// `Codable` it has the form of a wall file.
struct WallDocument: Hashable, Sendable {
    /// The title of the window; `nil` for the program's name.
    var title: String?
    /// The inputs, in the order of their tiles; each identity is unique.
    var inputs: [WallInput] = []
    /// How the wall is divided.
    var layout = LayoutSettings()
    /// How tiles are spread over pages.
    var pages = PageSettings()
    /// The input that fills the wall; `nil` for all.
    var focus: WallInput.ID?
    /// How every tile looks, unless its input says otherwise.
    var look = WallLook()
    /// Where pictures of the wall go.
    var output = WallOutput()
    /// Where and how streams are recorded.
    var recording = RecordingPlan()
    /// What of the live streams is kept in memory.
    var history = HistoryPlan()
    /// Whether live streams show the same instant.
    var alignment = AlignmentPlan.off

    /// The index of an input; `nil` if it is not on the wall.
    func index(of id: WallInput.ID) -> Int? { inputs.firstIndex { $0.id == id } }

    /// Appends an input under an identity that no other input has.
    ///
    /// - Parameters:
    ///   - input: the input.
    ///   - index: where it is inserted; by default at the end.
    /// - Returns: its identity.
    @discardableResult
    mutating func add(_ input: WallInput, at index: Int? = nil) -> WallInput.ID {
        var input = input
        input.id = unusedID(input.id)
        inputs.insert(input, at: index ?? inputs.count)
        return input.id
    }

    /// Gives each of some inputs an identity that no earlier one has, as ``add(_:at:)`` does one by one.
    static func identified(_ inputs: [WallInput]) -> [WallInput] {
        var (used, numbers): (Set<WallInput.ID>, [WallInput.ID: Int]) = ([], [:])
        return inputs.map { input in
            var (input, number) = (input, numbers[input.id] ?? 2)
            let id = input.id
            while !used.insert(input.id).inserted {
                input.id = "\(id)#\(number)"
                number += 1
            }
            numbers[id] = number
            return input
        }
    }

    /// Removes an input; a focus on it ends.
    mutating func remove(_ id: WallInput.ID) {
        inputs.removeAll { $0.id == id }
        if focus == id { focus = nil }
    }

    /// Makes a place that an earlier input has already a little smaller: a wall file has no two tiles in one place.
    mutating func keepPlacesApart() {
        var used: Set<FreeLayout.Place> = []
        for index in inputs.indices {
            guard var place = inputs[index].place, place.width > 0, place.height > 0 else { continue }
            while !used.insert(place).inserted {
                place.x += place.width / 100
                place.y += place.height / 100
                place.width *= 0.98
                place.height *= 0.98
            }
            inputs[index].place = place
        }
    }

    /// The layout of the wall, with its pages; a focus comes on top of it.
    var wallLayout: any WallLayout {
        let whole = layout.makeLayout(places: inputs.map(\.place))
        guard let size = pages.size else { return whole }
        return PagedLayout(base: whole, size: size, page: pages.page)
    }

    /// An identity that no input has: this one, or else with a number.
    func unusedID(_ id: WallInput.ID) -> WallInput.ID {
        let used = Set(inputs.map(\.id))
        guard used.contains(id) else { return id }
        var number = 2
        while used.contains("\(id)#\(number)") { number += 1 }
        return "\(id)#\(number)"
    }
}

/// Pages of tiles, when not all are shown at once.
struct PageSettings: Hashable, Sendable {
    /// The most tiles on a page, at least 1; `nil` for one page.
    var size: Int?
    /// The page that is shown, from 0.
    var page = 0
    /// How many seconds each page, or each tile while one is in focus, is shown before the next one; `nil` for no tour.
    var tour: Double?

    /// The number of pages of so many tiles, at least 1.
    func count(of tiles: Int) -> Int {
        guard let size, size > 0 else { return 1 }
        return max(1, (tiles + size - 1) / size)
    }
}

/// Where pictures of the wall go.
struct WallOutput: Hashable, Sendable {
    /// The folder for snapshots; `nil` for the current one.
    var snapshots: String?
}
