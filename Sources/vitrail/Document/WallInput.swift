import VideoWall

/// An input of a wall, as its user describes it.
struct WallInput: Hashable, Sendable, Identifiable {
    /// What tells it from the others while its name, its options or its position change; never shown.
    var id: String
    /// The name on its tile; `nil` for the last part of its address.
    var name: String?
    /// The path, URL or name of the input, without options.
    var address: String
    /// Where its password comes from: `env:NAME` or `file:PATH`; `nil` if it needs none.
    var secret: String?
    /// The address of a smaller picture of the same, which is used while the tile is small.
    var substream: String?
    /// The options of the input in the form of the command line, except ``name`` and ``effects``.
    var settings: [InputOption: String] = [:]
    /// The effects on its picture, as on the command line; `nil` for those of every tile.
    var effects: String?
    /// The part of the wall that its tile covers in a free layout.
    var place: FreeLayout.Place?
    /// The part of the picture that is shown; `nil` for all of it.
    var zoom: TileZoom?

    /// Creates an input with an identity from its address.
    init(address: String) { (id, self.address) = (address, address) }
}
