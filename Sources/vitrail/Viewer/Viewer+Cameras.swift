import MediaIO
import V4L2Capture
import VideoWall

/// Cameras on the wall: their controls, and what they give.
extension Viewer {
    /// Turns a knob of the camera in the only visible tile, or else in the one under the mouse.
    func turn(_ turn: CameraKnob.Turn) {
        guard let tile = pointedTile else { return overlay.show("Point at a tile first.", now: clock.now) }
        let name = wall.tiles.count > 1 ? "\(tile.name): " : ""
        guard let camera = camera(of: tile) else {
            return overlay.show("\(name)this is not a camera", now: clock.now)
        }
        guard let path = camera.report?.device.path else {
            return overlay.show("\(name)the camera is not open", now: clock.now)
        }
        overlay.show(name + result(of: turn, onCameraAt: path), now: clock.now)
    }

    private func result(of turn: CameraKnob.Turn, onCameraAt path: String) -> String {
        do throws(StreamError) {
            guard let control = try cameraKnob.perform(turn, on: CameraControls(path: path)) else {
                return "this camera has no controls"
            }
            return control.description()
        } catch {
            return error.description
        }
    }

    /// What the camera of a tile gives, and its counts; `nil` if it has none.
    func cameraStatistics(of tile: WallTile) -> String? {
        guard let report = camera(of: tile)?.report else { return nil }
        let latency = (report.latency / .milliseconds(1) * 10).rounded() / 10
        return [
            "\(report.given) (asked for \(report.asked))", "\(report.lost) lost", "\(report.damaged) damaged",
            "\(report.restarts) restarts", "\(latency) ms old",
        ].joined(separator: " · ")
    }

    private func camera(of tile: WallTile) -> Camera? {
        let number = tiles.firstIndex { $0.contains { $0 === tile } }
        return number.flatMap { streams[$0].source as? Camera }
    }
}
