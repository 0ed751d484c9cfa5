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
        clearErrors()
        // By index: in debug builds an array's iterator allocates.
        let (capabilities, buffers, store) = (
            DrawingState.capabilities, DrawingState.pixelBuffers, DrawingState.pixelStore
        )
        let counts = DrawingState.counts(information)
        for index in 0..<counts.capabilities { epoxy_glDisable(GLenum(capabilities[index])) }
        epoxy_glColorMask(GLboolean(GL_TRUE), GLboolean(GL_TRUE), GLboolean(GL_TRUE), GLboolean(GL_TRUE))
        if !information.isES { epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(GL_FILL)) }
        epoxy_glBlendEquation(GLenum(GL_FUNC_ADD))
        for index in buffers.indices { epoxy_glBindBuffer(GLenum(buffers[index].0), 0) }
        for index in 0..<counts.store { epoxy_glPixelStorei(GLenum(store[index].0), store[index].1) }
        if information.hasClipControl { epoxy_glClipControl(GLenum(GL_LOWER_LEFT), GLenum(GL_NEGATIVE_ONE_TO_ONE)) }
        // Uploads bind to the active unit, which must be one that is saved.
        epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + 15)
    }
}

/// The state of a context that drawing changes, saved so that it can be restored for a host that draws with it, too.
///
/// **Thread:** render thread, with the context current. **Cost:** some hundred calls each way.
public struct DrawingState {
    /// Capabilities that are disabled for drawing; those that OpenGL ES 3.0 has come first.
    static let capabilities = [
        GL_SCISSOR_TEST, GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_RASTERIZER_DISCARD,
        GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_DITHER,
        GL_COLOR_LOGIC_OP, GL_FRAMEBUFFER_SRGB, GL_SAMPLE_MASK, GL_PRIMITIVE_RESTART,
        GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE1, GL_CLIP_DISTANCE2, GL_CLIP_DISTANCE3,
        GL_CLIP_DISTANCE4, GL_CLIP_DISTANCE5, GL_CLIP_DISTANCE6, GL_CLIP_DISTANCE7,
    ]
    static let pixelBuffers = [
        (GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING), (GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING),
    ]
    /// The pixel storage modes, and the values that we expect; those that OpenGL ES 3.0 has come first.
    static let pixelStore: [(Int32, GLint)] = [
        (GL_UNPACK_ROW_LENGTH, 0), (GL_UNPACK_SKIP_ROWS, 0), (GL_UNPACK_SKIP_PIXELS, 0), (GL_UNPACK_ALIGNMENT, 1),
        (GL_PACK_ROW_LENGTH, 0), (GL_PACK_SKIP_ROWS, 0), (GL_PACK_SKIP_PIXELS, 0), (GL_PACK_ALIGNMENT, 1),
        (GL_UNPACK_SWAP_BYTES, 0), (GL_UNPACK_LSB_FIRST, 0), (GL_PACK_SWAP_BYTES, 0), (GL_PACK_LSB_FIRST, 0),
    ]

    /// How many of both a driver has.
    static func counts(_ information: GLInformation) -> (capabilities: Int, store: Int) {
        information.isES ? (9, 8) : (capabilities.count, pixelStore.count)
    }

    // Of the tables above, index by index.
    private var enabled = InlineArray<21, Bool>(repeating: false)
    private var stored = InlineArray<12, GLint>(repeating: 0)
    private var buffers = InlineArray<2, GLint>(repeating: 0)
    /// Of the units that every driver has.
    private var textures = InlineArray<16, (texture: GLint, sampler: GLint)>(repeating: (0, 0))
    private let viewport: SIMD4<GLint>
    private let scissor: SIMD4<GLint>
    private var clearColor = SIMD4<GLfloat>.zero
    private var colorMask = SIMD4<GLboolean>.zero
    private let blendFunction: SIMD4<GLint>
    private let blendEquation: (color: GLint, alpha: GLint)
    /// `nil` for OpenGL ES, which only fills.
    private let polygonMode: GLint?
    private let counts: (capabilities: Int, store: Int)
    private let program: GLint
    private let vertexArray: GLint
    private let framebuffers: (draw: GLint, read: GLint)
    private let activeUnit: GLint
    /// The origin and depth mode of clip space; `nil` if the driver has no choice.
    private let clipControl: (origin: GLint, depth: GLint)?
    private let previous: CurrentContext

    /// Makes a context current, and saves its state and which context was current before.
    ///
    /// - Throws: ``GLError/Code/notCurrent``.
    public init(_ context: GLContext) throws(GLError) {
        let previous = CurrentContext()
        try context.use()
        self.previous = previous
        // By index: without optimisation, an array's iterator allocates.
        counts = Self.counts(context.information)
        for index in 0..<counts.capabilities {
            enabled[index] = epoxy_glIsEnabled(GLenum(Self.capabilities[index])) != 0
        }
        for index in 0..<counts.store { stored[index] = Self.integer(Self.pixelStore[index].0) }
        for index in buffers.indices { buffers[index] = Self.integer(Self.pixelBuffers[index].1) }
        activeUnit = Self.integer(GL_ACTIVE_TEXTURE)
        for index in textures.indices {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            textures[index] = (Self.integer(GL_TEXTURE_BINDING_2D), Self.integer(GL_SAMPLER_BINDING))
        }
        epoxy_glActiveTexture(GLenum(activeUnit))
        viewport = Self.integers(GL_VIEWPORT)
        scissor = Self.integers(GL_SCISSOR_BOX)
        withUnsafeMutableBytes(of: &clearColor) {
            epoxy_glGetFloatv(GLenum(GL_COLOR_CLEAR_VALUE), $0.baseAddress?.assumingMemoryBound(to: GLfloat.self))
        }
        withUnsafeMutableBytes(of: &colorMask) {
            epoxy_glGetBooleanv(GLenum(GL_COLOR_WRITEMASK), $0.baseAddress?.assumingMemoryBound(to: GLboolean.self))
        }
        blendFunction = SIMD4(
            Self.integer(GL_BLEND_SRC_RGB), Self.integer(GL_BLEND_DST_RGB), Self.integer(GL_BLEND_SRC_ALPHA),
            Self.integer(GL_BLEND_DST_ALPHA))
        blendEquation = (Self.integer(GL_BLEND_EQUATION_RGB), Self.integer(GL_BLEND_EQUATION_ALPHA))
        // Old drivers return two numbers, front and back.
        polygonMode = context.information.isES ? nil : Self.integer(GL_POLYGON_MODE)
        program = Self.integer(GL_CURRENT_PROGRAM)
        vertexArray = Self.integer(GL_VERTEX_ARRAY_BINDING)
        clipControl =
            context.information.hasClipControl
            ? (Self.integer(GL_CLIP_ORIGIN), Self.integer(GL_CLIP_DEPTH_MODE)) : nil
        framebuffers = (Self.integer(GL_DRAW_FRAMEBUFFER_BINDING), Self.integer(GL_READ_FRAMEBUFFER_BINDING))
    }

    /// Restores the state, and makes the context current that was before.
    public func restore() {
        for index in 0..<counts.capabilities {
            let capability = GLenum(Self.capabilities[index])
            enabled[index] ? epoxy_glEnable(capability) : epoxy_glDisable(capability)
        }
        for index in 0..<counts.store { epoxy_glPixelStorei(GLenum(Self.pixelStore[index].0), stored[index]) }
        for index in buffers.indices { epoxy_glBindBuffer(GLenum(Self.pixelBuffers[index].0), GLuint(buffers[index])) }
        for index in textures.indices {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), GLuint(textures[index].texture))
            epoxy_glBindSampler(GLuint(index), GLuint(textures[index].sampler))
        }
        epoxy_glActiveTexture(GLenum(activeUnit))
        epoxy_glViewport(viewport[0], viewport[1], viewport[2], viewport[3])
        epoxy_glScissor(scissor[0], scissor[1], scissor[2], scissor[3])
        epoxy_glClearColor(clearColor[0], clearColor[1], clearColor[2], clearColor[3])
        epoxy_glColorMask(colorMask[0], colorMask[1], colorMask[2], colorMask[3])
        epoxy_glBlendFuncSeparate(
            GLenum(blendFunction[0]), GLenum(blendFunction[1]), GLenum(blendFunction[2]), GLenum(blendFunction[3]))
        epoxy_glBlendEquationSeparate(GLenum(blendEquation.color), GLenum(blendEquation.alpha))
        if let polygonMode { epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(polygonMode)) }
        if let clipControl { epoxy_glClipControl(GLenum(clipControl.origin), GLenum(clipControl.depth)) }
        epoxy_glUseProgram(GLuint(program))
        epoxy_glBindVertexArray(GLuint(vertexArray))
        epoxy_glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), GLuint(framebuffers.draw))
        epoxy_glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), GLuint(framebuffers.read))
        previous.restore()
    }

    private static func integer(_ parameter: Int32) -> GLint { integers(parameter)[0] }

    /// At most four numbers, zeros after the last one.
    private static func integers(_ parameter: Int32) -> SIMD4<GLint> {
        var values = SIMD4<GLint>.zero
        withUnsafeMutableBytes(of: &values) {
            epoxy_glGetIntegerv(GLenum(parameter), $0.baseAddress?.assumingMemoryBound(to: GLint.self))
        }
        return values
    }
}
