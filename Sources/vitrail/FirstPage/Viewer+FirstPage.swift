import VideoWall
import WindowGL

/// The page of an empty wall, and what was last opened.
extension Viewer {
    /// What lies over the wall, but under all else: the page of an empty wall, or the card on the demo.
    func firstOverlays(_ painter: any TextPainter) -> [WallOverlay] {
        let size = wall.scene.size
        let card = welcome.overlays(in: size, now: clock.now, painter)
        return wall.tiles.isEmpty ? firstPage.overlays(in: size, painter) : card
    }

    /// Gives an event to the page, if it is shown.
    ///
    /// - Returns: whether nothing else is to be done with it.
    func handleFirstPage(_ event: WindowEvent) -> Bool {
        if case .mouseButton(.left, _, let clicks, _) = event, firstPage.wasClicked {
            if clicks > 1 { return true }
            firstPage.wasClicked = false
        }
        guard wall.tiles.isEmpty, overlay.help.page == nil else { return false }
        let size = wall.scene.size
        switch event {
        case .mouseMoved(let place):
            point(at: place)
            firstPage.pointed = firstPage.entry(at: place, in: size)
            window.setPointer(firstPage.pointed == nil ? .arrow : .hand)
            return true
        case .mouseLeft:
            firstPage.pointed = nil
            return false
        case .mouseButton(.left, let place, _, _):
            guard let index = firstPage.entry(at: place, in: size) else { return false }
            firstPage.wasClicked = true
            open(recent: index)
            return true
        case .key(.digit(let digit), let modifiers, isRepeat: false)
        where modifiers.isDisjoint(with: [.control, .alt, .system])
            && firstPage.recent.entries.indices.contains(digit - 1):
            open(recent: digit - 1)
            return true
        default: return false
        }
    }

    private func open(recent index: Int) {
        firstPage.pointed = nil
        do throws(ProgramError) {
            switch firstPage.recent.entries[index] {
            case .wall(let path): try openWall(path)
            case .input(let text): try add(text)
            }
        } catch {
            tell(failure: error.description)
        }
    }

    /// Notes what was opened, for the page of an empty wall.
    func noteOpened(_ entries: [RecentList.Entry?]) {
        let entries = entries.compactMap(\.self)
        if !entries.isEmpty { firstPage.recent = recentFile.add(entries, files) }
    }
}
