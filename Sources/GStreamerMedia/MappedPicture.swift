import CVitrailGStreamer
import Glibc
import MediaIO

/// A picture of a pipeline, mapped into this process, whose planes can be lent without a copy.
final class MappedPicture {
    private let lender = MemoryLender(Mapping())
    private var planes: [PixelBuffer.Plane] = []

    /// Returns the memory to the pipeline if it is no longer in use.
    ///
    /// - Returns: false if it still is.
    @discardableResult
    func reclaim() -> Bool {
        guard lender.reclaim() else { return false }
        lender.owner.unmap()
        return true
    }

    /// Maps a picture, and lends its planes for as long as the buffer exists; call it only after ``reclaim()`` was true.
    ///
    /// - Parameters:
    ///   - buffer: the picture.
    ///   - format: what it is.
    /// - Returns: a buffer that keeps the memory.
    /// - Throws: ``StreamError/Code/readFailed`` if it cannot be mapped, ``StreamError/Code/tooShort``.
    func lend(_ buffer: UnsafeMutablePointer<GstBuffer>, _ format: PipelineFormat) throws(StreamError) -> PixelBuffer {
        guard lender.owner.map(buffer, format.layout) else {
            throw StreamError(
                .readFailed,
                "The pipeline's pictures cannot be read by the processor: add what downloads them at its end, such as gldownload."
            )
        }
        let frame = lender.owner.frame
        // A picture says its size itself, which may differ from that of the stream.
        let size = VideoSize(width: Int(frame.pointee.info.width), height: Int(frame.pointee.info.height))
        planes.removeAll(keepingCapacity: true)
        for index in 0..<Int32(format.format.planes.count) {
            let stride = Int(vitrail_gst_stride(frame, index))
            let bytes = UnsafeRawBufferPointer(
                start: vitrail_gst_plane(frame, index), count: Int(vitrail_gst_plane_room(frame, index)))
            planes.append(PixelBuffer.Plane(bytes: bytes, bytesPerRow: stride))
        }
        return try lender.lend(planes, format: format.format, size: size)
    }
}

/// A mapped picture, unmapped at the latest with its last owner.
private final class Mapping: @unchecked Sendable {
    // Unchecked: the reader changes it only while no buffer lends it.
    let frame = UnsafeMutablePointer<GstVideoFrame>.allocate(capacity: 1)
    private var isMapped = false

    func map(_ buffer: UnsafeMutablePointer<GstBuffer>, _ layout: GstVideoInfo) -> Bool {
        var layout = layout
        isMapped = gst_video_frame_map(frame, &layout, buffer, vitrail_gst_map_read) != 0
        return isMapped
    }

    func unmap() {
        guard isMapped else { return }
        isMapped = false
        gst_video_frame_unmap(frame)
    }

    deinit {
        unmap()
        frame.deallocate()
    }
}

extension DMABufferImage {
    /// Passes a picture on that is in DMA-BUFs; `nil` if its format has no number in Linux's graphics drivers.
    ///
    /// The picture belongs to the pipeline again once the image is released.
    ///
    /// - Parameters:
    ///   - buffer: the picture, all of whose memory is DMA-BUFs.
    ///   - format: what it is.
    /// - Throws: ``StreamError/Code/tooShort``; ``StreamError/Code/readFailed`` if the system has no more descriptors.
    convenience init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ format: PipelineFormat) throws(StreamError) {
        guard let fourCC = format.format.fourCC else { return nil }
        let meta = vitrail_gst_video_meta(buffer)
        var planes: [Plane] = []
        func close() { for plane in planes { Glibc.close(plane.descriptor) } }
        for index in 0..<Int32(format.format.planes.count) {
            let offset =
                meta.map { vitrail_gst_meta_offset($0, index) } ?? vitrail_gst_info_offset(format.layout, index)
            let stride =
                meta.map { vitrail_gst_meta_stride($0, index) } ?? vitrail_gst_info_stride(format.layout, index)
            var place = 0
            let descriptor = vitrail_gst_descriptor(buffer, offset, &place)
            guard descriptor >= 0 else {
                close()
                throw StreamError(.tooShort, "A picture of the pipeline ends before its plane \(index + 1).")
            }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                close()
                throw StreamError(
                    .readFailed, "There are no more file descriptors for pictures: close something.", underlying: errno)
            }
            planes.append(Plane(descriptor: copy, offset: place, bytesPerRow: Int(stride)))
        }
        let owner = BufferOwner(buffer)
        do throws(StreamError) {
            try self.init(takingOver: planes, size: format.size, fourCC: fourCC) { withExtendedLifetime(owner) {} }
        } catch {
            close()
            throw error
        }
    }
}

/// A picture of a pipeline, which does not get its memory back as long as this exists.
private final class BufferOwner: @unchecked Sendable {
    // Unchecked: the memory is not touched through it.
    private let buffer: UnsafeMutablePointer<GstBuffer>

    init(_ buffer: UnsafeMutablePointer<GstBuffer>) { self.buffer = vitrail_gst_buffer_ref(buffer) }

    deinit { vitrail_gst_buffer_unref(buffer) }
}
