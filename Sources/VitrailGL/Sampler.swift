@preconcurrency import CVitrailEpoxy

/// How textures are sampled; beyond their edges, they have the texels at the edge.
public struct Sampler: ~Copyable {
    /// How the texels around a position are combined.
    public enum Filter: Sendable {
        /// The nearest texel.
        case nearest
        /// The four nearest, weighted; correct up to half a texel beyond the edges.
        case linear
        /// The four nearest, weighted, at any position; Mesa's software drivers weight 8-bit texels coarsely.
        case clampedLinear
        /// The nearest texel of a texture that repeats beyond its edges.
        case repeatedNearest
        /// The four nearest, weighted, of a texture that repeats beyond its edges.
        case repeatedLinear

        fileprivate var isNearest: Bool { self == .nearest || self == .repeatedNearest }

        // Up to half a texel beyond an edge, mirroring and clamping are equivalent. But Mesa's software drivers weight
        // 8-bit texels in 8 bits if both directions clamp (errors up to 1.1 code values), in floats if one mirrors.
        fileprivate var wrap: (x: Int32, y: Int32) {
            switch self {
            case .nearest, .clampedLinear: (GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE)
            case .linear: (GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE)
            case .repeatedNearest, .repeatedLinear: (GL_REPEAT, GL_REPEAT)
            }
        }
    }

    private let context: GLContext
    let name: GLuint

    /// Creates a sampler.
    ///
    /// **Cost:** rare.
    public init(_ context: GLContext, _ filter: Filter) throws(GLError) {
        // Errors that are pending here have another cause.
        context.clearErrors()
        var name: GLuint = 0
        epoxy_glGenSamplers(1, &name)
        let (texels, wrap) = (GLint(filter.isNearest ? GL_NEAREST : GL_LINEAR), filter.wrap)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), texels)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), texels)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), GLint(wrap.x))
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), GLint(wrap.y))
        try context.check("Making a sampler")
        self.context = context
        self.name = name
    }

    deinit {
        context.delete(.sampler, name)
    }
}
