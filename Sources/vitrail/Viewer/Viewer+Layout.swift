import MediaIO
import VideoWall

/// Layouts, pages and the tour.
extension Viewer {
    /// Changes to a kind of layout; `nil` for the next one.
    func setLayout(_ kind: LayoutSettings.Kind?) {
        // Without places, a free layout would be a heap of tiles.
        let kinds = LayoutSettings.Kind.allCases.filter { $0 != .free }
        let next = kinds.firstIndex(of: history.document.layout.kind).map { kinds[($0 + 1) % kinds.count] } ?? .grid
        let chosen = kind ?? next
        edit { document in
            document.layout.kind = chosen
            document.layout.share = nil
            if chosen == .free { document.keepPlaces(of: shownPlaces) }
        }
        overlay.show("\(chosen.rawValue): \(chosen.summary)", now: clock.now)
    }

    /// The part of the wall that each input covers now.
    var shownPlaces: [WallInput.ID: FreeLayout.Place] {
        let area = wall.area
        guard area.width > 0, area.height > 0 else { return [:] }
        var places: [WallInput.ID: FreeLayout.Place] = [:]
        let (width, height) = (Double(area.width), Double(area.height))
        for (tile, rectangle) in zip(wall.tiles, wall.rectangles) where rectangle.width > 0 && rectangle.height > 0 {
            guard let id = inputID(of: tile) else { continue }
            places[id] = FreeLayout.Place(
                x: Double(rectangle.x - area.x) / width, y: Double(rectangle.y - area.y) / height,
                width: Double(rectangle.width) / width, height: Double(rectangle.height) / height)
        }
        return places
    }

    /// Sets the rows and columns of the grid.
    func setGrid(_ words: ActionWords) throws(ProgramError) {
        let layout = history.document.layout
        let present = layout.rows.flatMap { rows in layout.columns.map { "\(rows)x\($0)" } } ?? "auto"
        if try asks(for: words, "Rows and columns, such as 3x4, or auto", present) { return }
        let grid = words.words.count == 1 ? words.first.flatMap { Grid(argument: $0) } : nil
        guard grid != nil || words.first == "auto" else { throw words.refusal }
        edit { document in
            document.layout.kind = .grid
            (document.layout.rows, document.layout.columns) = (grid?.rows, grid?.columns)
            (document.layout.rowShares, document.layout.columnShares) = ([], [])
        }
    }

    /// Moves a tile in the order of the wall.
    func moveTile(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        guard let index = inputID(of: tile).flatMap(history.document.index) else { return }
        let count = history.document.inputs.count
        let new = words.words == ["first"] ? 0 : (index + (try words.step()) + count) % count
        edit { document in document.inputs.insert(document.inputs.remove(at: index), at: new) }
    }

    /// Shows another page.
    func turnPage(_ words: ActionWords) throws(ProgramError) {
        let count = history.document.pages.count(of: history.document.inputs.count)
        let page = history.document.pages.page
        let new: Int
        if words.first.flatMap({ Int($0) }) != nil {
            new = try words.number(in: 1...count) - 1
        } else {
            new = (page + (try words.step()) + count) % count
        }
        edit(gesture: "page") { $0.pages.page = new }
        overlay.show("page \(new + 1) of \(count)", now: clock.now)
    }

    // MARK: Tour

    /// Begins or ends a tour.
    func setTour(_ words: ActionWords) throws(ProgramError) {
        let seconds: Double?
        switch (words.words.count, words.first) {
        case (0, _): seconds = history.document.pages.tour == nil ? 10 : nil
        case (1, "off"): seconds = nil
        case (1, let word?):
            guard let number = Double(word), PageSettings.tourTimes.contains(number) else { throw words.refusal }
            seconds = number
        default: throw words.refusal
        }
        edit { $0.pages.tour = seconds }
        nextStop = seconds.map { clock.now + .seconds($0) }
        overlay.show(seconds.map { "tour: the next after \(Self.short($0)) s" } ?? "tour ended", now: clock.now)
    }

    /// Keeps the tour where it is for a while, because somebody is there.
    func pauseTour() {
        guard history.document.pages.tour != nil else { return }
        nextStop = clock.now + max(.seconds(30), .seconds(history.document.pages.tour ?? 0))
    }

    /// Goes on with the tour when it is time: to the next page, or to the next tile if there is only one page.
    func goOn() {
        guard let tour = history.document.pages.tour, !isPaused else {
            nextStop = nil
            return
        }
        let now = clock.now
        guard let stop = nextStop else {
            nextStop = now + .seconds(tour)
            return
        }
        guard now >= stop else { return }
        nextStop = now + .seconds(tour)
        let document = history.document
        let pages = document.pages.count(of: document.inputs.count)
        history.replace { document in
            if document.focus == nil, pages > 1 {
                document.pages.page = (document.pages.page + 1) % pages
            } else if let focus = document.focus.flatMap(document.index) {
                document.focus = document.inputs[(focus + 1) % document.inputs.count].id
            } else {
                document.focus = document.inputs.first?.id
            }
        }
        showDocument()
    }

    private static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}

extension WallDocument {
    /// Gives inputs without a place the one that they cover now.
    mutating func keepPlaces(of shown: [WallInput.ID: FreeLayout.Place]) {
        for index in inputs.indices where inputs[index].place == nil { inputs[index].place = shown[inputs[index].id] }
    }
}
