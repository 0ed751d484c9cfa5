import MediaIO
import VideoWall
import WallRendering
import WindowGL

/// The statistics over the wall.
extension Viewer {
    /// Shows or hides the statistics.
    func setStatistics(_ isOn: Bool) {
        statistics = isOn ? statistics ?? WallStatistics() : nil
        nextStatistics = clock.now
        overlay.statistics = []
    }

    /// Brings the statistics up to date once a second, while they are shown.
    func refreshStatistics() {
        guard statistics != nil, clock.now >= nextStatistics else { return }
        let now = clock.now
        nextStatistics = now + .seconds(1)
        let shown = wall.focus.flatMap(wall.tile).map { [$0] } ?? wall.tiles
        let rows = statistics?.rows(
            shown, drawn: drawn, refreshRate: window.refreshRate,
            renderer: renderer.summary(screen.reason, withUploadReason: false), passes: renderer.passTimes, now: now)
        overlay.statistics = rows ?? []
        let delays = shown.compactMap { (input(of: $0)?.stream.source as? LiveSource)?.playoutDelay }
        if let delay = WallStatistics.text(playoutDelays: delays) { overlay.statistics.append(delay) }
        if shown.count == 1, let camera = cameraStatistics(of: shown[0]) { overlay.statistics.append(camera) }
    }
}
