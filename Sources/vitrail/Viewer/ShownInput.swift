import VideoWall

/// An input of the document as it is shown.
struct ShownInput {
    /// The input that was last shown.
    var input: WallInput
    /// The same as it is opened; `nil` if it cannot be, and its tile says why.
    var specification: InputSpecification?
    /// Its substream as it is opened; `nil` without one.
    var substream: InputSpecification?
    /// Its tile.
    let tile: WallTile
}
