import CVitrailFFmpeg
import Foundation
import MediaIO
import Testing

/// The tables of formats against those of libavutil and of the kernel.
struct FormatTableTests {
    /// What FFmpeg has only in versions later than 5.1, and which.
    static let laterFFmpeg = ["vuya": "6.0", "vuyx": "6.0", "rgbaf16le": "6.0", "p012le": "6.0", "ayuv": "7.1"]
    /// What Linux has only in versions later than 6.1, and which.
    static let laterLinux = ["P012": "6.4", "Y210": "6.7"]

    static let namesOfFFmpeg = PixelFormat.allCases.flatMap { format in
        format.names(in: .ffmpeg).map { (format, $0) }
    }

    @Test(arguments: namesOfFFmpeg) func nameIsKnownToFFmpeg(_ format: PixelFormat, _ name: String) {
        let isKnown = av_get_pix_fmt(name) != AV_PIX_FMT_NONE
        #expect(isKnown || Self.laterFFmpeg[name] != nil)
    }

    /// Bayer formats are described there as colours with fewer bits, and have no components here.
    @Test(arguments: namesOfFFmpeg.filter { $0.0.layout.model != .bayer })
    func layoutIsThatOfFFmpeg(_ format: PixelFormat, _ name: String) throws {
        guard let description = av_pix_fmt_desc_get(av_get_pix_fmt(name))?.pointee else {
            #expect(Self.laterFFmpeg[name] != nil)
            return
        }
        let layout = format.layout
        let isRGB = description.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        let hasAlpha = description.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        #expect(description.flags & UInt64(AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL) == 0)
        #expect(layout.planes.count == av_pix_fmt_count_planes(av_get_pix_fmt(name)))
        #expect(isRGB == (layout.model == .rgb))
        #expect(hasAlpha == layout.hasAlpha)
        #expect(layout.isFloat == (description.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0))
        #expect(layout.horizontalShift == Int(description.log2_chroma_w))
        #expect(layout.verticalShift == Int(description.log2_chroma_h))

        let comps = description.comp
        let known = [comps.0, comps.1, comps.2, comps.3].prefix(Int(description.nb_components))
        let colors = hasAlpha ? known.dropLast() : known
        let ours = layout.components
        #expect((0..<3).map { ours[$0] != nil } == (0..<3).map { $0 < colors.count })
        for (index, theirs) in colors.enumerated() { try compare(try #require(ours[index]), theirs) }
        if hasAlpha { try compare(try #require(ours[3]), try #require(known.last)) }
    }

    /// FFmpeg counts the bits of a shared word from the byte that the sample begins in.
    private func compare(_ ours: ComponentDescription, _ theirs: AVComponentDescriptor) throws {
        #expect(ours.plane == Int(theirs.plane))
        #expect(ours.step == Int(theirs.step))
        #expect(ours.offset * 8 + ours.shift == Int(theirs.offset * 8 + theirs.shift))
        #expect(ours.depth == Int(theirs.depth))
        #expect(ours.shift + ours.depth <= ours.wordBytes * 8)
    }

    @Test(arguments: PixelFormat.allCases) func sizeOfPictureIsThatOfFFmpeg(_ format: PixelFormat) throws {
        let name = format.names(in: .ffmpeg).first.map { av_get_pix_fmt($0) } ?? AV_PIX_FMT_NONE
        guard name != AV_PIX_FMT_NONE else { return }
        for (width, height) in [(1, 1), (2, 2), (3, 5), (35, 23), (64, 48)] {
            // Where chroma is shared, FFmpeg counts a row of an odd width to half a pair.
            let isWhole = format.planes[0].blockWidth == 1 || width % 2 == 0
            guard isWhole else { continue }
            let size = VideoSize(width: width, height: height)
            #expect(
                format.packedByteCount(size) == Int(av_image_get_buffer_size(name, Int32(width), Int32(height), 1)),
                "\(size)")
        }
    }

    @Test func fourCharactersAreKnownToLinux() throws {
        let header = try String(contentsOfFile: "/usr/include/linux/videodev2.h", encoding: .utf8)
        let known = Set(
            header.matches(of: /v4l2_fourcc\('(.)', *'(.)', *'(.)', *'(.)'\)/).map {
                "\($0.1)\($0.2)\($0.3)\($0.4)"
            })
        #expect(known.count > 100)
        for format in PixelFormat.allCases {
            for name in format.names(in: .v4l2) {
                let padded = name + String(repeating: " ", count: 4 - name.count)
                #expect(known.contains(padded) || Self.laterLinux[name] != nil, "\(format): \(name)")
            }
        }
    }
}
