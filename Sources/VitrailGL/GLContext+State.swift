@preconcurrency import CVitrailEpoxy

/// The state that drawing depends on, in a context shared with other code.
///
/// **Thread:** render thread, with the context current.
extension GLContext {
    /// Sets all state that uploads, drawing and read-back depend on, whatever its present values, and clears the errors
    /// of other code.
    ///
    /// **Cost:** every frame; some thirty calls that do not reach the GPU.
    public func prepareForDrawing() {
        assertCurrent()
        forgetErrors()
        // By index: in debug builds an array's iterator allocates.
        let (capabilities, buffers, store) = (
            DrawingState.capabilities, DrawingState.pixelBuffers, DrawingState.pixelStore
        )
        for index in capabilities.indices { epoxy_glDisable(GLenum(capabilities[index])) }
        epoxy_glColorMask(GLboolean(GL_TRUE), GLboolean(GL_TRUE), GLboolean(GL_TRUE), GLboolean(GL_TRUE))
        epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(GL_FILL))
        epoxy_glBlendEquation(GLenum(GL_FUNC_ADD))
        for index in buffers.indices { epoxy_glBindBuffer(GLenum(buffers[index].0), 0) }
        for index in store.indices { epoxy_glPixelStorei(GLenum(store[index].0), store[index].1) }
    }
}

/// The state of a context that drawing changes, saved so that it can be restored for a host that draws with it, too.
///
/// **Thread:** render thread, with the context current. **Cost:** about a hundred calls each way, some short arrays.
public struct DrawingState {
    /// Capabilities that are disabled for drawing.
    static let capabilities = [
        GL_SCISSOR_TEST, GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_COLOR_LOGIC_OP,
        GL_RASTERIZER_DISCARD,
        GL_FRAMEBUFFER_SRGB, GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_SAMPLE_MASK, GL_PRIMITIVE_RESTART,
    ]
    static let pixelBuffers = [
        (GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING), (GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING),
    ]
    /// The pixel storage modes, and the values that we expect.
    static let pixelStore: [(Int32, GLint)] = [
        (GL_UNPACK_SWAP_BYTES, 0), (GL_UNPACK_LSB_FIRST, 0), (GL_UNPACK_ROW_LENGTH, 0), (GL_UNPACK_SKIP_ROWS, 0),
        (GL_UNPACK_SKIP_PIXELS, 0), (GL_UNPACK_ALIGNMENT, 1), (GL_PACK_SWAP_BYTES, 0), (GL_PACK_LSB_FIRST, 0),
        (GL_PACK_ROW_LENGTH, 0), (GL_PACK_SKIP_ROWS, 0), (GL_PACK_SKIP_PIXELS, 0), (GL_PACK_ALIGNMENT, 1),
    ]
    /// The texture units that planes are bound to, and the one for uploads.
    static let units = [0, 1, 2, 3, 15]

    private var enabled: [Bool]
    private var stored: [GLint]
    private var buffers: [GLint]
    private var textures: [(texture: GLint, sampler: GLint)]
    private var viewport: [GLint]
    private var scissor: [GLint]
    private var clearColor: [GLfloat]
    private var colorMask: [GLboolean]
    private var blendFunction: [GLint]
    private var blendEquation: [GLint]
    private let polygonMode: GLint
    private let program: GLint
    private let vertexArray: GLint
    private let framebuffers: (draw: GLint, read: GLint)
    private let activeUnit: GLint

    /// Saves the state of the current context.
    public init() {
        enabled = Self.capabilities.map { epoxy_glIsEnabled(GLenum($0)) != 0 }
        stored = Self.pixelStore.map { Self.integer($0.0) }
        buffers = Self.pixelBuffers.map { Self.integer($0.1) }
        activeUnit = Self.integer(GL_ACTIVE_TEXTURE)
        textures = Self.units.map { unit in
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
            return (Self.integer(GL_TEXTURE_BINDING_2D), Self.integer(GL_SAMPLER_BINDING))
        }
        epoxy_glActiveTexture(GLenum(activeUnit))
        viewport = Self.integers(GL_VIEWPORT, 4)
        scissor = Self.integers(GL_SCISSOR_BOX, 4)
        clearColor = [0, 0, 0, 0]
        epoxy_glGetFloatv(GLenum(GL_COLOR_CLEAR_VALUE), &clearColor)
        colorMask = [0, 0, 0, 0]
        epoxy_glGetBooleanv(GLenum(GL_COLOR_WRITEMASK), &colorMask)
        blendFunction = [GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA, GL_BLEND_DST_ALPHA].map(Self.integer)
        blendEquation = [GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA].map(Self.integer)
        // Old drivers return two numbers, front and back.
        polygonMode = Self.integers(GL_POLYGON_MODE, 2)[0]
        program = Self.integer(GL_CURRENT_PROGRAM)
        vertexArray = Self.integer(GL_VERTEX_ARRAY_BINDING)
        framebuffers = (Self.integer(GL_DRAW_FRAMEBUFFER_BINDING), Self.integer(GL_READ_FRAMEBUFFER_BINDING))
    }

    /// Restores the state.
    public func restore() {
        for (capability, isOn) in zip(Self.capabilities, enabled) {
            isOn ? epoxy_glEnable(GLenum(capability)) : epoxy_glDisable(GLenum(capability))
        }
        for ((parameter, _), value) in zip(Self.pixelStore, stored) { epoxy_glPixelStorei(GLenum(parameter), value) }
        for ((buffer, _), name) in zip(Self.pixelBuffers, buffers) { epoxy_glBindBuffer(GLenum(buffer), GLuint(name)) }
        for (unit, binding) in zip(Self.units, textures) {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), GLuint(binding.texture))
            epoxy_glBindSampler(GLuint(unit), GLuint(binding.sampler))
        }
        epoxy_glActiveTexture(GLenum(activeUnit))
        epoxy_glViewport(viewport[0], viewport[1], viewport[2], viewport[3])
        epoxy_glScissor(scissor[0], scissor[1], scissor[2], scissor[3])
        epoxy_glClearColor(clearColor[0], clearColor[1], clearColor[2], clearColor[3])
        epoxy_glColorMask(colorMask[0], colorMask[1], colorMask[2], colorMask[3])
        epoxy_glBlendFuncSeparate(
            GLenum(blendFunction[0]), GLenum(blendFunction[1]), GLenum(blendFunction[2]), GLenum(blendFunction[3]))
        epoxy_glBlendEquationSeparate(GLenum(blendEquation[0]), GLenum(blendEquation[1]))
        epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(polygonMode))
        epoxy_glUseProgram(GLuint(program))
        epoxy_glBindVertexArray(GLuint(vertexArray))
        epoxy_glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), GLuint(framebuffers.draw))
        epoxy_glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), GLuint(framebuffers.read))
    }

    private static func integer(_ parameter: Int32) -> GLint { integers(parameter, 1)[0] }

    private static func integers(_ parameter: Int32, _ count: Int) -> [GLint] {
        var values = [GLint](repeating: 0, count: count)
        epoxy_glGetIntegerv(GLenum(parameter), &values)
        return values
    }
}
