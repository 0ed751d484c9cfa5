@preconcurrency import CVitrailEpoxy

/// Makes textures of memory that is shared with devices (a Linux DMA-BUF), without a copy.
///
/// It uses EGL_EXT_image_dma_buf_import, EGL_EXT_image_dma_buf_import_modifiers and OES_EGL_image. A driver that has
/// these extensions may still read such memory wrongly: compare what a texture contains before trusting it.
///
/// **Thread:** render thread.
public struct DMABufferImporter {
    /// A part of the memory whose texels lie row by row, or as the modifier says.
    public struct Plane: Hashable, Sendable {
        /// The file descriptor of the memory.
        public var descriptor: Int32
        /// Bytes from the start of the memory.
        public var offset: Int
        /// Bytes from one row to the next.
        public var bytesPerRow: Int
        /// The arrangement (`DRM_FORMAT_MOD_…`); 0 for rows.
        public var modifier: UInt64

        /// Describes a plane.
        public init(descriptor: Int32, offset: Int, bytesPerRow: Int, modifier: UInt64 = 0) {
            self.descriptor = descriptor
            self.offset = offset
            self.bytesPerRow = bytesPerRow
            self.modifier = modifier
        }
    }

    package typealias EGLImage = UnsafeMutableRawPointer

    private let context: GLContext
    private let passesModifiers: Bool
    private let create: (_ attributes: UnsafePointer<Int32>) -> EGLImage?
    private let destroy: (EGLImage) -> Void

    /// Looks for the driver's functions.
    ///
    /// - Parameter context: a context of EGL, current.
    /// - Throws: ``GLError/Code/texture`` with the reason if it cannot import.
    public init(_ context: GLContext) throws(GLError) {
        context.assertCurrent()
        guard let display = CurrentContext().eglContext?.display else {
            throw GLError(
                .texture,
                "OpenGL is reached through GLX, which imports no DMA-BUFs: use EGL (a Wayland or headless context).")
        }
        let extensions = CurrentContext.eglExtensions(display)
        guard extensions.contains("EGL_EXT_image_dma_buf_import"), extensions.contains("EGL_KHR_image_base"),
            epoxy_has_gl_extension("GL_OES_EGL_image")
        else {
            throw GLError(.texture, "The driver (\(context.information.renderer)) imports no DMA-BUFs.")
        }
        self.init(
            context, passesModifiers: extensions.contains("EGL_EXT_image_dma_buf_import_modifiers"),
            create: {
                epoxy_eglCreateImageKHR(display, vitrail_epoxy_no_context, EGLenum(EGL_LINUX_DMA_BUF_EXT), nil, $0)
            }, destroy: { _ = epoxy_eglDestroyImageKHR(display, $0) })
    }

    /// Creates an importer with other functions than the driver's, for tests.
    package init(
        _ context: GLContext, passesModifiers: Bool, create: @escaping (UnsafePointer<Int32>) -> EGLImage?,
        destroy: @escaping (EGLImage) -> Void
    ) {
        self.context = context
        self.passesModifiers = passesModifiers
        self.create = create
        self.destroy = destroy
    }

    /// Makes a texture of a plane; the memory must not change until the GPU has drawn with it.
    ///
    /// **Cost:** every frame; the driver allocates objects, but no memory for texels.
    /// - Parameters:
    ///   - plane: where the texels are; the descriptor is duplicated.
    ///   - format: what the texels are.
    ///   - width: the width in texels.
    ///   - height: the height in texels.
    /// - Returns: the texture, which keeps the memory.
    /// - Throws: ``GLError/Code/texture`` if the driver refuses.
    public func texture(
        of plane: Plane, _ format: TextureFormat, width: Int, height: Int
    ) throws(GLError) -> Texture {
        guard let fourCC = format.fourCC, let offset = Int32(exactly: plane.offset), offset >= 0,
            let bytesPerRow = Int32(exactly: plane.bytesPerRow), bytesPerRow > 0,
            plane.modifier == 0 || passesModifiers
        else { throw refusal(plane, format, width, height) }
        let fourCCBits = Int32(bitPattern: fourCC)
        let low = Int32(truncatingIfNeeded: plane.modifier), high = Int32(truncatingIfNeeded: plane.modifier >> 32)
        let attributes: InlineArray<17, Int32> = [
            EGL_WIDTH, Int32(width), EGL_HEIGHT, Int32(height), EGL_LINUX_DRM_FOURCC_EXT, fourCCBits,
            EGL_DMA_BUF_PLANE0_FD_EXT, plane.descriptor, EGL_DMA_BUF_PLANE0_OFFSET_EXT, offset,
            EGL_DMA_BUF_PLANE0_PITCH_EXT, bytesPerRow,
            // The list ends here if the driver knows no modifiers.
            passesModifiers ? EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT : EGL_NONE, low,
            EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT, high, EGL_NONE,
        ]
        let image = attributes.span.withUnsafeBufferPointer { $0.baseAddress.flatMap(create) }
        guard let image else { throw refusal(plane, format, width, height) }
        // The texture keeps what it needs of the image.
        defer { destroy(image) }
        return try Texture(of: image, context, format, width: width, height: height)
    }

    private func refusal(_ plane: Plane, _ format: TextureFormat, _ width: Int, _ height: Int) -> GLError {
        GLError(
            .texture,
            "The driver does not import a DMA-BUF of \(width)x\(height) texels of \(format), \(plane.bytesPerRow) bytes per row "
                + "from byte \(plane.offset), modifier 0x\(String(plane.modifier, radix: 16)).")
    }
}

extension TextureFormat {
    /// Linux's number of the format whose components are these in the same order in memory (`DRM_FORMAT_…`).
    fileprivate var fourCC: UInt32? {
        let name: StaticString
        switch self {
        case .r8: name = "R8  "
        case .rg8: name = "GR88"
        case .rgb8: name = "BG24"
        case .rgba8: name = "AB24"
        case .bgra8: name = "AR24"
        case .r16: name = "R16 "
        case .rg16: name = "GR32"
        case .rgba16: name = "AB48"
        case .rgba16f: name = "AB4H"
        case .rgb10a2: name = "AB30"
        case .rgb565: name = "RG16"
        case .rgb5a1: name = "AR15"
        case .rgba32f: return nil
        }
        return (0..<4).reduce(0) { $0 | UInt32(name.utf8Start[$1]) << (8 * $1) }
    }
}
