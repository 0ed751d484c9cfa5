import CVitrailFFmpeg
import Glibc
import MediaIO

/// An open file or named pipe, as a byte source for libavformat.
///
/// The library gets bytes instead of a path, so that it opens no file, neither this one nor one that it refers to.
final class FileBytes {
    private static let bufferSize: Int32 = 1 << 16

    /// Whether it is seekable: a file, not a pipe.
    let isSeekable: Bool
    private let descriptor: Int32
    private let interruption: Interruption
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Opens `path`.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` for a path that does not exist, is not readable or is not a file.
    init(_ path: String, _ interruption: Interruption) throws(StreamError) {
        // Without O_NONBLOCK, opening a named pipe waits for a writer, and nothing could cancel that.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.error(path, errno) }
        do throws(StreamError) {
            isSeekable = try Self.examine(path, descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.interruption = interruption
        guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw Self.error(path, ENOMEM) }
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0,
            // The library calls back only while the context exists, which this object owns.
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
            throw Self.error(path, ENOMEM)
        }
        context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    deinit {
        if let context {
            // The library may have replaced the buffer, so it is freed through the context.
            av_free(context.pointee.buffer)
            avio_context_free(&self.context)
        }
        close(descriptor)
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        if !isSeekable { interruption.arm() }
        while true {
            if interruption.isDue { return vitrail_averror_exit }
            if !isSeekable {
                // A pipe without a writer yet would read as ended; poll knows the difference.
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&request, 1, 100) == 0 { continue }
            }
            let result = Glibc.read(descriptor, bytes, Int(count))
            if result > 0 { return Int32(result) }
            if result == 0 { return vitrail_averror_eof }
            if errno != EINTR && errno != EAGAIN { return vitrail_averror(errno) }
        }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard isSeekable else { return Int64(vitrail_averror(ESPIPE)) }
        if whence & AVSEEK_SIZE != 0 {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : Int64(vitrail_averror(errno))
        }
        let position = lseek(descriptor, Int(offset), whence & ~AVSEEK_FORCE)
        return position >= 0 ? Int64(position) : Int64(vitrail_averror(errno))
    }

    /// Checks the opened file; true if it is seekable.
    private static func examine(_ path: String, _ descriptor: Int32) throws(StreamError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw error(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size == 0:
            throw StreamError(.malformed, "\(MediaLocation.file(path: path)) is empty: there is nothing to play.")
        case S_IFREG, S_IFBLK: return true
        case S_IFDIR:
            throw StreamError(
                .cannotOpen, "\(MediaLocation.file(path: path)) is a directory: use a file in it.", underlying: EISDIR)
        default: return false
        }
    }

    private static func error(_ path: String, _ number: Int32) -> StreamError {
        let advice =
            switch number {
            case ENOENT, ENOTDIR: "check the path"
            case EACCES, EPERM: "ask its owner for read permission"
            case ENXIO: "it is a socket or a device without a driver; use a file"
            default: "free the exhausted resource, or use another file"
            }
        let cause = String(cString: strerror(number))
        return StreamError(
            .cannotOpen, "\(MediaLocation.file(path: path)) cannot be opened (\(cause)): \(advice).", underlying: number
        )
    }
}
