import Foundation
import Glibc

/// SDL 2 as a peer, loaded at run time: a texture for each stream, drawn into a target of the picture's size.
struct SDLPeer {
    private typealias Pointer = UnsafeMutableRawPointer
    private struct Rectangle { var (x, y, width, height): (Int32, Int32, Int32, Int32) }
    private struct Failure: Error, CustomStringConvertible { let description: String }

    // SDL_pixels.h
    private static let (iyuv, nv12, abgr8888): (UInt32, UInt32, UInt32) = (0x5655_5949, 0x3231_564E, 0x1676_2004)

    private let library: Pointer
    private let renderer: Pointer
    private let textures: [Pointer]
    private let frames: [Data]
    private let workload: PeerWorkload
    private let finish: (@convention(c) () -> Void)?

    private static func function<Function>(_ name: String, _ library: Pointer, as type: Function.Type) throws
        -> Function
    {
        guard let symbol = dlsym(library, name) else { throw Failure(description: "SDL 2 has no \(name).") }
        return unsafeBitCast(symbol, to: type)
    }

    /// Opens SDL's renderer of a name: `software` or `opengl`.
    init(_ driver: String, _ workload: PeerWorkload) throws {
        guard let library = dlopen("libSDL2-2.0.so.0", RTLD_NOW) else {
            throw Failure(description: "There is no libSDL2-2.0.so.0: install libsdl2-2.0-0.")
        }
        typealias Text = UnsafePointer<CChar>
        let hint = try Self.function("SDL_SetHint", library, as: (@convention(c) (Text, Text) -> Int32).self)
        for (name, value) in [
            ("SDL_RENDER_DRIVER", driver), ("SDL_RENDER_SCALE_QUALITY", "linear"), ("SDL_RENDER_BATCHING", "1"),
            ("SDL_FRAMEBUFFER_ACCELERATION", "0"),
        ] { _ = hint(name, value) }
        // SDL_YUV_CONVERSION_BT709
        try Self.function("SDL_SetYUVConversionMode", library, as: (@convention(c) (Int32) -> Void).self)(2)
        // SDL_INIT_VIDEO
        guard try Self.function("SDL_Init", library, as: (@convention(c) (UInt32) -> Int32).self)(0x20) == 0 else {
            throw Failure(description: "SDL 2 cannot open a display.")
        }
        let (width, height) = (Int32(workload.outputWidth), Int32(workload.outputHeight))
        let renderer: Pointer?
        if driver == "software" {
            let surface = try Self.function(
                "SDL_CreateRGBSurfaceWithFormat", library,
                as: (@convention(c) (UInt32, Int32, Int32, Int32, UInt32) -> Pointer?).self)
            let make = try Self.function(
                "SDL_CreateSoftwareRenderer", library, as: (@convention(c) (Pointer?) -> Pointer?).self)
            renderer = make(surface(0, width, height, 32, Self.abgr8888))
        } else {
            let open = try Self.function(
                "SDL_CreateWindow", library,
                as: (@convention(c) (Text, Int32, Int32, Int32, Int32, UInt32) -> Pointer?).self)
            let make = try Self.function(
                "SDL_CreateRenderer", library, as: (@convention(c) (Pointer?, Int32, UInt32) -> Pointer?).self)
            // SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN; SDL_RENDERER_ACCELERATED | SDL_RENDERER_TARGETTEXTURE
            renderer = make(open("benchmark", 0, 0, width, height, 0xA), -1, 0xA)
        }
        guard let renderer else { throw Failure(description: "SDL 2 has no renderer \(driver).") }
        let texture = try Self.function(
            "SDL_CreateTexture", library,
            as: (@convention(c) (Pointer, UInt32, Int32, Int32, Int32) -> Pointer?).self)
        if driver != "software" {
            // SDL_TEXTUREACCESS_TARGET
            let target = texture(renderer, Self.abgr8888, 2, width, height)
            let set = try Self.function(
                "SDL_SetRenderTarget", library, as: (@convention(c) (Pointer, Pointer?) -> Int32).self)
            guard set(renderer, target) == 0 else { throw Failure(description: "SDL 2 cannot draw into a texture.") }
        }
        textures = try (0..<workload.streams).map { _ in
            // SDL_TEXTUREACCESS_STREAMING
            let made = texture(
                renderer, workload.isNV12 ? Self.nv12 : Self.iyuv, 1, Int32(workload.width), Int32(workload.height))
            guard let made else { throw Failure(description: "SDL 2 cannot make a texture.") }
            return made
        }
        frames = try (0..<workload.streams).map { try Data(contentsOf: URL(fileURLWithPath: workload.file($0))) }
        let address = try Self.function(
            "SDL_GL_GetProcAddress", library, as: (@convention(c) (Text) -> Pointer?).self)
        finish =
            driver == "software"
            ? nil : address("glFinish").map { unsafeBitCast($0, to: (@convention(c) () -> Void).self) }
        (self.library, self.renderer, self.workload) = (library, renderer, workload)
    }

    /// Draws pictures.
    func draw(_ count: Int) throws {
        let clear = try Self.function("SDL_RenderClear", library, as: (@convention(c) (Pointer) -> Int32).self)
        let flush = try Self.function("SDL_RenderFlush", library, as: (@convention(c) (Pointer) -> Int32).self)
        let copy = try Self.function(
            "SDL_RenderCopy", library,
            as: (@convention(c) (Pointer, Pointer, Pointer?, UnsafeRawPointer) -> Int32).self)
        for picture in 0..<count {
            for stream in 0..<workload.streams
            where picture == 0 || !workload.isSparse || picture % workload.streams == stream {
                try upload(stream, picture % PeerWorkload.frameCount)
            }
            _ = clear(renderer)
            for stream in 0..<workload.streams {
                var cell = Rectangle(
                    x: Int32(stream % workload.columns * workload.cellWidth),
                    y: Int32(stream / workload.columns * workload.cellHeight), width: Int32(workload.cellWidth),
                    height: Int32(workload.cellHeight))
                _ = withUnsafeBytes(of: &cell) { bytes in
                    bytes.baseAddress.map { copy(renderer, textures[stream], nil, $0) }
                }
            }
            _ = flush(renderer)
            finish?()
        }
    }

    private func upload(_ stream: Int, _ number: Int) throws {
        let (width, luma) = (Int32(workload.width), workload.width * workload.height)
        try frames[stream].withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let first = start + number * workload.frameBytes
            if workload.isNV12 {
                let update = try Self.function(
                    "SDL_UpdateNVTexture", library,
                    as: (@convention(c) (
                        Pointer, UnsafeRawPointer?, UnsafeRawPointer, Int32, UnsafeRawPointer, Int32
                    ) -> Int32).self)
                _ = update(textures[stream], nil, first, width, first + luma, width)
            } else {
                let update = try Self.function(
                    "SDL_UpdateYUVTexture", library,
                    as: (@convention(c) (
                        Pointer, UnsafeRawPointer?, UnsafeRawPointer, Int32, UnsafeRawPointer, Int32, UnsafeRawPointer,
                        Int32
                    ) -> Int32).self)
                _ = update(
                    textures[stream], nil, first, width, first + luma, width / 2, first + luma * 5 / 4, width / 2)
            }
        }
    }
}
