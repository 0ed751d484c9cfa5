@preconcurrency import CVitrailEpoxy

/// The state of a driver that uploads, drawing and read-back depend on.
struct StateTables: Sendable {
    /// Room for the draw buffers and for the viewports that a driver may have; more are left as they are.
    static let maximumIndex = 16

    /// Capabilities that are disabled for drawing, at most 32.
    let capabilities: [GLenum]
    /// The pixel storage modes, at most 12, and the values that uploads and read-back expect.
    let pixelStore: [(parameter: GLenum, value: GLint)]
    /// The targets of `glClampColor` that the driver has, at most 3; for drawing, only fixed-point colours are clamped.
    let clamps: [GLenum]
    /// How many draw buffers a framebuffer has.
    let drawBuffers: Int
    /// Whether blending and the colour mask are set for each draw buffer.
    let hasIndexedMasks: Bool
    /// Whether the functions and equations of blending are set for each draw buffer, too.
    let hasIndexedFunctions: Bool
    /// How many viewports and scissor rectangles there are.
    let viewports: Int
    /// Whether transform feedback can be paused.
    let pausesFeedback: Bool
    /// Whether the conversion of colours that are drawn into sRGB-encoded targets can be switched off.
    let writesSRGBAsIs: Bool
    /// Whether `glBeginConditionalRender` can discard what is drawn.
    let hasConditions: Bool

    /// Asks the current context.
    ///
    /// - Parameters:
    ///   - isES: whether it is one of OpenGL ES.
    ///   - found: its version: 33 for 3.3.
    init(isES: Bool, version found: Int32) {
        func has(_ desktop: Int32, _ embedded: Int32?, _ extensions: String...) -> Bool {
            found >= (isES ? embedded ?? .max : desktop) || extensions.contains { epoxy_has_gl_extension($0) }
        }
        var profile: GLint = 0
        if !isES { epoxy_glGetIntegerv(GLenum(GL_CONTEXT_PROFILE_MASK), &profile) }
        let isCompatible = profile & GLint(GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0

        var names = [
            GL_SCISSOR_TEST, GL_BLEND, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_RASTERIZER_DISCARD,
            GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE, GL_DITHER,
        ]
        if has(33, 31) { names.append(GL_SAMPLE_MASK) }
        if has(40, 32, "GL_ARB_sample_shading", "GL_OES_sample_shading") { names.append(GL_SAMPLE_SHADING) }
        writesSRGBAsIs = has(33, nil, "GL_EXT_sRGB_write_control")
        if writesSRGBAsIs { names.append(GL_FRAMEBUFFER_SRGB) }
        if has(33, nil, "GL_EXT_multisample_compatibility") { names.append(GL_SAMPLE_ALPHA_TO_ONE) }
        if !isES { names += [GL_COLOR_LOGIC_OP, GL_PRIMITIVE_RESTART, GL_PROGRAM_POINT_SIZE, GL_POLYGON_SMOOTH] }
        if has(33, nil, "GL_EXT_clip_cull_distance", "GL_APPLE_clip_distance") {
            names += (0..<8).map { GL_CLIP_DISTANCE0 + $0 }
        }
        if isCompatible { names += [GL_ALPHA_TEST, GL_POINT_SMOOTH, GL_POLYGON_STIPPLE] }
        capabilities = names.map { GLenum($0) }

        let ofAll = [
            (GL_UNPACK_ROW_LENGTH, 0), (GL_UNPACK_SKIP_ROWS, 0), (GL_UNPACK_SKIP_PIXELS, 0), (GL_UNPACK_ALIGNMENT, 1),
            (GL_PACK_ROW_LENGTH, 0), (GL_PACK_SKIP_ROWS, 0), (GL_PACK_SKIP_PIXELS, 0), (GL_PACK_ALIGNMENT, 1),
        ]
        let ofDesktop = [
            (GL_UNPACK_SWAP_BYTES, 0), (GL_UNPACK_LSB_FIRST, 0), (GL_PACK_SWAP_BYTES, 0), (GL_PACK_LSB_FIRST, 0),
        ]
        pixelStore = (ofAll + (isES ? [] : ofDesktop)).map { (GLenum($0.0), GLint($0.1)) }
        let clampsOfOld = isCompatible ? [GL_CLAMP_FRAGMENT_COLOR, GL_CLAMP_VERTEX_COLOR] : []
        clamps = isES ? [] : ([GL_CLAMP_READ_COLOR] + clampsOfOld).map { GLenum($0) }

        func limit(_ parameter: Int32) -> Int {
            var value: GLint = 1
            epoxy_glGetIntegerv(GLenum(parameter), &value)
            return min(max(Int(value), 1), Self.maximumIndex)
        }
        drawBuffers = limit(GL_MAX_DRAW_BUFFERS)
        let indexed = ["GL_EXT_draw_buffers_indexed", "GL_OES_draw_buffers_indexed"]
        let hasIndexed = isES && (has(33, 32) || indexed.contains { epoxy_has_gl_extension($0) })
        hasIndexedMasks = !isES || hasIndexed
        hasIndexedFunctions = isES ? hasIndexed : has(40, nil, "GL_ARB_draw_buffers_blend")
        let hasViewports = has(41, nil, "GL_ARB_viewport_array", "GL_OES_viewport_array")
        viewports = hasViewports ? limit(GL_MAX_VIEWPORTS) : 1
        pausesFeedback = has(40, 30, "GL_ARB_transform_feedback2")
        hasConditions = has(33, nil, "GL_NV_conditional_render")
    }
}
