@preconcurrency import CVitrailEpoxy
import Synchronization
import VitrailSupport

/// A two-dimensional texture: it owns its memory on the GPU, or belongs to somebody else.
///
/// It has one mipmap level and is clamped at its edges.
///
/// **Thread:** render thread.
public struct Texture: ~Copyable {
    /// The number of texture units that every driver has.
    public static let unitCount = 16
    /// The unit that textures are bound to for uploads; programs read from the units before.
    public static let uploadUnit = unitCount - 1

    /// The texture's context.
    public let context: GLContext
    /// The format of its texels.
    public let format: TextureFormat
    /// The width in texels.
    public let width: Int
    /// The height in texels.
    public let height: Int
    /// OpenGL's name of it.
    public let name: UInt32
    private let isOwned: Bool

    /// Allocates a texture with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: ``GLError/Code/tooLarge``, or ``GLError/Code/driver`` if memory runs out.
    public init(_ context: GLContext, _ format: TextureFormat, width: Int, height: Int) throws(GLError) {
        let limit = context.information.maximumTextureSize
        guard (1...limit).contains(width), (1...limit).contains(height) else {
            throw GLError(
                .tooLarge,
                "A texture of \(width)x\(height) is not possible: this driver's GL_MAX_TEXTURE_SIZE is \(limit).")
        }
        try format.check(context.information)
        // Errors that are pending here have another cause.
        context.clearErrors()
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
            GLenum(GL_TEXTURE_2D), 0, format.internalFormat(context.information), GLsizei(width), GLsizei(height), 0,
            format.layout,
            format.componentType, nil)
        // A noncopyable type is not destroyed unless all of it is set, so clean up after an error here.
        do throws(GLError) {
            try context.check("Allocating a texture of \(width)x\(height)")
        } catch {
            epoxy_glDeleteTextures(1, &name)
            throw error
        }
        context.textures.add(1, ordering: .relaxed)
        self.context = context
        self.format = format
        self.width = width
        self.height = height
        self.name = name
        isOwned = true
    }

    /// Describes a texture that somebody else owns, for sampling; it must live longer than this.
    ///
    /// **Cost:** every frame; it asks the driver what it knows about the texture.
    /// - Parameters:
    ///   - name: its name in the share group of the context.
    ///   - context: the context, current.
    ///   - format: how its texels are sampled.
    ///   - width: the width that it must have.
    ///   - height: the height that it must have.
    /// - Throws: ``GLError/Code/texture`` if it is not there, has another size, or its texels are sRGB-encoded, which
    ///   sampling would decode.
    public init(
        importing name: UInt32, _ context: GLContext, _ format: TextureFormat, width: Int, height: Int
    ) throws(GLError) {
        context.assertCurrent()
        guard epoxy_glIsTexture(name) != 0 else {
            throw GLError(.texture, "There is no texture \(name) in the share group: it was deleted, or never bound.")
        }
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        var bound: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_TEXTURE_BINDING_2D), &bound)
        guard bound == GLint(name) else {
            context.clearErrors()
            throw GLError(.texture, "The texture \(name) is not two-dimensional (GL_TEXTURE_2D).")
        }
        if context.information.describesTextures {
            let found = (Self.parameter(GL_TEXTURE_WIDTH), Self.parameter(GL_TEXTURE_HEIGHT))
            guard found == (width, height) else {
                throw GLError(
                    .texture, "The texture \(name) is \(found.0)x\(found.1), but its plane is \(width)x\(height).")
            }
            let texels = Self.parameter(GL_TEXTURE_INTERNAL_FORMAT)
            guard texels != GL_SRGB8, texels != GL_SRGB8_ALPHA8 else {
                throw GLError(
                    .texture,
                    "The texture \(name) is sRGB-encoded, so that sampling would change its values: make it GL_RGBA8.")
            }
        }
        self.context = context
        self.format = format
        self.width = width
        self.height = height
        self.name = name
        isOwned = false
    }

    /// Makes a texture that shares the memory of an `EGLImage`.
    ///
    /// - Throws: ``GLError/Code/texture`` if the driver cannot sample it.
    init(
        of image: UnsafeMutableRawPointer, _ context: GLContext, _ format: TextureFormat, width: Int, height: Int
    ) throws(GLError) {
        context.clearErrors()
        var name: GLuint = 0
        epoxy_glGenTextures(1, &name)
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        epoxy_glEGLImageTargetTexture2DOES(GLenum(GL_TEXTURE_2D), image)
        do throws(GLError) {
            try context.check("Binding shared memory to a texture")
        } catch {
            epoxy_glDeleteTextures(1, &name)
            throw GLError(.texture, error.description, underlying: error.underlying)
        }
        context.textures.add(1, ordering: .relaxed)
        self.context = context
        self.format = format
        self.width = width
        self.height = height
        self.name = name
        isOwned = true
    }

    private static func parameter(_ name: Int32) -> Int {
        var value: GLint = 0
        epoxy_glGetTexLevelParameteriv(GLenum(GL_TEXTURE_2D), 0, GLenum(name), &value)
        return Int(value)
    }

    deinit {
        guard isOwned else { return }
        context.textures.subtract(1, ordering: .relaxed)
        context.delete(.texture, name)
    }

    /// Copies rows from memory into the texture.
    ///
    /// Any stride is accepted; nothing is repacked.
    ///
    /// **Cost:** every frame.
    /// - Parameters:
    ///   - bytes: `height` rows from the lowest address; only the last in memory may be shorter than the stride.
    ///   - bytesPerRow: at least `width` × ``TextureFormat/bytesPerTexel``; negative for bottom-up rows.
    public func upload(_ bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
        let texel = format.bytesPerTexel
        let stride = abs(bytesPerRow)
        require(
            stride >= width * texel && bytes.count >= stride * (height - 1) + width * texel,
            "The memory must have every row of the texture; a PixelBuffer's planes always do.")
        let first = bytesPerRow > 0 ? 0 : (height - 1) * stride
        upload(bytes.baseAddress.map { $0 + first }, bytesPerRow: bytesPerRow)
    }

    /// Copies a rectangle of a picture into the same place of the texture.
    ///
    /// **Cost:** every frame.
    /// - Parameters:
    ///   - part: the rectangle in texels, inside the texture.
    ///   - bytes: the whole picture, as large as the texture.
    ///   - bytesPerRow: a multiple of ``TextureFormat/bytesPerTexel``, at least `width` times that.
    public func upload(
        _ part: (x: Int, y: Int, width: Int, height: Int), of bytes: UnsafeRawBufferPointer, bytesPerRow: Int
    ) {
        let texel = format.bytesPerTexel
        require(
            bytesPerRow % texel == 0 && bytesPerRow >= width * texel
                && bytes.count >= bytesPerRow * (height - 1) + width * texel,
            "The memory must have every row of the texture.")
        require(
            part.x >= 0 && part.y >= 0 && part.x + part.width <= width && part.y + part.height <= height,
            "The rectangle must be inside the texture.")
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        epoxy_glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(bytesPerRow / texel))
        epoxy_glTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, GLint(part.x), GLint(part.y), GLsizei(part.width), GLsizei(part.height),
            format.layout, format.componentType, bytes.baseAddress.map { $0 + part.y * bytesPerRow + part.x * texel })
        epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    }

    /// Copies all rows, from memory or from the bound buffer; `start` is the address of the first one.
    func upload(_ start: UnsafeRawPointer?, bytesPerRow: Int) {
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        epoxy_glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        let (rowLength, rest) = bytesPerRow.quotientAndRemainder(dividingBy: format.bytesPerTexel)
        if rest == 0, bytesPerRow > 0 {
            epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(rowLength))
            upload(start, row: 0, count: height)
            epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
        } else {
            // OpenGL supports only positive strides of whole texels; with any other, rows are uploaded one by one.
            let start = Int(bitPattern: start)
            for row in 0..<height {
                upload(UnsafeRawPointer(bitPattern: start + row * bytesPerRow), row: row, count: 1)
            }
        }
    }

    private func upload(_ bytes: UnsafeRawPointer?, row: Int, count: Int) {
        epoxy_glTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, 0, GLint(row), GLsizei(width), GLsizei(count), format.layout,
            format.componentType, bytes)
    }

    /// Waits for the GPU and copies all texels into memory, the row at OpenGL's y = 0 first.
    ///
    /// **Cost:** every frame if frames are read back.
    /// - Parameters:
    ///   - bytes: memory for all rows.
    ///   - bytesPerRow: at least `width` × ``TextureFormat/bytesPerTexel``.
    /// - Throws: ``GLError/Code/driver``, or ``GLError/Code/framebuffer`` if OpenGL ES cannot read such texels.
    public func read(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(GLError) {
        let texel = format.bytesPerTexel
        require(
            bytesPerRow >= width * texel && bytes.count >= bytesPerRow * (height - 1) + width * texel,
            "The memory must have room for every row: height × bytesPerRow bytes.")
        context.clearErrors()
        let read = context.information.isES ? format.withFourComponents : format
        if read == format, bytesPerRow % texel == 0 {
            try fetch(read, into: bytes, bytesPerRow)
        } else {
            let step = read.bytesPerTexel
            let all = UnsafeMutableRawBufferPointer.allocate(byteCount: width * height * step, alignment: 16)
            defer { all.deallocate() }
            try fetch(read, into: all, width * step)
            for row in 0..<height {
                for column in 0..<width {
                    for byte in 0..<texel {
                        bytes[row * bytesPerRow + column * texel + byte] = all[(row * width + column) * step + byte]
                    }
                }
            }
        }
        try context.check("Reading a texture")
    }

    /// Copies all texels, in the components and the type of a format; rows are whole texels.
    private func fetch(
        _ format: TextureFormat, into bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int
    ) throws(GLError) {
        guard context.information.isES else {
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
            epoxy_glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
            epoxy_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(bytesPerRow / format.bytesPerTexel))
            epoxy_glGetTexImage(GLenum(GL_TEXTURE_2D), 0, format.layout, format.componentType, bytes.baseAddress)
            return epoxy_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        }
        let framebuffer = try Framebuffer.name(attaching: name, "\(self.format) texture of \(width)x\(height)")
        context.readPixels(format, width: width, height: height, into: bytes, bytesPerRow)
        context.delete(.framebuffer, framebuffer)
    }

    /// Binds the texture for drawing.
    ///
    /// **Cost:** every frame.
    /// - Parameters:
    ///   - unit: the texture unit that the program's sampler uniform is set to; less than ``uploadUnit``.
    ///   - sampler: how the texture is sampled.
    public func bind(unit: Int, _ sampler: borrowing Sampler) {
        epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
        epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
        epoxy_glBindSampler(GLuint(unit), sampler.name)
        // Uploads bind to the active unit, which must not be this one.
        epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(Self.uploadUnit))
    }
}
