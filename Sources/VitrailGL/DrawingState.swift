@preconcurrency import CVitrailEpoxy

/// The state of a context that drawing changes, saved so that it can be restored for a host that draws with it, too.
///
/// The results of queries that the host has begun, such as samples or time, include what is drawn meanwhile.
///
/// **Thread:** render thread, with the context current. **Cost:** two to three hundred calls each way.
public struct DrawingState {
    private struct DrawBuffer {
        var isBlended = false
        var mask = SIMD4<GLint>.zero
        /// Source and destination for colours, then for alpha.
        var function = SIMD4<GLint>.zero
        /// For colours, then for alpha.
        var equation = SIMD2<GLint>.zero
    }

    private struct Viewport {
        var area = SIMD4<GLfloat>.zero
        var scissor = SIMD4<GLint>.zero
        var isScissored = false
    }

    private let tables: StateTables
    // The values for the capabilities, the pixel storage modes and the clamps in `tables`, at the same indices.
    private var enabled = InlineArray<32, Bool>(repeating: false)
    private var stored = InlineArray<12, GLint>(repeating: 0)
    private var clamps = InlineArray<3, GLint>(repeating: 0)
    private var drawBuffers = InlineArray<16, DrawBuffer>(repeating: DrawBuffer())
    private var viewports = InlineArray<16, Viewport>(repeating: Viewport())
    /// The texture and the sampler that are bound to each unit.
    private var textures = InlineArray<16, (texture: GLint, sampler: GLint)>(repeating: (0, 0))
    private let pixelBuffers: (unpack: GLint, pack: GLint)
    private let clearColor: SIMD4<GLfloat>
    /// `nil` for OpenGL ES, which always fills polygons, and where shaders set the size of points.
    private let polygons: (mode: GLint, pointSize: GLfloat)?
    private let program: GLint
    private let vertexArray: GLint
    private let framebuffers: (draw: GLint, read: GLint)
    private let activeUnit: GLint
    /// The origin and depth mode of clip space; `nil` if the driver has no choice.
    private let clipControl: (origin: GLint, depth: GLint)?
    private let hasRunningFeedback: Bool
    private let previous: CurrentContext

    /// Makes a context current, and saves its state and which context was current before.
    ///
    /// - Throws: ``GLError/Code/notCurrent``, or ``GLError/Code/hostState`` while the host renders conditionally, which
    ///   could be ended but not begun again.
    public init(_ context: GLContext) throws(GLError) {
        let previous = CurrentContext()
        try context.use()
        self.previous = previous
        context.clearErrors()
        guard !context.isConditional else {
            previous.restore()
            throw GLError(
                .hostState,
                "The host's conditional rendering would discard what is drawn: call glEndConditionalRender before.")
        }
        tables = context.tables
        hasRunningFeedback = context.hasRunningFeedback
        activeUnit = Self.integer(GL_ACTIVE_TEXTURE)
        clearColor = Self.floats(GL_COLOR_CLEAR_VALUE)
        // Old drivers return two numbers, front and back.
        polygons = context.information.isES ? nil : (Self.integer(GL_POLYGON_MODE), Self.floats(GL_POINT_SIZE)[0])
        pixelBuffers = (Self.integer(GL_PIXEL_UNPACK_BUFFER_BINDING), Self.integer(GL_PIXEL_PACK_BUFFER_BINDING))
        program = Self.integer(GL_CURRENT_PROGRAM)
        vertexArray = Self.integer(GL_VERTEX_ARRAY_BINDING)
        clipControl =
            context.information.hasClipControl
            ? (Self.integer(GL_CLIP_ORIGIN), Self.integer(GL_CLIP_DEPTH_MODE)) : nil
        framebuffers = (Self.integer(GL_DRAW_FRAMEBUFFER_BINDING), Self.integer(GL_READ_FRAMEBUFFER_BINDING))
        // By index: without optimisation, an array's iterator allocates.
        for index in tables.capabilities.indices { enabled[index] = epoxy_glIsEnabled(tables.capabilities[index]) != 0 }
        for index in tables.pixelStore.indices {
            stored[index] = Self.integer(Int32(tables.pixelStore[index].parameter))
        }
        for index in tables.clamps.indices { clamps[index] = Self.integer(Int32(tables.clamps[index])) }
        for index in textures.indices {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            textures[index] = (Self.integer(GL_TEXTURE_BINDING_2D), Self.integer(GL_SAMPLER_BINDING))
        }
        epoxy_glActiveTexture(GLenum(activeUnit))
        saveDrawBuffers()
        saveViewports()
    }

    private mutating func saveDrawBuffers() {
        if tables.hasIndexedMasks {
            for index in 0..<tables.drawBuffers {
                drawBuffers[index].isBlended = epoxy_glIsEnabledi(GLenum(GL_BLEND), GLuint(index)) != 0
                drawBuffers[index].mask = Self.integers(GL_COLOR_WRITEMASK, of: index)
            }
        } else {
            drawBuffers[0].mask = Self.integers(GL_COLOR_WRITEMASK)
        }
        for index in 0..<(tables.hasIndexedFunctions ? tables.drawBuffers : 1) {
            let number = tables.hasIndexedFunctions ? index : nil
            func value(_ parameter: Int32) -> GLint { Self.integers(parameter, of: number)[0] }
            drawBuffers[index].function = SIMD4(
                value(GL_BLEND_SRC_RGB), value(GL_BLEND_DST_RGB), value(GL_BLEND_SRC_ALPHA), value(GL_BLEND_DST_ALPHA))
            drawBuffers[index].equation = SIMD2(value(GL_BLEND_EQUATION_RGB), value(GL_BLEND_EQUATION_ALPHA))
        }
    }

    private mutating func saveViewports() {
        guard tables.viewports > 1 else {
            viewports[0].area = Self.floats(GL_VIEWPORT)
            viewports[0].scissor = Self.integers(GL_SCISSOR_BOX)
            return
        }
        for index in 0..<tables.viewports {
            withUnsafeMutableBytes(of: &viewports[index].area) {
                epoxy_glGetFloati_v(
                    GLenum(GL_VIEWPORT), GLuint(index), $0.baseAddress?.assumingMemoryBound(to: GLfloat.self))
            }
            viewports[index].scissor = Self.integers(GL_SCISSOR_BOX, of: index)
            viewports[index].isScissored = epoxy_glIsEnabledi(GLenum(GL_SCISSOR_TEST), GLuint(index)) != 0
        }
    }

    /// Restores the state, and makes the previous context current again.
    public func restore() {
        for index in tables.capabilities.indices {
            enabled[index] ? epoxy_glEnable(tables.capabilities[index]) : epoxy_glDisable(tables.capabilities[index])
        }
        for index in tables.pixelStore.indices {
            epoxy_glPixelStorei(tables.pixelStore[index].parameter, stored[index])
        }
        for index in tables.clamps.indices { epoxy_glClampColor(tables.clamps[index], GLenum(clamps[index])) }
        epoxy_glBindBuffer(GLenum(GL_PIXEL_UNPACK_BUFFER), GLuint(pixelBuffers.unpack))
        epoxy_glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), GLuint(pixelBuffers.pack))
        for index in textures.indices {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), GLuint(textures[index].texture))
            epoxy_glBindSampler(GLuint(index), GLuint(textures[index].sampler))
        }
        epoxy_glActiveTexture(GLenum(activeUnit))
        epoxy_glClearColor(clearColor[0], clearColor[1], clearColor[2], clearColor[3])
        if let polygons {
            epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(polygons.mode))
            epoxy_glPointSize(polygons.pointSize)
        }
        if let clipControl { epoxy_glClipControl(GLenum(clipControl.origin), GLenum(clipControl.depth)) }
        restoreMasks()
        restoreBlending()
        restoreViewports()
        epoxy_glUseProgram(GLuint(program))
        epoxy_glBindVertexArray(GLuint(vertexArray))
        epoxy_glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), GLuint(framebuffers.draw))
        epoxy_glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), GLuint(framebuffers.read))
        // Transform feedback can be resumed only while its own program is in use.
        if hasRunningFeedback { epoxy_glResumeTransformFeedback() }
        previous.restore()
    }

    private func restoreMasks() {
        for index in 0..<(tables.hasIndexedMasks ? tables.drawBuffers : 1) {
            let (number, mask) = (GLuint(index), drawBuffers[index].mask)
            let (red, green) = (GLboolean(mask[0]), GLboolean(mask[1]))
            let (blue, alpha) = (GLboolean(mask[2]), GLboolean(mask[3]))
            // Where blending is not enabled per draw buffer, it was restored with the capabilities.
            guard tables.hasIndexedMasks else { return epoxy_glColorMask(red, green, blue, alpha) }
            drawBuffers[index].isBlended
                ? epoxy_glEnablei(GLenum(GL_BLEND), number) : epoxy_glDisablei(GLenum(GL_BLEND), number)
            epoxy_glColorMaski(number, red, green, blue, alpha)
        }
    }

    private func restoreBlending() {
        for index in 0..<(tables.hasIndexedFunctions ? tables.drawBuffers : 1) {
            let (number, function) = (GLuint(index), drawBuffers[index].function)
            let (source, destination) = (GLenum(function[0]), GLenum(function[1]))
            let (sourceAlpha, destinationAlpha) = (GLenum(function[2]), GLenum(function[3]))
            let equation = (
                color: GLenum(drawBuffers[index].equation[0]), alpha: GLenum(drawBuffers[index].equation[1])
            )
            if tables.hasIndexedFunctions {
                epoxy_glBlendFuncSeparatei(number, source, destination, sourceAlpha, destinationAlpha)
            } else {
                epoxy_glBlendFuncSeparate(source, destination, sourceAlpha, destinationAlpha)
            }
            // Advanced blend equations can only be set for colour and alpha together.
            switch (tables.hasIndexedFunctions, equation.color == equation.alpha) {
            case (true, true): epoxy_glBlendEquationi(number, equation.color)
            case (true, false): epoxy_glBlendEquationSeparatei(number, equation.color, equation.alpha)
            case (false, true): epoxy_glBlendEquation(equation.color)
            case (false, false): epoxy_glBlendEquationSeparate(equation.color, equation.alpha)
            }
        }
    }

    private func restoreViewports() {
        guard tables.viewports > 1 else {
            let (area, scissor) = (viewports[0].area, viewports[0].scissor)
            epoxy_glViewport(GLint(area[0]), GLint(area[1]), GLsizei(area[2]), GLsizei(area[3]))
            return epoxy_glScissor(scissor[0], scissor[1], scissor[2], scissor[3])
        }
        for index in 0..<tables.viewports {
            let (area, scissor, number) = (viewports[index].area, viewports[index].scissor, GLuint(index))
            epoxy_glViewportIndexedf(number, area[0], area[1], area[2], area[3])
            epoxy_glScissorIndexed(number, scissor[0], scissor[1], scissor[2], scissor[3])
            viewports[index].isScissored
                ? epoxy_glEnablei(GLenum(GL_SCISSOR_TEST), number) : epoxy_glDisablei(GLenum(GL_SCISSOR_TEST), number)
        }
    }

    private static func integer(_ parameter: Int32) -> GLint { integers(parameter)[0] }

    /// At most four numbers, zeros after the last one; of a draw buffer or a viewport if there is an index.
    private static func integers(_ parameter: Int32, of index: Int? = nil) -> SIMD4<GLint> {
        var values = SIMD4<GLint>.zero
        withUnsafeMutableBytes(of: &values) {
            let numbers = $0.baseAddress?.assumingMemoryBound(to: GLint.self)
            if let index {
                epoxy_glGetIntegeri_v(GLenum(parameter), GLuint(index), numbers)
            } else {
                epoxy_glGetIntegerv(GLenum(parameter), numbers)
            }
        }
        return values
    }

    /// At most four numbers.
    private static func floats(_ parameter: Int32) -> SIMD4<GLfloat> {
        var values = SIMD4<GLfloat>.zero
        withUnsafeMutableBytes(of: &values) {
            epoxy_glGetFloatv(GLenum(parameter), $0.baseAddress?.assumingMemoryBound(to: GLfloat.self))
        }
        return values
    }
}
