import MediaIO
import VideoWall
import VitrailGL

/// Draws or uploads frames into a few textures, which are reused.
///
/// **Thread:** one at a time.
final class TextureMaker {
    /// The textures of a frame, and whether they are in use.
    private final class Slot: Sendable {
        let isOut = Monitor(false)
        let size: VideoSize
        /// The format of the planes; `rgba32` if it is drawn.
        let format: PixelFormat
        // Used by one thread at a time, and released by any.
        nonisolated(unsafe) let target: GLOffscreenTarget?
        nonisolated(unsafe) let planes: FrameTextures?

        init(drawing size: VideoSize, _ context: GLContext) throws(GLError) {
            (self.size, format, planes) = (size, .rgba32, nil)
            target = try GLOffscreenTarget(context, size: size, format: .rgba8)
        }

        init(uploading format: PixelFormat, _ size: VideoSize, _ context: GLContext) throws(GLError) {
            (self.size, self.format, target) = (size, format, nil)
            planes = try FrameTextures(context, format: format, size: size)
        }

        var names: [UInt32] { target.map { [$0.textureName] } ?? planes?.names ?? [] }
    }

    private let renderer: GLRenderer
    private let wall = Wall()
    private let tile: WallTile
    private let uploader: FrameUploader
    private var slots: [Slot] = []

    /// Makes a context, which is current afterwards.
    init(_ group: ShareGroup) throws {
        let context = try group.makeContext()
        renderer = try GLRenderer(context: context, upload: .direct)
        uploader = FrameUploader(context, .direct, reason: "a thread of its own uploads")
        tile = wall.addTile(named: "frame")
        tile.contentMode = .stretch
    }

    /// Makes its context current, so that its OpenGL objects can be released.
    func use() { try? renderer.context.use() }

    /// Replaces the image of a frame by textures.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - drawsColors: whether it is drawn in sRGB, or its planes are uploaded.
    /// - Throws: ``StreamError/Code/unsupported`` with the reason, ``StreamError/Code/noMemory`` if all textures are in
    ///   use.
    func convert(_ frame: inout VideoFrame, drawsColors: Bool) throws(StreamError) {
        do {
            try renderer.context.use()
            let slot = drawsColors ? try draw(frame) : try upload(frame)
            frame.image = .texture(try image(of: slot))
        } catch let error as StreamError {
            throw error
        } catch {
            throw StreamError(.unsupported, "The frame cannot be handed on as a texture: \(error)")
        }
        if drawsColors {
            frame.attributes.colorTags = ColorTags(ColorSpace(matrix: .rgb, range: .full))
            frame.attributes.hdrMetadata = nil
        }
    }

    private func draw(_ frame: VideoFrame) throws -> Slot {
        let slot = try freeSlot(.rgba32, frame.image.size) { size, context throws(GLError) in
            try Slot(drawing: size, context)
        }
        guard let target = slot.target else { return slot }
        var plain = frame
        plain.attributes.rotation = .upright
        plain.attributes.mirror = .unmirrored
        plain.attributes.crop = nil
        tile.mailbox.put(plain)
        let failed = tile.statistics.failed
        target.invalidate()
        try renderer.render(wall, into: target)
        guard tile.statistics.failed == failed else {
            throw StreamError(.unsupported, tile.notice ?? "The frame could not be drawn.")
        }
        return slot
    }

    private func upload(_ frame: VideoFrame) throws -> Slot {
        let buffer = try frame.pixelBuffer
        guard PlaneSampling(buffer.format).hasTextureForEachPlane else {
            throw StreamError(
                .unsupported,
                "A plane of \(buffer.format.rawValue) is no texture by itself: ask for rgba32, nv12 or i420.")
        }
        let slot = try freeSlot(buffer.format, buffer.size) { size, context throws(GLError) in
            try Slot(uploading: buffer.format, size, context)
        }
        slot.planes?.upload(buffer, uploader)
        return slot
    }

    /// A slot of a format and size that is not in use.
    private func freeSlot(
        _ format: PixelFormat, _ size: VideoSize, make: (VideoSize, GLContext) throws(GLError) -> Slot
    ) throws -> Slot {
        var free: Int?
        for index in slots.indices where !slots[index].isOut.withLock({ $0 }) {
            if slots[index].format == format, slots[index].size == size { return slots[index] }
            free = index
        }
        guard free != nil || slots.count < TextureSink.textureCount else {
            throw StreamError(
                .noMemory,
                "All \(TextureSink.textureCount) textures are out: the sink must release frames when its GPU is done.")
        }
        if let free, slots.count == TextureSink.textureCount { slots.remove(at: free) }
        let slot = try make(size, renderer.context)
        slots.append(slot)
        return slot
    }

    private func image(of slot: Slot) throws(StreamError) -> TextureImage {
        let context = renderer.context
        nonisolated(unsafe) let fence = FenceKeeper(Fence(context))
        context.flush()
        let image = try TextureImage(
            names: slot.names, format: slot.format, size: slot.size, fence: fence.fence.address,
            shareGroup: ObjectIdentifier(context.shareGroup)
        ) { withExtendedLifetime(fence) { slot.isOut.withLock { $0 = false } } }
        slot.isOut.withLock { $0 = true }
        return image
    }
}

/// A fence that an image keeps.
private final class FenceKeeper {
    let fence: Fence
    init(_ fence: consuming Fence) { self.fence = fence }
}
