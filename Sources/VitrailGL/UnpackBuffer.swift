@preconcurrency import CVitrailEpoxy
import VitrailSupport

/// Memory of the GPU's driver that textures are uploaded from (`GL_PIXEL_UNPACK_BUFFER`): the GPU fetches it while the
/// CPU goes on.
///
/// What was written must stay as it is until the GPU has fetched it, which a ``Fence`` tells.
///
/// **Thread:** render thread.
public struct UnpackBuffer: ~Copyable {
    /// The length in bytes.
    public let byteCount: Int
    private let context: GLContext
    private let name: GLuint
    /// The memory, if it stays mapped: readable only if that was asked for.
    public let mapping: UnsafeMutableRawPointer?

    /// Allocates a buffer.
    ///
    /// It stays mapped where the driver can do that (OpenGL 4.4 or `GL_ARB_buffer_storage`).
    ///
    /// **Cost:** rare.
    /// - Parameters:
    ///   - context: the context.
    ///   - byteCount: the length in bytes, at least 1.
    ///   - staysMapped: false to map it for each write, even where it could stay mapped.
    ///   - isReadable: whether the CPU reads what is mapped, too.
    /// - Throws: ``GLError/Code/driver`` if memory runs out.
    public init(_ context: GLContext, byteCount: Int, staysMapped: Bool = true, isReadable: Bool = false)
        throws(GLError)
    {
        require(byteCount > 0, "A buffer has at least one byte.")
        context.clearErrors()
        let target = GLenum(GL_PIXEL_UNPACK_BUFFER)
        var name: GLuint = 0
        epoxy_glGenBuffers(1, &name)
        epoxy_glBindBuffer(target, name)
        var mapping: UnsafeMutableRawPointer?
        if staysMapped, context.information.hasBufferStorage {
            let read = isReadable ? GL_MAP_READ_BIT : 0
            let flags = GLbitfield(GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | read)
            let storage = flags | GLbitfield(isReadable ? GL_CLIENT_STORAGE_BIT : 0)
            if context.information.isES {
                epoxy_glBufferStorageEXT(target, byteCount, nil, storage)
            } else {
                epoxy_glBufferStorage(target, byteCount, nil, storage)
            }
            mapping = epoxy_glMapBufferRange(target, 0, byteCount, flags)
        } else {
            epoxy_glBufferData(target, byteCount, nil, GLenum(GL_STREAM_DRAW))
        }
        epoxy_glBindBuffer(target, 0)
        do throws(GLError) {
            try context.check("Allocating a buffer of \(byteCount) bytes")
        } catch {
            epoxy_glDeleteBuffers(1, &name)
            throw error
        }
        (self.context, self.byteCount, self.name, self.mapping) = (context, byteCount, name, mapping)
    }

    deinit { context.delete(.buffer, name) }

    /// Writes a part of the buffer, which the GPU must have finished with.
    ///
    /// **Cost:** every frame.
    /// - Parameters:
    ///   - part: the bytes, inside the buffer.
    ///   - body: writes all of them, and reads none.
    /// - Returns: false if the driver has lost them, so that they must be uploaded in another way.
    public func write(_ part: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) -> Void) -> Bool {
        require(part.lowerBound >= 0 && part.upperBound <= byteCount, "The part must be inside the buffer.")
        if let mapping {
            body(UnsafeMutableRawBufferPointer(start: mapping + part.lowerBound, count: part.count))
            return true
        }
        let target = GLenum(GL_PIXEL_UNPACK_BUFFER)
        epoxy_glBindBuffer(target, name)
        defer { epoxy_glBindBuffer(target, 0) }
        let flags = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT
        guard let memory = epoxy_glMapBufferRange(target, part.lowerBound, part.count, GLbitfield(flags))
        else { return false }
        body(UnsafeMutableRawBufferPointer(start: memory, count: part.count))
        return epoxy_glUnmapBuffer(target) == GLboolean(GL_TRUE)
    }

    /// Has the GPU copy rows into a texture.
    ///
    /// **Cost:** every frame; it does not wait.
    /// - Parameters:
    ///   - offset: where they begin, a multiple of 8.
    ///   - bytesPerRow: at least the bytes of a row of the texture.
    ///   - texture: gets as many rows as it has.
    public func upload(from offset: Int, bytesPerRow: Int, to texture: borrowing Texture) {
        let texel = texture.format.bytesPerTexel
        require(
            offset >= 0 && bytesPerRow >= texture.width * texel
                && offset + bytesPerRow * (texture.height - 1) + texture.width * texel <= byteCount,
            "The buffer must have every row of the texture.")
        let target = GLenum(GL_PIXEL_UNPACK_BUFFER)
        epoxy_glBindBuffer(target, name)
        // An offset instead of an address.
        texture.upload(UnsafeRawPointer(bitPattern: offset), bytesPerRow: bytesPerRow)
        epoxy_glBindBuffer(target, 0)
    }
}
