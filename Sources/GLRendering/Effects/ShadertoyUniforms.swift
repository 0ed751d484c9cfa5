import MediaIO
import VideoWall
import VitrailGL

/// The uniforms of `shadertoy.prelude.glsl`.
struct ShadertoyUniforms {
    private let resolution: Uniform
    private let time: Uniform
    private let frame: Uniform
    private let mouse: Uniform
    private let date: Uniform
    private let channelResolutions: InlineArray<4, Uniform>
    private let channelTimes: InlineArray<4, Uniform>

    init(_ program: borrowing ShaderProgram) {
        resolution = program.uniformIfUsed("iResolution")
        time = program.uniformIfUsed("iTime")
        frame = program.uniformIfUsed("iFrame")
        mouse = program.uniformIfUsed("iMouse")
        date = program.uniformIfUsed("iDate")
        func array(_ name: String) -> InlineArray<4, Uniform> {
            [
                program.uniformIfUsed("\(name)[0]"), program.uniformIfUsed("\(name)[1]"),
                program.uniformIfUsed("\(name)[2]"), program.uniformIfUsed("\(name)[3]"),
            ]
        }
        channelResolutions = array("iChannelResolution")
        channelTimes = array("iChannelTime")
    }

    /// Sets all of them in the current program.
    ///
    /// **Cost:** every frame; nothing is allocated.
    func set(_ state: EffectState) {
        let size = SIMD3(Float(state.size.width), Float(state.size.height), 1)
        let position = state.inputs.mouse
        resolution.set(size)
        time.set(state.inputs.time)
        frame.set(state.frameNumber)
        let isInside = position.x >= 0 && position.y >= 0
        let (x, y) = (position.x * size.x, (1 - position.y) * size.y)
        mouse.set(isInside ? SIMD4(x, y, x, y) : .zero)
        date.set(state.inputs.date)
        for index in 0..<4 {
            channelResolutions[index].set(size)
            channelTimes[index].set(state.inputs.time)
        }
    }
}
