import MediaIO
import TestSupport
import Testing
import VideoWall

/// Pictures that are enlarged around a point, as both renderers draw them.
@Suite(.everyRenderer, .renderTurn) struct ZoomTests {
    private let size = VideoSize(width: 256, height: 256)

    private func frame(_ change: (inout FrameAttributes) -> Void = { _ in }) throws -> VideoFrame {
        var frame = VideoFrame(try TestPicture.noise(.i444, VideoSize(width: 128, height: 128)).buffer())
        change(&frame.attributes)
        return frame
    }

    private func picture(_ frame: VideoFrame, _ zoom: TileZoom?) throws -> RGBAImage {
        let test = try TestWall()
        let tile = test.add(frame)
        tile.filter = .nearest
        tile.zoom = zoom
        return try test.picture(size)
    }

    /// Enlarged four times, a quarter of each side fills the tile: the same as a crop of the frame there.
    @Test(arguments: VideoRotation.allCases, VideoMirror.allCases)
    func aPartIsDrawnFromItsOwnPixels(_ rotation: VideoRotation, _ mirror: VideoMirror) throws {
        func turned(_ crop: Rectangle?) throws -> VideoFrame {
            try frame { attributes in
                (attributes.rotation, attributes.mirror, attributes.crop) = (rotation, mirror, crop)
            }
        }
        let zoomed = try picture(turned(nil), TileZoom(scale: 4, x: 0.375, y: 0.625))
        // What is shown there, in the pixels of the frame: one of the quarters' quarters.
        let crops = (0..<16).map { Rectangle(x: $0 % 4 * 32, y: $0 / 4 * 32, width: 32, height: 32) }
        let same = try crops.filter { try picture(turned($0), nil) == zoomed }
        #expect(same.count == 1)
        if rotation == .upright, mirror == .unmirrored {
            #expect(same == [Rectangle(x: 32, y: 64, width: 32, height: 32)])
        }
    }

    @Test func noZoomChangesNothing() throws {
        let plain = try picture(frame(), nil)
        #expect(try picture(frame(), TileZoom(scale: 1, x: 0, y: 0)) == plain)
        #expect(try picture(frame(), TileZoom(scale: 2, x: 0.5, y: 0.5)) != plain)
    }
}
