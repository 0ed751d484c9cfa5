import MediaIO
import V4L2Capture
import VideoWall

/// Cameras on the wall: their controls, and what they give.
extension Viewer {
    /// Chooses or changes a control of the camera in a tile.
    func turnCamera(_ turn: CameraKnob.Turn, _ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        overlay.show(result(of: turn, on: tile), over: tile, now: clock.now)
    }

    private func result(of turn: CameraKnob.Turn, on tile: WallTile) -> String {
        guard let camera = camera(of: tile) else { return "this is not a camera" }
        guard let path = camera.report?.device.path else { return "the camera is not open" }
        return result(of: turn, onCameraAt: path)
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
        input(of: tile)?.stream.source as? Camera
    }
}
