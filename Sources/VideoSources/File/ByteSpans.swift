import Glibc

/// A list of memory ranges for scatter and gather I/O with as few system calls as possible.
///
/// The caller must keep the memory alive until the list is processed.
///
/// **Cost:** its storage is reused, so that a list of the same length allocates nothing the next time.
struct ByteSpans {
    private var pieces: [iovec] = []
    private var first = 0
    /// Bytes that are still to be transferred.
    private(set) var remaining = 0

    /// Removes all ranges.
    mutating func removeAll() {
        pieces.removeAll(keepingCapacity: true)
        (first, remaining) = (0, 0)
    }

    /// Adds a range, merged with the last one if it begins where that one ends.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        remaining += bytes.count
        if let last = pieces.last, let end = last.iov_base.map({ $0 + last.iov_len }), end == start {
            pieces[pieces.count - 1].iov_len += bytes.count
        } else {
            pieces.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: start), iov_len: bytes.count))
        }
    }

    /// Removes transferred bytes from the front; never more than ``remaining``.
    private mutating func advance(by count: Int) {
        remaining -= count
        var count = count
        while first < pieces.count, count >= pieces[first].iov_len {
            count -= pieces[first].iov_len
            first += 1
        }
        guard count > 0 else { return }
        pieces[first].iov_base += count
        pieces[first].iov_len -= count
    }

    /// Copies as much of `bytes` as fits into the ranges, removes the filled part, and returns the number of bytes.
    mutating func fill(from bytes: UnsafeRawBufferPointer) -> Int {
        let total = min(bytes.count, remaining)
        var done = 0
        while done < total {
            let part = min(total - done, pieces[first].iov_len)
            pieces[first].iov_base.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped + done, byteCount: part)
            advance(by: part)
            done += part
        }
        return total
    }

    /// Transfers some of the remaining bytes with one system call.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to read or write.
    ///   - call: `readv` or `writev`.
    /// - Returns: the result of the call: a number of bytes, or −1 and `errno`.
    mutating func transfer(
        _ descriptor: Int32, _ call: (Int32, UnsafePointer<iovec>?, Int32) -> Int
    ) -> Int {
        let count = pieces[first...].withUnsafeBufferPointer { pieces in
            // IOV_MAX of Linux.
            call(descriptor, pieces.baseAddress, Int32(min(pieces.count, 1024)))
        }
        if count > 0 { advance(by: count) }
        return count
    }
}

/// Checks `errno`, and waits if a non-blocking descriptor is merely not ready yet.
///
/// - Parameters:
///   - descriptor: the descriptor that was read or written.
///   - event: `POLLIN` or `POLLOUT`.
/// - Returns: the error number, or `nil` to try again.
func waitAfterFailure(_ descriptor: Int32, _ event: Int32) -> Int32? {
    switch errno {
    case EINTR: return nil
    case EAGAIN:
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        _ = poll(&entry, 1, -1)
        return nil
    case let failure: return failure
    }
}
