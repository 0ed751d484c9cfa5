@preconcurrency import CVitrailEpoxy
import Testing

/// State that hosts leave behind, all of which has spoilt pictures.
struct HostHabit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether drawing puts it back.
    let isRestored: Bool
    let set: @Sendable () -> Void

    init(_ name: String, isRestored: Bool = true, _ set: @escaping @Sendable () -> Void) {
        testDescription = name
        self.isRestored = isRestored
        self.set = set
    }

    static let all: [HostHabit] = [
        HostHabit("scissor") {
            epoxy_glEnable(GLenum(GL_SCISSOR_TEST))
            epoxy_glScissor(1, 1, 2, 2)
        },
        HostHabit("blending") {
            epoxy_glEnable(GLenum(GL_BLEND))
            epoxy_glBlendFunc(GLenum(GL_ZERO), GLenum(GL_ZERO))
        },
        HostHabit("blend equation") { epoxy_glBlendEquation(GLenum(GL_FUNC_REVERSE_SUBTRACT)) },
        HostHabit("colour mask") { epoxy_glColorMask(0, 1, 0, 1) },
        HostHabit("polygon mode") {
            guard !drawsWithES else { return }
            epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(GL_LINE))
        },
        HostHabit("culling") {
            epoxy_glEnable(GLenum(GL_CULL_FACE))
            epoxy_glCullFace(GLenum(GL_FRONT_AND_BACK))
        },
        HostHabit("rasterizer discard") { epoxy_glEnable(GLenum(GL_RASTERIZER_DISCARD)) },
        HostHabit("depth test") {
            epoxy_glEnable(GLenum(GL_DEPTH_TEST))
            epoxy_glDepthFunc(GLenum(GL_NEVER))
        },
        HostHabit("logic operation") {
            guard !drawsWithES else { return }
            epoxy_glEnable(GLenum(GL_COLOR_LOGIC_OP))
            epoxy_glLogicOp(GLenum(GL_CLEAR))
        },
        HostHabit("clip distances") {
            guard !drawsWithES else { return }
            for index in 0..<8 { epoxy_glEnable(GLenum(GL_CLIP_DISTANCE0) + GLenum(index)) }
        },
        HostHabit("unpack parameters") {
            epoxy_glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 8)
            epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 3)
            epoxy_glPixelStorei(GLenum(GL_UNPACK_SKIP_ROWS), 2)
            epoxy_glPixelStorei(GLenum(GL_UNPACK_SKIP_PIXELS), 1)
            if !drawsWithES { epoxy_glPixelStorei(GLenum(GL_UNPACK_SWAP_BYTES), 1) }
        },
        HostHabit("pack parameters") {
            epoxy_glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 8)
            epoxy_glPixelStorei(GLenum(GL_PACK_SKIP_PIXELS), 1)
        },
        HostHabit("pixel buffers") {
            var names: [GLuint] = [0, 0]
            epoxy_glGenBuffers(2, &names)
            for (target, name) in zip([GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_PACK_BUFFER], names) {
                epoxy_glBindBuffer(GLenum(target), name)
                epoxy_glBufferData(GLenum(target), 64, nil, GLenum(GL_STREAM_DRAW))
            }
        },
        HostHabit("a texture of another unit") {
            var name: GLuint = 0
            epoxy_glGenTextures(1, &name)
            epoxy_glActiveTexture(GLenum(GL_TEXTURE7))
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        },
        HostHabit("clip control") {
            guard !drawsWithES, epoxy_gl_version() >= 45 else { return }
            epoxy_glClipControl(GLenum(GL_UPPER_LEFT), GLenum(GL_ZERO_TO_ONE))
        },
        HostHabit("blending of each draw buffer") {
            guard hasDrawBuffers else { return }
            for index in 0..<4 as Range<GLuint> {
                if index > 0 { epoxy_glEnablei(GLenum(GL_BLEND), index) }
                epoxy_glColorMaski(index, GLboolean(index & 1), 1, GLboolean(index >> 1), 0)
                epoxy_glBlendFuncSeparatei(
                    index, GLenum(GL_ZERO), GLenum(GL_ONE), GLenum(GL_ONE), GLenum(GL_SRC_ALPHA) + index)
                epoxy_glBlendEquationSeparatei(index, GLenum(GL_MIN), GLenum(index & 1 == 0 ? GL_MIN : GL_MAX))
            }
        },
        HostHabit("viewports and scissors") {
            guard !drawsWithES, epoxy_gl_version() >= 41 else { return }
            for index in 0..<16 as Range<GLuint> {
                epoxy_glViewportIndexedf(index, Float(index) + 0.5, 1, 2, 3)
                epoxy_glScissorIndexed(index, GLint(index), 2, 3, 4)
                if index & 1 == 1 { epoxy_glEnablei(GLenum(GL_SCISSOR_TEST), index) }
            }
        },
        HostHabit("large points") {
            guard !drawsWithES else { return }
            epoxy_glPointSize(5)
            epoxy_glEnable(GLenum(GL_PROGRAM_POINT_SIZE))
        },
        HostHabit("smooth polygons, samples") {
            guard !drawsWithES else { return }
            for capability in [GL_POLYGON_SMOOTH, GL_SAMPLE_ALPHA_TO_ONE, GL_SAMPLE_MASK, GL_SAMPLE_SHADING] {
                epoxy_glEnable(GLenum(capability))
            }
        },
        HostHabit("clamped reading") {
            if !drawsWithES { epoxy_glClampColor(GLenum(GL_CLAMP_READ_COLOR), GLenum(GL_TRUE)) }
        },
        HostHabit("capture of vertices") { captureVertices() },
        HostHabit("conditional rendering", isRestored: false) { renderConditionally() },
        HostHabit("an error", isRestored: false) { epoxy_glEnable(0xDEAD) },
        HostHabit("several errors", isRestored: false) {
            epoxy_glEnable(0xDEAD)
            epoxy_glViewport(0, 0, -1, 1)
            epoxy_glUseProgram(123_456)
        },
    ]

    /// Whether blending is set for each draw buffer: not in OpenGL ES 3.0.
    static var hasDrawBuffers: Bool { epoxy_gl_version() >= (drawsWithES ? 32 : 40) }

    /// Begins a capture of vertices (transform feedback) that is not paused.
    private static func captureVertices() {
        var isActive: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_TRANSFORM_FEEDBACK_ACTIVE), &isActive)
        guard isActive == 0 else { return }
        let program = epoxy_glCreateProgram()
        let version = drawsWithES ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n"
        for (kind, text) in [
            (GL_VERTEX_SHADER, "out float value; void main() { value = 1.0; gl_Position = vec4(0.0); }"),
            (GL_FRAGMENT_SHADER, "out vec4 color; void main() { color = vec4(1.0); }"),
        ] {
            let shader = epoxy_glCreateShader(GLenum(kind))
            (version + text).withCString { text in
                var text: UnsafePointer<CChar>? = text
                epoxy_glShaderSource(shader, 1, &text, nil)
            }
            epoxy_glCompileShader(shader)
            epoxy_glAttachShader(program, shader)
        }
        "value".withCString { name in
            var name: UnsafePointer<CChar>? = name
            epoxy_glTransformFeedbackVaryings(program, 1, &name, GLenum(GL_INTERLEAVED_ATTRIBS))
        }
        epoxy_glLinkProgram(program)
        epoxy_glUseProgram(program)
        var buffer: GLuint = 0
        epoxy_glGenBuffers(1, &buffer)
        epoxy_glBindBufferBase(GLenum(GL_TRANSFORM_FEEDBACK_BUFFER), 0, buffer)
        epoxy_glBufferData(GLenum(GL_TRANSFORM_FEEDBACK_BUFFER), 64, nil, GLenum(GL_STREAM_COPY))
        epoxy_glBeginTransformFeedback(GLenum(GL_POINTS))
    }

    /// Begins to discard everything, since no sample has passed.
    static func renderConditionally() {
        guard !drawsWithES || epoxy_has_gl_extension("GL_NV_conditional_render") else { return }
        var query: GLuint = 0
        epoxy_glGenQueries(1, &query)
        epoxy_glBeginQuery(GLenum(GL_ANY_SAMPLES_PASSED), query)
        epoxy_glEndQuery(GLenum(GL_ANY_SAMPLES_PASSED))
        epoxy_glBeginConditionalRender(query, GLenum(GL_QUERY_WAIT))
    }

    /// All that can be asked for and that drawing might change.
    static func state() -> [[GLint]] {
        let parameters = [
            GL_SCISSOR_TEST, GL_SCISSOR_BOX, GL_BLEND, GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA,
            GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA, GL_COLOR_WRITEMASK,
            GL_CULL_FACE, GL_RASTERIZER_DISCARD, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_DITHER,
            GL_VIEWPORT, GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_DRAW_FRAMEBUFFER_BINDING,
            GL_READ_FRAMEBUFFER_BINDING, GL_ACTIVE_TEXTURE,
            GL_PIXEL_UNPACK_BUFFER_BINDING, GL_PIXEL_PACK_BUFFER_BINDING, GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH,
            GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS, GL_PACK_ALIGNMENT, GL_PACK_SKIP_PIXELS,
            GL_PACK_ROW_LENGTH, GL_COLOR_CLEAR_VALUE, GL_TRANSFORM_FEEDBACK_ACTIVE, GL_TRANSFORM_FEEDBACK_PAUSED,
        ]
        func values(_ parameters: [Int32]) -> [[GLint]] {
            parameters.map { parameter in
                var values = [GLint](repeating: 0, count: 4)
                epoxy_glGetIntegerv(GLenum(parameter), &values)
                return values
            }
        }
        let ofDesktop = [
            GL_POLYGON_MODE, GL_COLOR_LOGIC_OP, GL_FRAMEBUFFER_SRGB, GL_UNPACK_SWAP_BYTES, GL_CLIP_DISTANCE0,
            GL_CLIP_DISTANCE7, GL_POINT_SIZE, GL_PROGRAM_POINT_SIZE, GL_POLYGON_SMOOTH, GL_SAMPLE_ALPHA_TO_ONE,
            GL_SAMPLE_MASK, GL_SAMPLE_SHADING, GL_CLAMP_READ_COLOR,
        ]
        var all = values(parameters + (drawsWithES ? [] : ofDesktop))
        if !drawsWithES, epoxy_gl_version() >= 45 { all += values([GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE]) }
        let unit = values([GL_ACTIVE_TEXTURE])[0][0]
        for index in 0..<16 {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            all += values([GL_TEXTURE_BINDING_2D, GL_SAMPLER_BINDING])
        }
        epoxy_glActiveTexture(GLenum(unit))
        func values(of parameters: [Int32], _ index: GLuint) {
            for parameter in parameters {
                var values = [GLint](repeating: 0, count: 4)
                epoxy_glGetIntegeri_v(GLenum(parameter), index, &values)
                all.append(values)
            }
        }
        for index in 0..<4 as Range<GLuint> where hasDrawBuffers {
            let blending = [
                GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA, GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB,
                GL_BLEND_EQUATION_ALPHA,
            ]
            values(of: [GL_COLOR_WRITEMASK] + blending, index)
            all.append([GLint(epoxy_glIsEnabledi(GLenum(GL_BLEND), index))])
        }
        for index in 0..<16 as Range<GLuint> where !drawsWithES && epoxy_gl_version() >= 41 {
            values(of: [GL_SCISSOR_BOX], index)
            var viewport = [GLfloat](repeating: 0, count: 4)
            epoxy_glGetFloati_v(GLenum(GL_VIEWPORT), index, &viewport)
            all.append(viewport.map { GLint($0 * 2) })
            all.append([GLint(epoxy_glIsEnabledi(GLenum(GL_SCISSOR_TEST), index))])
        }
        return all
    }
}
