@preconcurrency import CVitrailEpoxy

/// A two-dimensional texture that owns its memory on the GPU.
///
/// It has one level and is clamped at its edges.
///
/// **Thread:** render thread.
public struct Texture: ~Copyable {
    /// Whose it is.
    public let context: GLContext
    /// What a texel is made of.
    public let format: TextureFormat
    /// Texels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    let name: GLuint

    /// Allocates a texture with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: ``GLError/Code/tooLarge``, or ``GLError/Code/driver`` when there is no memory.
    public init(_ context: GLContext, _ format: TextureFormat, width: Int, height: Int) throws(GLError) {
        let limit = context.information.maximumTextureSize
        guard (1...limit).contains(width), (1...limit).contains(height) else {
            throw GLError(
                .tooLarge,
                "A picture of \(width)x\(height) does not fit: this driver's GL_MAX_TEXTURE_SIZE is \(limit).")
        }
        // What is pending here was caused elsewhere.
        context.forgetErrors()
        var name: GLuint = 0
        epoxy_glGenTextures(1, &name)
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        for (parameter, value) in [
            (GL_TEXTURE_MIN_FILTER, GL_LINEAR), (GL_TEXTURE_MAG_FILTER, GL_LINEAR),
            (GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE), (GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE), (GL_TEXTURE_MAX_LEVEL, 0),
        ] {
            epoxy_glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(parameter), GLint(value))
        }
        epoxy_glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, format.internalFormat, GLsizei(width), GLsizei(height), 0, format.layout,
            format.componentType, nil)
        // A noncopyable type has no destructor until all is set, so what fails cleans up by itself.
        do throws(GLError) {
            try context.check("Allocating a texture of \(width)x\(height)")
        } catch {
            epoxy_glDeleteTextures(1, &name)
            throw error
        }
        context.textureCount += 1
        self.context = context
        self.format = format
        self.width = width
        self.height = height
        self.name = name
    }

    deinit {
        context.textureCount -= 1
        context.delete(.texture, name)
    }

    /// Copies rows from memory into the texture.
    ///
    /// Any stride is taken as it is; nothing is repacked.
    ///
    /// **Cost:** every frame.
    /// - Parameters:
    ///   - bytes: `height` rows from the lowest address; only the highest may be shorter than the stride.
    ///   - bytesPerRow: at least `width` × ``TextureFormat/bytesPerTexel``; negative where the last row comes first.
    public func upload(_ bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
        let texel = format.bytesPerTexel
        let stride = abs(bytesPerRow)
        precondition(
            stride >= width * texel && bytes.count >= stride * (height - 1) + width * texel,
            "The memory must hold every row of the texture; a PixelBuffer's planes always do.")
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        epoxy_glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        let (rowLength, rest) = bytesPerRow.quotientAndRemainder(dividingBy: texel)
        if rest == 0, bytesPerRow > 0 {
            epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(rowLength))
            upload(bytes.baseAddress, row: 0, count: height)
            epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
        } else {
            // OpenGL counts a row in whole texels, upwards; a stride that is not such a number goes row by row.
            let first = bytesPerRow > 0 ? 0 : (height - 1) * stride
            for row in 0..<height {
                upload(bytes.baseAddress.map { $0 + first + row * bytesPerRow }, row: row, count: 1)
            }
        }
    }

    private func upload(_ bytes: UnsafeRawPointer?, row: Int, count: Int) {
        epoxy_glTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, 0, GLint(row), GLsizei(width), GLsizei(count), format.layout,
            format.componentType, bytes)
    }

    /// Binds the texture for drawing.
    ///
    /// **Cost:** every frame.
    /// - Parameters:
    ///   - unit: 0…15, the number that the program's sampler uniform was set to.
    ///   - sampler: how it is read.
    public func bind(unit: Int, _ sampler: borrowing Sampler) {
        epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        epoxy_glBindSampler(GLuint(unit), sampler.name)
        // Uploads bind to the active unit; leaving another one active would disturb this binding.
        epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + 15)
    }
}

/// How textures are read, and what lies beyond their edges: the texels at the edge.
public struct Sampler: ~Copyable {
    /// What is made of the texels around a place.
    public enum Filter: Sendable {
        /// The nearest texel.
        case nearest
        /// Four of them, weighted; at least as exact as ``linear``.
        ///
        /// Right up to half a texel beyond the edges.
        case precise
        /// Four of them, weighted.
        case linear
    }

    private let context: GLContext
    let name: GLuint

    /// Creates a sampler.
    ///
    /// **Cost:** rare.
    public init(_ context: GLContext, _ filter: Filter) throws(GLError) {
        var name: GLuint = 0
        epoxy_glGenSamplers(1, &name)
        let texels = GLint(filter == .nearest ? GL_NEAREST : GL_LINEAR)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), texels)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), texels)
        // Up to half a texel beyond an edge, mirroring and clamping give the same. But Mesa's software drivers weigh 8-bit
        // texels in 8 bits where both directions clamp, which is off by up to 1.1 code values, and in floats where one mirrors.
        let wrap = GLint(filter == .precise ? GL_MIRRORED_REPEAT : GL_CLAMP_TO_EDGE)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), wrap)
        epoxy_glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), GLint(GL_CLAMP_TO_EDGE))
        try context.check("Making a sampler")
        self.context = context
        self.name = name
    }

    deinit {
        context.delete(.sampler, name)
    }
}
