import CVitrailFFmpeg
import Glibc
import MediaIO

/// An open file, as a byte sink for libavformat, which itself opens nothing.
final class WriterBytes {
    private static let bufferSize: Int32 = 1 << 16

    private let descriptor: Int32
    /// The system's number of the first error; 0 if there was none.
    private(set) var failure: Int32 = 0
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Writes to a descriptor, which the caller closes later.
    ///
    /// - Throws: ``StreamError/Code/noMemory``.
    init(_ descriptor: Int32) throws(StreamError) {
        self.descriptor = descriptor
        let buffer = av_malloc(Int(Self.bufferSize))
        context = vitrail_alloc_writer(
            buffer, Self.bufferSize,
            // FFmpeg calls back only while the context exists, and this object owns the context.
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return vitrail_averror(EINVAL) }
                return Unmanaged<WriterBytes>.fromOpaque(opaque).takeUnretainedValue().write(bytes, count)
            },
            { opaque, offset, whence in
                guard let opaque else { return Int64(vitrail_averror(EINVAL)) }
                return Unmanaged<WriterBytes>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard let context, buffer != nil else {
            av_free(buffer)
            throw StreamError(.noMemory, "There is not enough memory to write a file.", underlying: ENOMEM)
        }
        context.pointee.seekable = lseek(descriptor, 0, SEEK_CUR) >= 0 ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        if let context {
            av_free(context.pointee.buffer)
            avio_context_free(&self.context)
        }
    }

    private func write(_ bytes: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
        var done = 0
        while done < Int(count) {
            let result = Glibc.write(descriptor, bytes + done, Int(count) - done)
            if result > 0 {
                done += result
            } else if result == 0 || errno != EINTR {
                let number = result == 0 ? EIO : errno
                if failure == 0 { failure = number }
                return vitrail_averror(number)
            }
        }
        return count
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : Int64(vitrail_averror(errno))
        }
        let position = lseek(descriptor, Int(offset), whence & ~AVSEEK_FORCE)
        return position >= 0 ? Int64(position) : Int64(vitrail_averror(errno))
    }
}
