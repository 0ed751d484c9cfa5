import MediaIO
import VideoWall
import VitrailGL

/// The uniforms and textures of the effects in a program.
struct EffectUniforms {
    /// A texture that is bound for each draw.
    enum Input: Hashable {
        /// A pass of the effect.
        case pass(Int)
        /// A texture of the effect in a slot.
        case texture(slot: Int, index: Int)
        /// The picture of another tile, by the index of the parameter.
        case tile(parameter: Int)
        /// A table of colours of the effect in a slot.
        case table(slot: Int, parameter: Int)
    }

    /// The texture units of the picture, of the previous result, and of the frame's code values.
    static let (source, previous, planes) = (0, 1, 2)
    /// The number of these units.
    static let ownUnits = 3
    private static let lastUnit = Texture.uploadUnit - 1

    /// The textures, each with its unit.
    private(set) var inputs: [(unit: Int, input: Input)] = []
    private let time: Uniform
    private let frameNumber: Uniform
    private let resolution: Uniform
    private let pictureSize: Uniform
    private let mouse: Uniform
    private let hasPrevious: Uniform
    private let lumaOfPlanes: Uniform
    /// The uniforms of a Shadertoy shader, or `nil`.
    private let shadertoy: ShadertoyUniforms?
    private let firstSlot: Int
    /// For each slot, the uniforms of the parameters, in their order.
    private var parameters: [[Uniform]] = []
    private var tables: [Input: (shape: Uniform, lowest: Uniform, highest: Uniform)] = [:]

    /// Finds the uniforms in a program, which must be the current one.
    ///
    /// - Parameters:
    ///   - program: the program.
    ///   - effects: the effects of the slots; `nil` for an empty slot.
    ///   - firstSlot: the number of the first slot.
    ///   - firstUnit: the first texture unit to use.
    /// - Throws: ``GLError`` if the effects read more textures than there are units.
    init(
        _ program: borrowing ShaderProgram, _ effects: [Effect?], firstSlot: Int, firstUnit: Int
    ) throws(GLError) {
        time = program.uniformIfUsed("time")
        frameNumber = program.uniformIfUsed("frameNumber")
        resolution = program.uniformIfUsed("resolution")
        pictureSize = program.uniformIfUsed("pictureSize")
        mouse = program.uniformIfUsed("mouse")
        hasPrevious = program.uniformIfUsed("vitrail_hasPrevious")
        lumaOfPlanes = program.uniformIfUsed("vitrail_lumaOfPlanes")
        self.firstSlot = firstSlot
        shadertoy = effects.contains { $0?.dialect == .shadertoy } ? ShadertoyUniforms(program) : nil
        program.uniformIfUsed("vitrail_source").set(Self.source)
        program.uniformIfUsed("vitrail_previous").set(Self.previous)
        program.uniformIfUsed("vitrail_planes").set(Self.planes)
        var unit = firstUnit
        func add(_ input: Input, _ sampler: String) throws(GLError) {
            guard unit <= Self.lastUnit else {
                throw GLError(.driver, "the effects read more than \(Self.lastUnit + 1 - firstUnit) textures")
            }
            program.uniformIfUsed(sampler).set(unit)
            inputs.append((unit, input))
            unit += 1
        }
        for (index, effect) in effects.enumerated() {
            let slot = firstSlot + index
            guard let effect else {
                parameters.append([])
                continue
            }
            parameters.append(
                effect.parameters.map { program.uniformIfUsed(EffectShader.uniform($0.name, slot: slot)) })
            for (pass, description) in effect.passes.enumerated() { try add(.pass(pass), description.name) }
            for (texture, description) in effect.textures.enumerated() {
                try add(
                    .texture(slot: slot, index: texture), EffectShader.uniform(description.name, slot: slot))
            }
            for (parameter, description) in effect.parameters.enumerated() {
                switch description.kind {
                case .tile: try add(.tile(parameter: parameter), EffectShader.tileSampler(description.name))
                case .lut:
                    let names = EffectShader.tableUniforms(description.name, slot: slot)
                    try add(.table(slot: slot, parameter: parameter), names.sampler)
                    tables[.table(slot: slot, parameter: parameter)] = (
                        program.uniformIfUsed(names.shape), program.uniformIfUsed(names.lowest),
                        program.uniformIfUsed(names.highest)
                    )
                default: break
                }
            }
        }
    }

    /// Sets all uniforms of the current program.
    ///
    /// **Cost:** every frame; nothing is allocated.
    func set(_ steps: EffectSteps, _ state: EffectState, target: VideoSize) {
        shadertoy?.set(state)
        time.set(state.inputs.time)
        frameNumber.set(state.frameNumber)
        resolution.set(SIMD2(Float(target.width), Float(target.height)))
        pictureSize.set(SIMD2(Float(state.size.width), Float(state.size.height)))
        mouse.set(state.inputs.mouse)
        hasPrevious.set(state.hasPrevious ? 1 : 0)
        lumaOfPlanes.set(state.lumaOfPlanes)
        for index in parameters.indices {
            guard let step = steps[firstSlot + index] else { continue }
            for parameter in parameters[index].indices {
                set(step.values[parameter], parameters[index][parameter])
            }
        }
        for index in inputs.indices {
            guard case .table(let slot, let parameter) = inputs[index].input,
                let uniforms = tables[inputs[index].input],
                let step = steps[slot], case .lut(let table) = step.values[parameter]
            else { continue }
            let width = table.map { EffectImages.width($0) } ?? 1
            uniforms.shape.set(x: table?.size ?? 0, y: table?.isCube == true ? 1 : 0, z: width)
            uniforms.lowest.set(table?.lowest ?? .zero)
            uniforms.highest.set(table?.highest ?? .one)
        }
    }

    private func set(_ value: EffectValue, _ uniform: Uniform) {
        switch value {
        case .float(let number): uniform.set(number)
        case .int(let number), .choice(let number): uniform.set(number)
        case .bool(let isOn): uniform.set(isOn ? 1 : 0)
        case .color(let color): uniform.set(color)
        case .point(let point): uniform.set(point)
        case .tile, .lut: break
        }
    }
}
