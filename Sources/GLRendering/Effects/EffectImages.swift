import VideoWall
import VitrailGL

/// The textures and tables of colours of the effects in use, on the GPU.
final class EffectImages {
    /// A texture, and the object that it was made from, which is retained so that its identifier stays unique.
    private final class Entry {
        let origin: AnyObject
        let texture: Texture

        init(_ origin: AnyObject, _ texture: consuming Texture) {
            self.origin = origin
            self.texture = texture
        }
    }

    private let context: GLContext
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Whether textures were made since ``keepOnly(_:)``.
    private(set) var hasNew = false

    init(_ context: GLContext) { self.context = context }

    /// Makes the textures for a step, unless they are made already.
    func prepare(_ step: EffectChain.Step) throws(GLError) {
        let textures = step.effect.textures
        for index in textures.indices where entries[ObjectIdentifier(textures[index].image)] == nil {
            let image = textures[index].image
            let texture = try Texture(context, .rgba8, width: image.width, height: image.height)
            image.rgba.withUnsafeBytes { texture.upload($0, bytesPerRow: image.width * 4) }
            add(Entry(image, texture))
        }
        for index in step.values.indices {
            guard case .lut(let table?) = step.values[index], entries[ObjectIdentifier(table)] == nil else { continue }
            add(Entry(table, try texture(table)))
        }
    }

    private func add(_ entry: Entry) {
        entries[ObjectIdentifier(entry.origin)] = entry
        hasNew = true
    }

    /// Binds the textures of steps to their units.
    func bind(
        _ inputs: [(unit: Int, input: EffectUniforms.Input)], _ steps: EffectSteps, _ shared: borrowing SharedResources
    ) {
        for index in inputs.indices {
            let unit = inputs[index].unit
            switch inputs[index].input {
            case .texture(let slot, let number):
                guard let texture = steps[slot]?.effect.textures[number] else { continue }
                let entry = entries[ObjectIdentifier(texture.image)]
                switch (texture.isNearest, texture.repeats) {
                case (false, false): entry?.texture.bind(unit: unit, shared.clamped)
                case (false, true): entry?.texture.bind(unit: unit, shared.repeated)
                case (true, false): entry?.texture.bind(unit: unit, shared.nearest)
                case (true, true): entry?.texture.bind(unit: unit, shared.repeatedNearest)
                }
            case .table(let slot, let parameter):
                guard case .lut(let table?)? = steps[slot]?.values[parameter] else { continue }
                entries[ObjectIdentifier(table)]?.texture.bind(unit: unit, shared.nearest)
            case .pass, .tile: continue
            }
        }
    }

    /// Releases the textures that none of the steps uses.
    func keepOnly(_ steps: [EffectChain.Step]) {
        hasNew = false
        var used: Set<ObjectIdentifier> = []
        for step in steps {
            for texture in step.effect.textures { used.insert(ObjectIdentifier(texture.image)) }
            for case .lut(let table?) in step.values { used.insert(ObjectIdentifier(table)) }
        }
        entries = entries.filter { used.contains($0.key) }
    }

    /// The width of the texture of a table, which is filled row by row.
    static func width(_ table: LookupTable) -> Int { min(table.count, table.isCube ? 4096 : 2048) }

    private func texture(_ table: LookupTable) throws(GLError) -> Texture {
        let width = Self.width(table)
        let height = (table.count + width - 1) / width
        let texture = try Texture(context, .rgba32f, width: width, height: height)
        var texels = Array(UnsafeBufferPointer(start: table.entries, count: table.count))
        texels += Array(repeating: .zero, count: width * height - table.count)
        texels.withUnsafeBytes { texture.upload($0, bytesPerRow: width * 16) }
        return texture
    }
}
