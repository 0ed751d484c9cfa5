import MediaIO
import TextRaster
import VideoWall

/// How frames are shown on the whole wall, unless an input's own options override it.
struct PictureStyle: Hashable {
    var contentMode = ContentMode.fit
    var filter = ScalingFilter.automatic
    var scalesInLinearLight = false
    var colorConversion = ColorConversionMode.auto
    var effects = EffectOptions.Chains()

    /// Makes an input's tile.
    func makeTile(_ specification: InputSpecification, _ mailbox: FrameMailbox) -> WallTile {
        let tile = WallTile(name: specification.name, mailbox: mailbox)
        tile.contentMode = specification.options.contentMode ?? contentMode
        tile.label = specification.options.label
        tile.filter = specification.options.filter ?? filter
        tile.scalesInLinearLight = scalesInLinearLight
        tile.effects = specification.options.effects ?? effects.tiles
        return tile
    }

    /// Makes an empty wall.
    func makeWall(_ layout: GridLayout) -> Wall {
        let wall = Wall(layout: layout, text: TextRasterizer())
        wall.colorConversion = colorConversion
        wall.effects = effects.wall
        return wall
    }
}
