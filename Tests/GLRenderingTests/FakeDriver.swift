@preconcurrency import CVitrailEpoxy
import Glibc
import MediaIO
import Testing

@testable import GLRendering
@testable import VitrailGL

/// Stands for a driver that imports DMA-BUFs: it reads the memory on the CPU, and makes an `EGLImage` of a texture.
///
/// Software drivers import none, and real ones are not on every machine.
final class FakeDriver {
    enum Habit { case works, isBlack, hasOtherRows, refuses, forgetsChroma }

    var habit: Habit
    /// How often an import was tried.
    private(set) var tries = 0
    /// Images that were not destroyed yet.
    private(set) var images = 0
    private(set) var modifiers: [UInt64] = []
    private let context: GLContext
    private var textures: [Plane] = []

    private final class Plane {
        let texture: Texture
        init(_ texture: consuming Texture) { self.texture = texture }
    }

    init(_ context: GLContext, _ habit: Habit = .works) { (self.context, self.habit) = (context, habit) }

    var importer: DMABufferImporter {
        DMABufferImporter(
            context, passesModifiers: true, create: { self.create($0) },
            destroy: {
                self.images -= 1
                _ = epoxy_eglDestroyImageKHR(epoxy_eglGetCurrentDisplay(), $0)
            })
    }

    /// The numbers of EGL_EXT_image_dma_buf_import, from Khronos's registry.
    private func create(_ list: UnsafePointer<Int32>) -> UnsafeMutableRawPointer? {
        tries += 1
        var values: [Int32: Int32] = [:]
        var index = 0
        while list[index] != EGL_NONE {
            values[list[index]] = list[index + 1]
            index += 2
        }
        func value(_ key: Int32) -> Int { Int(values[key] ?? -1) }
        let (low, high) = (values[EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT], values[EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT])
        modifiers.append(
            UInt64(UInt32(bitPattern: high ?? -1)) << 32 | UInt64(UInt32(bitPattern: low ?? -1)))
        let (width, height) = (value(EGL_WIDTH), value(EGL_HEIGHT))
        guard habit != .refuses, let format = Self.formats[UInt32(bitPattern: Int32(value(EGL_LINUX_DRM_FOURCC_EXT)))]
        else { return nil }
        let row = width * format.bytesPerTexel
        let stride = habit == .hasOtherRows ? row : value(EGL_DMA_BUF_PLANE0_PITCH_EXT)
        var bytes = [UInt8](repeating: 0, count: row * height)
        let isBlack = habit == .isBlack || habit == .forgetsChroma && format == .rg8
        for line in 0..<height where !isBlack {
            let offset = value(EGL_DMA_BUF_PLANE0_OFFSET_EXT) + line * stride
            let count = bytes.withUnsafeMutableBytes {
                pread(Int32(value(EGL_DMA_BUF_PLANE0_FD_EXT)), $0.baseAddress.map { $0 + line * row }, row, offset)
            }
            #expect(count == row)
        }
        guard let texture = try? Texture(context, format, width: width, height: height) else { return nil }
        bytes.withUnsafeBytes { texture.upload($0, bytesPerRow: row) }
        let plane = Plane(texture)
        textures.append(plane)
        images += 1
        let name = UnsafeMutableRawPointer(bitPattern: UInt(plane.texture.name))
        return epoxy_eglCreateImageKHR(
            epoxy_eglGetCurrentDisplay(), epoxy_eglGetCurrentContext(), EGLenum(EGL_GL_TEXTURE_2D_KHR), name, nil)
    }

    /// The names in `drm_fourcc.h`, and the texels whose components are in the same order in memory.
    private static let formats: [UInt32: TextureFormat] = [
        0x2020_3852: .r8, 0x3838_5247: .rg8, 0x3432_4742: .rgb8, 0x3432_4241: .rgba8, 0x2036_3152: .r16,
        0x3233_5247: .rg16, 0x3834_4241: .rgba16, 0x4834_4241: .rgba16f, 0x3033_4241: .rgb10a2,
        0x3631_4752: .rgb565, 0x3531_5241: .rgb5a1,
    ]
}
