import MediaIO
import VitrailGL

/// Buffers that the GPU fetches planes from: one for each of three pictures in turn, as large as a picture needs.
final class UploadRing {
    private struct Turn: ~Copyable {
        var buffer: UnpackBuffer?
        /// The end of the work that reads the buffer.
        var fence: Fence?
    }

    private let context: GLContext
    private let staysMapped: Bool
    private var turns: InlineArray<3, Turn>
    private var turn = 0
    /// The bytes that the present picture has used.
    private var used = 0

    /// Creates a ring without buffers.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - staysMapped: false to map the buffers for each plane.
    init(_ context: GLContext, staysMapped: Bool = true) {
        (self.context, self.staysMapped) = (context, staysMapped)
        turns = InlineArray { _ in Turn() }
    }

    /// Copies a plane into a buffer, and has the GPU copy it from there into a texture.
    ///
    /// - Parameters:
    ///   - plane: rows in memory, with any stride.
    ///   - texture: has as many rows.
    /// - Returns: false if there is no buffer for it.
    func upload(_ plane: PixelBuffer.Plane, to texture: borrowing Texture) -> Bool {
        let row = texture.width * texture.format.bytesPerTexel
        // Rows of whole cache lines, unless texels would not fit into them.
        let stride = 64 % texture.format.bytesPerTexel == 0 ? (row + 63) & ~63 : row
        let count = stride * texture.height
        guard let first = plane.firstRow(texture.height), reserve(count) else { return false }
        let offset = used
        let isWritten = turns[turn].buffer?.write(offset..<offset + count) { target in
            guard let base = target.baseAddress else { return }
            for index in 0..<texture.height {
                (base + index * stride).copyMemory(from: first + index * plane.bytesPerRow, byteCount: row)
            }
        }
        guard isWritten == true else { return false }
        used += (count + 63) & ~63
        turns[turn].buffer?.upload(from: offset, bytesPerRow: stride, to: texture)
        return true
    }

    /// Ends a picture: what was written stays until the GPU has fetched it.
    func endPicture() {
        guard used > 0 else { return }
        turns[turn].fence = Fence(context)
        (turn, used) = ((turn + 1) % turns.count, 0)
    }

    /// Makes room in the present buffer.
    private func reserve(_ count: Int) -> Bool {
        if used == 0 {
            turns[turn].fence?.wait()
            turns[turn].fence = nil
        }
        let size = turns[turn].buffer?.byteCount ?? 0
        guard used + count > size else { return true }
        do throws(GLError) {
            // The GPU keeps the old one until it has fetched what is in there.
            turns[turn].buffer = try UnpackBuffer(
                context, byteCount: max(size * 2, count + 63, 1 << 20), staysMapped: staysMapped)
        } catch {
            return false
        }
        used = 0
        return true
    }
}

extension PixelBuffer.Plane {
    /// The address of the top row of a plane with `count` rows, which comes last in memory if they are upside down.
    fileprivate func firstRow(_ count: Int) -> UnsafeRawPointer? {
        bytes.baseAddress.map { bytesPerRow < 0 ? $0 - (count - 1) * bytesPerRow : $0 }
    }
}
