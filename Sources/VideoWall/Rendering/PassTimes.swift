/// How long a GPU has worked on pictures, pass by pass.
public struct PassTimes: Hashable, Sendable {
    /// The number of pictures that were measured.
    public var pictures = 0
    /// The copies of new frames to the GPU.
    public var upload = Duration.zero
    /// The draws that precede those into the picture: the first of two scaling passes, and the effects of tiles.
    public var prepare = Duration.zero
    /// The draws into the picture, with effects of the whole wall.
    public var draw = Duration.zero

    /// Creates the times of no picture.
    public init() {}

    /// The pictures since an earlier state of these times.
    public func since(_ earlier: PassTimes) -> PassTimes {
        var rest = PassTimes()
        rest.pictures = pictures - earlier.pictures
        rest.upload = upload - earlier.upload
        rest.prepare = prepare - earlier.prepare
        rest.draw = draw - earlier.draw
        return rest
    }

    /// The mean times per picture; zero if no picture was measured.
    public var mean: PassTimes {
        var mean = PassTimes()
        guard pictures > 0 else { return mean }
        mean.pictures = 1
        (mean.upload, mean.prepare, mean.draw) = (upload / pictures, prepare / pictures, draw / pictures)
        return mean
    }
}
