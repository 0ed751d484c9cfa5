import CVitrailFFmpeg
import Glibc
import MediaIO

/// An open file or named pipe, as a byte source for libavformat.
///
/// FFmpeg gets bytes instead of a path, so that it opens no file: neither this one nor any that this one refers to.
final class FileBytes {
    private static let bufferSize: Int32 = 1 << 16

    private let file: ReadableFile
    private let interruption: Interruption
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Opens `path`.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` for a path that does not exist, is not readable or is not a file.
    init(_ path: String, _ interruption: Interruption) throws(StreamError) {
        let file = try ReadableFile(path: path, name: MediaLocation.file(path: path).description)
        guard file.size != 0 else {
            throw StreamError(.malformed, "\(file.name) is empty: there is nothing to play in it.")
        }
        self.file = file
        self.interruption = interruption
        guard let buffer = av_malloc(Int(Self.bufferSize)) else {
            throw MediaInput.error(.file(path: path), vitrail_averror(ENOMEM))
        }
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0,
            // FFmpeg calls back only while the context exists, and this object owns the context.
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return vitrail_averror(EINVAL) }
                return Unmanaged<FileBytes>.fromOpaque(opaque).takeUnretainedValue().read(bytes, count)
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(vitrail_averror(EINVAL)) }
                return Unmanaged<FileBytes>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard let context else {
            av_free(buffer)
            throw MediaInput.error(.file(path: path), vitrail_averror(ENOMEM))
        }
        context.pointee.seekable = self.file.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        if let context {
            // FFmpeg may have replaced the buffer, so it is freed through the context.
            av_free(context.pointee.buffer)
            avio_context_free(&self.context)
        }
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        // A pipe has no time-out: its writer may pause.
        while true {
            if interruption.isDue { return vitrail_averror_exit }
            guard file.waitUntilReadable(100) else { continue }
            let result = Glibc.read(file.descriptor, bytes, Int(count))
            if result > 0 { return Int32(result) }
            if result == 0 { return vitrail_averror_eof }
            if errno != EINTR && errno != EAGAIN { return vitrail_averror(errno) }
        }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard file.isSeekable else { return Int64(vitrail_averror(ESPIPE)) }
        if whence & AVSEEK_SIZE != 0 {
            var status = stat()
            return fstat(file.descriptor, &status) == 0 ? Int64(status.st_size) : Int64(vitrail_averror(errno))
        }
        let position = lseek(file.descriptor, Int(offset), whence & ~AVSEEK_FORCE)
        return position >= 0 ? Int64(position) : Int64(vitrail_averror(errno))
    }
}
