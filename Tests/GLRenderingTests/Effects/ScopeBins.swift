import MediaIO
import Testing

/// How many points a scope has counted in each of its bins.
struct ScopeBins {
    let width: Int
    let height: Int
    let counts: [Int]

    /// Counts a picture with the passes of an effect file, whose `effect` is replaced by one that writes numbers as colours.
    ///
    /// The picture is drawn at its own size, which must be at least that of the bins.
    init(
        _ file: String, _ width: Int, _ height: Int, of picture: SpatialPicture,
        _ configure: (SpatialWall) throws -> Void = { _ in }
    ) throws {
        (self.width, self.height) = (width, height)
        let wall = try SpatialWall(file, picture.width, picture.height) { text in
            text.replacing("vec4 effect(", with: "vec4 scope(") + """
                vec4 effect(vec2 uv) {
                    ivec2 place = ivec2(uv * resolution);
                    if (any(greaterThanEqual(place, textureSize(counts, 0)))) return vec4(0.0, 0.0, 0.0, 1.0);
                    int count = int(texelFetch(counts, place, 0).r);
                    return vec4(vec3(count & 255, count >> 8 & 255, count >> 16) / 255.0, 1.0);
                }
                """
        }
        try configure(wall)
        let drawn = try wall.draw(picture)
        try #require(drawn.width >= width && drawn.height >= height)
        counts = (0..<width * height).map { index in
            let digits = drawn[index % width, index / width] * 255
            return Int(digits[0].rounded()) + 256 * Int(digits[1].rounded()) + 65_536 * Int(digits[2].rounded())
        }
    }

    var sum: Int { counts.reduce(0, +) }

    subscript(x: Int, y: Int) -> Int { counts[y * width + x] }

    /// The bins that are not empty.
    var filled: [(x: Int, y: Int)] {
        counts.indices.filter { counts[$0] > 0 }.map { (x: $0 % width, y: $0 / width) }
    }
}
