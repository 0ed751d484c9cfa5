import CVitrailKernels
import MediaIO
import VideoWall

/// The conversion of a picture to I420 or I422, in strips of rows.
final class PictureEncoding: SharedWork, @unchecked Sendable {
    // Unchecked: what strips read is written before they begin, and each writes rows of its own.
    private var picture: PictureMemory?
    private let planes = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>.allocate(capacity: 3)
    private let strides = UnsafeMutablePointer<Int>.allocate(capacity: 3)
    /// A row of the matrix and an offset for each plane.
    private let weights = UnsafeMutablePointer<Float>.allocate(capacity: 12)
    private var halvesRows = true
    private var stripHeight = 2
    private(set) var stripCount = 0

    deinit {
        planes.deallocate()
        strides.deallocate()
        weights.deallocate()
    }

    /// Sets what is converted, into planes that remain until the strips are done.
    func begin(
        _ picture: PictureMemory, _ target: borrowing WritablePlanes, _ transform: YCbCrTransform, threadCount: Int
    ) {
        self.picture = picture
        halvesRows = target.format == .i420
        for index in 0..<3 {
            target.withPlaneBytes(index) { bytes in
                if let base = bytes.baseAddress { planes[index] = base.assumingMemoryBound(to: UInt8.self) }
            }
            strides[index] = target.bytesPerRow(index)
        }
        set(0, transform.matrix.0, transform.offset.x)
        set(1, transform.matrix.1, transform.offset.y)
        set(2, transform.matrix.2, transform.offset.z)
        let strips = threadCount == 1 ? 1 : 4 * threadCount
        stripHeight = max(16, ((picture.size.height + strips - 1) / strips + 1) & ~1)
        stripCount = (picture.size.height + stripHeight - 1) / stripHeight
    }

    private func set(_ plane: Int, _ row: SIMD3<Double>, _ offset: Double) {
        (weights[4 * plane], weights[4 * plane + 1]) = (Float(row.x), Float(row.y))
        (weights[4 * plane + 2], weights[4 * plane + 3]) = (Float(row.z), Float(offset * 255))
    }

    func perform(_ part: Int, worker: Int) {
        guard let picture else { return }
        let first = part * stripHeight
        vitrail_encode_planes(
            halvesRows, picture.bytes, picture.bytesPerRow, Int32(picture.size.width), Int32(picture.size.height),
            Int32(first),
            Int32(min(first + stripHeight, picture.size.height)), planes, strides, weights)
    }
}
