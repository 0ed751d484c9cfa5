import MediaIO
import VitrailGL
import VitrailShaders

/// How the planes of a format are uploaded as textures and sampled by a shader.
///
/// It follows from the format's row in the table of formats; nothing is repacked.
struct PlaneSampling {
    /// A texture of a plane; packed 4:2:2 has two textures of one plane.
    struct View {
        let plane: Int
        let format: TextureFormat
        /// Whether it contains only subsampled chroma.
        var isChroma = false
        /// The number of adjacent samples that share `texels` texels.
        var blockWidth = 1
        var texels = 1

        func width(_ description: PlaneDescription, _ size: VideoSize) -> Int {
            (description.width(size) + blockWidth - 1) / blockWidth * texels
        }
    }

    /// The textures, one per unit, without gaps.
    private(set) var views: InlineArray<4, View?> = [nil, nil, nil, nil]
    /// The GLSL that defines `samplePlanes`.
    let shader: ShaderLibrary.File
    /// The macros for that file: names and replacements.
    private(set) var definitions: [(name: String, text: String)] = []
    /// The factor from texture values to code values divided by the largest one.
    let scale: Double
    /// Whether the shader weights neighbouring samples itself, because the texture unit cannot.
    let filtersInShader: Bool

    /// Whether each plane of the format is one texture, whose texels are its samples.
    private(set) var hasTextureForEachPlane = true

    /// The number of textures.
    var count: Int { (0..<views.count).count { views[$0] != nil } }

    init(_ format: PixelFormat) {
        let layout = format.layout
        scale = Self.scale(layout, layout.components[0])
        filtersInShader = layout.packing != .regular
        switch (layout.packing, layout.planes.count) {
        case (.bayer(let column, let row), _):
            shader = ShaderLibrary.planesBayer
            views[0] = View(plane: 0, format: .r8)
            definitions = [("RED", "ivec2(\(column), \(row))")]
        case (.v210, _):
            shader = ShaderLibrary.planesV210
            views[0] = View(plane: 0, format: .rgb10a2, blockWidth: 6, texels: 4)
        case (.regular, 3...):
            shader = ShaderLibrary.planesPlanar
            addPlanar(layout)
        case (.regular, 2):
            shader = ShaderLibrary.planesSemiplanar
            addSemiplanar(layout)
        case (.regular, _) where layout.isSubsampled:
            shader = ShaderLibrary.planesSemiplanar
            addPacked422(layout)
        case (.regular, _):
            shader = ShaderLibrary.planesPacked
            addPacked(layout)
        }
        for index in 0..<views.count {
            guard let view = views[index] else { continue }
            if view.plane != index || view.blockWidth != 1 { hasTextureForEachPlane = false }
        }
    }

    private mutating func addPlanar(_ layout: PixelLayout) {
        let texel: TextureFormat = layout.depth > 8 ? .r16 : .r8
        for (component, name) in ["FIRST", "SECOND", "THIRD"].enumerated() {
            guard let plane = layout.components[component]?.plane else { continue }
            let isChroma = layout.isSubsampled && component > 0
            views[plane] = View(plane: plane, format: texel, isChroma: isChroma)
            definitions.append((name, "plane\(plane)"))
        }
        guard let alpha = layout.components[3] else {
            definitions.append(("OPACITY", "1.0"))
            return
        }
        views[alpha.plane] = View(plane: alpha.plane, format: texel)
        definitions.append(("OPACITY", "(texture(plane\(alpha.plane), luma).r * \(Float(scale)))"))
    }

    private mutating func addSemiplanar(_ layout: PixelLayout) {
        let isWide = layout.depth > 8
        views[0] = View(plane: 0, format: isWide ? .r16 : .r8)
        views[1] = View(plane: 1, format: isWide ? .rg16 : .rg8, isChroma: layout.isSubsampled)
        definitions = [("LUMA", "r"), ("CHROMA", Self.letters(layout, [1, 2]))]
    }

    private mutating func addPacked422(_ layout: PixelLayout) {
        let isWide = layout.depth > 8
        views[0] = View(plane: 0, format: isWide ? .rg16 : .rg8)
        views[1] = View(plane: 0, format: isWide ? .rgba16 : .rgba8, isChroma: true, blockWidth: 2)
        definitions = [("LUMA", Self.letters(layout, [0])), ("CHROMA", Self.letters(layout, [1, 2]))]
    }

    private mutating func addPacked(_ layout: PixelLayout) {
        let plane = layout.planes[0]
        let wordBytes = layout.components[0]?.wordBytes ?? 1
        let texel: TextureFormat =
            switch (plane.blockBytes, wordBytes) {
            case (1, _): .r8
            case (2, _) where layout.model == .gray: .r16
            case (2, _): layout.components[1]?.depth == 6 ? .rgb565 : .rgb5a1
            case (3, _): .rgb8
            case (4, 4): .rgb10a2
            case (4, _): .rgba8
            default: layout.isFloat ? .rgba16f : .rgba16
            }
        views[0] = View(plane: 0, format: texel)
        let color = layout.model == .gray ? "rrr" : Self.letters(layout, [0, 1, 2])
        // OpenGL names the components of these 16-bit words itself, so no swizzle is needed.
        definitions = [("COLOR", texel == .rgb565 || texel == .rgb5a1 ? "rgb" : color)]
        definitions.append(("OPACITY", layout.hasAlpha ? "texel.\(Self.letters(layout, [3]))" : "1.0"))
    }

    /// The texel's components that contain the given components of the format.
    private static func letters(_ layout: PixelLayout, _ components: [Int]) -> String {
        String(
            components.compactMap { index in
                layout.components[index].map { component in
                    let place = component.wordBytes == 4 ? component.shift / 10 : component.offset / component.wordBytes
                    return ["r", "g", "b", "a"][place % 4]
                }
            })
    }

    /// OpenGL divides a 16-bit word by 65535, wherever the sample is in it.
    private static func scale(_ layout: PixelLayout, _ first: ComponentDescription?) -> Double {
        guard let first, first.wordBytes == 2, layout.depth > 8, !layout.isFloat else { return 1 }
        return 65_535 / Double(((1 << first.depth) - 1) << first.shift)
    }
}
