import MediaIO
import TextRaster
import VideoEffects
import VideoWall

/// How frames are shown on the whole wall, unless an input's own options override it.
struct PictureStyle: Hashable {
    var look = WallLook()
    /// The effects of every tile whose input names none.
    var tileEffects = EffectChain()
    /// The effects on the whole wall.
    var wallEffects = EffectChain()

    /// Shows frames as they are.
    init() {}

    /// Reads the effects of a look.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if an effect cannot be used.
    init(_ look: WallLook) throws(ProgramError) {
        self.look = look
        var notes: [String] = []
        do throws(EffectError) {
            tileEffects = try EffectChain(look.effects, notes: &notes)
            wallEffects = try EffectChain(look.wallEffects, notes: &notes)
        } catch {
            throw ProgramError(.usage, error.description)
        }
    }

    /// Makes an input's tile.
    func makeTile(_ specification: InputSpecification, _ mailbox: FrameMailbox) -> WallTile {
        let tile = WallTile(name: specification.name, mailbox: mailbox)
        apply(to: tile, specification)
        return tile
    }

    /// Gives a tile the look of its input.
    func apply(to tile: WallTile, _ specification: InputSpecification) {
        tile.contentMode = specification.options.contentMode ?? look.content
        tile.label = specification.options.label
        tile.filter = specification.options.filter ?? look.filter
        tile.scalesInLinearLight = look.linearLight
        tile.colorOverride.swapsChroma = specification.options.swapsChroma ?? false
        let effects = specification.options.effects ?? tileEffects
        if tile.effects != effects { tile.effects = effects }
    }

    /// Makes an empty wall.
    func makeWall(_ layout: any WallLayout) -> Wall {
        let wall = Wall(layout: layout, text: TextRasterizer())
        apply(to: wall)
        return wall
    }

    /// Gives a wall its look.
    func apply(to wall: Wall) {
        wall.colorConversion = look.color
        if wall.effects != wallEffects { wall.effects = wallEffects }
    }
}
