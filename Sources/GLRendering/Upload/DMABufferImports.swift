import MediaIO
import VitrailGL

/// Decides which frames in DMA-BUFs are drawn from their own memory, and which are mapped and uploaded.
///
/// A driver may import a DMA-BUF and still read it wrongly. So the first frame of each layout is both imported and
/// uploaded, and the texels are compared; if they are equal, all frames of that layout are imported from then on.
///
/// A frame of one colour would look right in any case. Then the comparison is repeated with later frames, ever less
/// often, and frames are uploaded until it succeeds. If only one plane has a single value, as the chroma of a
/// black-and-white camera does, frames are imported meanwhile. Tiled memory cannot be mapped, so it is imported without
/// a comparison.
final class DMABufferImports {
    private struct Layout: Hashable {
        let fourCC: UInt32
        let modifier: UInt64
        let size: VideoSize
        let strides: SIMD4<Int>

        init(_ image: DMABufferImage) {
            (fourCC, modifier, size) = (image.fourCC, image.modifier, image.size)
            var strides = SIMD4(repeating: 0)
            for index in image.planes.indices { strides[index] = image.planes[index].bytesPerRow }
            self.strides = strides
        }
    }

    private enum Verdict {
        /// Undecided after that many frames; `isImported` says whether frames are imported in the meantime.
        case open(frames: Int, isImported: Bool)
        case works
        case refused(String)
    }

    private let context: GLContext
    /// The driver's importer, or why there is none; tests set another one.
    var importer: Result<DMABufferImporter, GLError>
    private var comparison: TexelComparison?
    private var verdicts: [Layout: Verdict] = [:]
    /// Why the last frame was not imported.
    private(set) var reason: String?

    init(_ context: GLContext) {
        self.context = context
        do throws(GLError) {
            importer = .success(try DMABufferImporter(context))
        } catch {
            importer = .failure(error)
        }
    }

    /// Takes a frame's memory as textures, if the driver reads it right.
    ///
    /// - Parameters:
    ///   - image: the frame.
    ///   - format: its format.
    ///   - uploader: uploads what is compared.
    ///   - planes: textures for frames of its format and size; evaluated only to import.
    /// - Returns: false if it must be mapped and uploaded; ``reason`` says why.
    /// - Throws: what mapping throws; ``GLError/Code/texture`` for a tiled frame that the driver does not import.
    func take(
        _ image: DMABufferImage, _ format: PixelFormat, _ uploader: FrameUploader,
        into planes: @autoclosure () -> FrameTextures
    ) throws -> Bool {
        let isLinear = image.modifier == DMABufferImage.linear
        try image.validatePlanes(format)
        reason = try refusal(image, uploader, planes)
        if !isLinear, let reason {
            throw GLError(.texture, "\(reason) Request linear memory (modifier 0) from the source.")
        }
        return reason == nil
    }

    /// Why a frame is not taken; `nil` if it is.
    private func refusal(
        _ image: DMABufferImage, _ uploader: FrameUploader, _ planes: () -> FrameTextures
    ) throws(StreamError) -> String? {
        let importer: DMABufferImporter
        switch self.importer {
        case .success(let found): importer = found
        case .failure(let error): return error.description
        }
        let layout = Layout(image)
        switch verdicts[layout] ?? .open(frames: 0, isImported: false) {
        case .refused(let reason): return reason
        case .open(let count, let isImported):
            let frames = count + 1
            verdicts[layout] = .open(frames: frames, isImported: isImported)
            // Frames 1, 2, 4, 8 …
            if frames & (frames - 1) == 0 {
                return try test(image, layout, frames, isImported, importer, uploader, planes)
            }
            guard isImported else { return Self.flatReason }
        case .works: break
        }
        do throws(GLError) { try planes().take(image, importer, uploader) } catch { return error.description }
        return nil
    }

    /// Imports a frame and, if it can be mapped, compares the texels with what an upload gives.
    private func test(
        _ image: DMABufferImage, _ layout: Layout, _ frames: Int, _ isImported: Bool, _ importer: DMABufferImporter,
        _ uploader: FrameUploader, _ planes: () -> FrameTextures
    ) throws(StreamError) -> String? {
        let buffer = image.modifier == DMABufferImage.linear ? try FrameImage.dmaBuffer(image).mapped() : nil
        do throws(GLError) {
            let planes = planes()
            try planes.take(image, importer, uploader)
            if let buffer {
                let uploaded = try FrameTextures(context, format: planes.format, size: planes.size)
                uploaded.upload(buffer, uploader)
                if comparison == nil { comparison = try TexelComparison(context) }
                switch comparison?.compare(planes, uploaded) {
                case .equal: break
                case .partlyFlat:
                    verdicts[layout] = .open(frames: frames, isImported: true)
                    return nil
                case .flat: return isImported ? nil : Self.flatReason
                case .different, nil:
                    throw GLError(
                        .texture, "The driver imports DMA-BUFs of this layout, but reads other texels from them.")
                }
            }
            verdicts[layout] = .works
            return nil
        } catch {
            verdicts[layout] = .refused(error.description)
            return error.description
        }
    }

    private static let flatReason =
        "The frames so far were of one colour, which does not show whether the driver reads DMA-BUFs right."
}
