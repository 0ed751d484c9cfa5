import MediaIO
import VideoWall
import WindowGL

/// Pictures of the wall in files.
extension Viewer {
    /// Saves a picture of the wall, on a thread of its own.
    func snapshot() {
        let size = window.framebufferSize
        guard size.width > 0, size.height > 0 else { return }
        guard !snapshots.isBusy else {
            return overlay.show("The last picture is still being saved.", now: clock.now)
        }
        // Otherwise the result of the last snapshot would be lost.
        tellSnapshot()
        let picture = VideoSize(width: size.width, height: size.height)
        let waker = window.waker
        do {
            let target = try renderer.makeOffscreenTarget(size: picture)
            try renderer.render(wall, into: target)
            try snapshots.save(target.readPixels(), picture, files, in: history.document.output.snapshots) {
                waker.wake()
            }
        } catch {
            tell(failure: "\(error)")
        }
    }

    /// Says what has become of a snapshot.
    func tellSnapshot() {
        switch snapshots.take() {
        case .success(let path): tell("\(path) saved")
        case .failure(let error): tell(failure: error.description)
        case nil: break
        }
    }

    /// Waits for a snapshot that is still being saved, as long as a slow disk may take.
    func finishSnapshot() {
        snapshots.finish(until: .now + .seconds(10))
        tellSnapshot()
    }
}
