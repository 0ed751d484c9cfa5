import MediaIO
import VideoWall
import VitrailGL
import WallRendering

/// A wall of a workload's streams, drawn picture by picture.
final class BenchWall {
    /// What is drawn into.
    let picture: any OffscreenTarget
    /// The number of pictures drawn.
    private(set) var number = 0
    private let workload: BenchWorkload
    private let chosen: ChosenRenderer
    private let frames: BenchFrames
    private let wall = Wall(layout: GridLayout(gap: 0))
    private let tiles: [WallTile]

    init(
        _ workload: BenchWorkload, _ chosen: ChosenRenderer, _ frames: BenchFrames, _ filter: ScalingFilter
    ) throws(RenderingError) {
        (self.workload, self.chosen, self.frames) = (workload, chosen, frames)
        let wall = wall
        tiles = (0..<workload.streams).map { wall.addTile(named: "\($0)") }
        for tile in tiles {
            tile.filter = filter
            tile.contentMode = .stretch
        }
        picture = try chosen.renderer.makeOffscreenTarget(size: workload.output)
    }

    /// Draws the next picture, and waits until it is finished.
    func draw() throws(RenderingError) {
        for stream in tiles.indices where number == 0 || workload.isNew(stream, at: number) {
            tiles[stream].mailbox.put(frames.frame(stream, workload.frame(stream, at: number)))
        }
        try chosen.renderer.render(wall, into: picture)
        chosen.context?.finish()
        number += 1
    }

    /// The number of frames uploaded, or drawn anew on the CPU.
    var uploaded: Int { tiles.reduce(0) { $0 + $1.report.uploaded } }

    /// Throws if a frame could not be drawn.
    func check() throws(ProgramError) {
        if let failure = tiles.lazy.compactMap(\.report.failure).first {
            throw ProgramError(.failed, "A frame could not be drawn: \(failure)")
        }
    }
}
