@preconcurrency import CVitrailEpoxy

/// The format of texels, on the GPU and in the memory that they are uploaded from or read into.
///
/// Components are unsigned and normalised, 0 to 1, except in the floating-point formats.
public enum TextureFormat: Hashable, Sendable {
    /// One 8-bit component.
    case r8
    /// Two 8-bit components.
    case rg8
    /// Three 8-bit components.
    case rgb8
    /// Four 8-bit components.
    case rgba8
    /// Four 8-bit components, with blue first in memory.
    case bgra8
    /// One 16-bit component.
    case r16
    /// Two 16-bit components.
    case rg16
    /// Four 16-bit components.
    case rgba16
    /// Four 16-bit floating-point components.
    case rgba16f
    /// Four 32-bit floating-point components.
    case rgba32f
    /// A 32-bit word: from the low bits R, G, B with 10 bits each, A with 2.
    case rgb10a2
    /// A 16-bit word: from the low bits B with 5 bits, G with 6, R with 5.
    case rgb565
    /// A 16-bit word: from the low bits B, G, R with 5 bits each, A with 1.
    case rgb5a1

    /// The bytes per texel in memory.
    public var bytesPerTexel: Int {
        switch self {
        case .r8: 1
        case .rg8, .r16, .rgb565, .rgb5a1: 2
        case .rgb8: 3
        case .rgba8, .bgra8, .rg16, .rgb10a2: 4
        case .rgba16, .rgba16f: 8
        case .rgba32f: 16
        }
    }

    /// Throws if a driver has no textures of this format.
    func check(_ information: GLInformation) throws(GLError) {
        guard information.isES else { return }
        switch self {
        case .r16, .rg16, .rgba16:
            guard !information.hasTextures16 else { return }
            throw GLError(
                .texture,
                "The driver (\(information.version)) has no textures with 16 bits a component (GL_EXT_texture_norm16): convert "
                    + "the frames to 8 bits.")
        case .rgb5a1:
            throw GLError(
                .texture,
                "OpenGL ES has no textures with 5 bits a component and red first: convert the frames to rgba32.")
        case .bgra8:
            guard !epoxy_has_gl_extension("GL_EXT_texture_format_BGRA8888") else { return }
            throw GLError(.texture, "The driver (\(information.version)) has no textures with blue first: use rgba8.")
        case .r8, .rg8, .rgb8, .rgba8, .rgba16f, .rgba32f, .rgb10a2, .rgb565: return
        }
    }

    /// The format with all components: every OpenGL ES can read four; some read fewer.
    var withFourComponents: TextureFormat {
        switch self {
        case .r8, .rg8, .rgb8: .rgba8
        case .r16, .rg16: .rgba16
        case .rgba8, .bgra8, .rgba16, .rgba16f, .rgba32f, .rgb10a2, .rgb565, .rgb5a1: self
        }
    }

    func internalFormat(_ information: GLInformation) -> GLint {
        switch self {
        case .r8: GLint(GL_R8)
        case .rg8: GLint(GL_RG8)
        case .rgb8: GLint(GL_RGB8)
        case .rgba8: GLint(GL_RGBA8)
        // Without a size, drivers choose the same order as in memory: Mesa copies whole rows then.
        case .bgra8: GLint(information.isES ? GL_BGRA : GL_RGBA)
        // Five bits expand inexactly to eight; with sixteen the error is far below a code value.
        case .rgb565: GLint(information.isES ? GL_RGB565 : GL_RGB16)
        case .rgb5a1: GLint(GL_RGBA16)
        case .r16: GLint(GL_R16)
        case .rg16: GLint(GL_RG16)
        case .rgba16: GLint(GL_RGBA16)
        case .rgba16f: GLint(GL_RGBA16F)
        case .rgba32f: GLint(GL_RGBA32F)
        case .rgb10a2: GLint(GL_RGB10_A2)
        }
    }

    var layout: GLenum {
        switch self {
        case .r8, .r16: GLenum(GL_RED)
        case .rg8, .rg16: GLenum(GL_RG)
        case .rgb8, .rgb565: GLenum(GL_RGB)
        case .rgba8, .rgba16, .rgba16f, .rgba32f, .rgb10a2: GLenum(GL_RGBA)
        case .bgra8, .rgb5a1: GLenum(GL_BGRA)
        }
    }

    var componentType: GLenum {
        switch self {
        case .r8, .rg8, .rgb8, .rgba8, .bgra8: GLenum(GL_UNSIGNED_BYTE)
        case .r16, .rg16, .rgba16: GLenum(GL_UNSIGNED_SHORT)
        case .rgba16f: GLenum(GL_HALF_FLOAT)
        case .rgba32f: GLenum(GL_FLOAT)
        case .rgb10a2: GLenum(GL_UNSIGNED_INT_2_10_10_10_REV)
        case .rgb565: GLenum(GL_UNSIGNED_SHORT_5_6_5)
        case .rgb5a1: GLenum(GL_UNSIGNED_SHORT_1_5_5_5_REV)
        }
    }
}
