import MediaIO
import Testing
import VideoWall

@testable import vitrail

/// The lines about a tile's stream.
struct TileDetailsTests {
    private let start = ContinuousClock().now
    private let wall = Wall(layout: GridLayout())

    private func show(_ count: Int, in tile: WallTile) throws {
        for _ in 0..<count {
            tile.mailbox.put(
                VideoFrame(try PixelBuffer(format: .nv12, size: VideoSize(width: 64, height: 36)) { _ in }))
            wall.update(size: VideoSize(width: 64, height: 36))
        }
    }

    private func packets(_ count: Int, _ bytes: Int) -> PacketTotals {
        var totals = PacketTotals()
        (totals.codec, totals.count, totals.bytes) = (.h264, count, bytes)
        return totals
    }

    @Test("Size and format at once; bit rate and pictures a second of the time between two calls; what was not shown")
    func rates() throws {
        var details = TileDetails()
        let tile = wall.addTile(named: "a")
        let none = details.text(of: tile, packets(9, 900), heldFor: nil, now: start)
        try show(1, in: tile)
        let first = details.text(of: tile, packets(10, 1000), heldFor: nil, now: start + .seconds(1))
        try show(50, in: tile)
        for _ in 0..<2 { tile.mailbox.sourceDidOmit(1) }
        let second = details.text(
            of: tile, packets(60, 1_001_000), heldFor: .milliseconds(120), now: start + .seconds(3))
        #expect(none == nil && first?.hasPrefix("64x36 h264 nv12") == true, "\(first ?? "")")
        #expect(second == "64x36 h264 nv12 4.0 Mbit/s\n25.0 pictures/s, 1.0 not shown, held 120 ms", "\(second ?? "")")
    }

    @Test("A source without packets has neither codec nor bit rate; a counter that begins anew is no negative rate")
    func noPackets() throws {
        var details = TileDetails()
        let tile = wall.addTile(named: "a")
        try show(1, in: tile)
        _ = details.text(of: tile, PacketTotals(), heldFor: .zero, now: start)
        let second = details.text(of: tile, PacketTotals(), heldFor: .zero, now: start + .seconds(2))
        #expect(second == "64x36 nv12\n0.0 pictures/s")
        _ = details.text(of: tile, packets(60, 6000), heldFor: nil, now: start + .seconds(3))
        let again = details.text(of: tile, packets(2, 10), heldFor: nil, now: start + .seconds(4))
        #expect(again == "64x36 h264 nv12\n0.0 pictures/s")
        details.forget(except: [])
        let forgotten = details.text(of: tile, packets(3, 20), heldFor: nil, now: start + .seconds(5))
        #expect(forgotten == "64x36 h264 nv12")
    }
}
