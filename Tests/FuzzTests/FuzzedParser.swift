import CVitrailFFmpeg
import Foundation
import MediaIO
import TestSupport
import VideoEffects
import VideoSources
import VideoWall
import VitrailShaders
import VitrailSupport

@testable import FFmpegMedia
@testable import vitrail

/// What reads bytes from outside: each takes any bytes, and does no more than refuse them.
enum FuzzedParser: String, CaseIterable, Sendable {
    /// An input as it is typed, with its options.
    case inputs
    /// An output of the wall as it is typed.
    case outputs
    case y4m
    /// The header and the GLSL of an effect, as far as they are checked before a compiler sees them.
    case effects
    /// Shaders of Shadertoy.
    case shadertoy
    /// A chain of effects as it is typed.
    case chains
    case cube
    case presets
    /// Wall files in TOML and JSON, up to the inputs that they name; and what is changed in them is read again.
    case walls
    /// The lists of other programs.
    case foreign
    case control
    /// Packets of H.264 and HEVC: what is read of them before a decoder gets them, and how losses are counted.
    case packets
    /// What a decoder's process says that somebody else has taken over.
    case sandbox

    /// Reads bytes.
    func read(_ bytes: [UInt8], _ folder: borrowing TemporaryFolder) {
        let text = String(decoding: bytes, as: UTF8.self)
        var notes: [String] = []
        switch self {
        case .inputs:
            guard let input = try? InputSpecification(text, exists: { _ in false }) else { return }
            checkSecrets(of: text, in: input.typed)
        case .outputs:
            do throws(ProgramError) {
                checkSecrets(of: text, in: try LiveOutputSpecification(text).name)
            } catch {
                // A short one may be a word of the error.
                checkSecrets(of: text, in: error.description, from: 12)
            }
        case .y4m:
            guard let reader = try? Y4MReader(path: folder.write("a.y4m", bytes)) else { return }
            for _ in 0..<8 { guard let frame = try? reader.next(), frame.image.size.width > 0 else { return } }
        case .effects: _ = try? Effect(text, file: "a.effect.glsl")
        case .shadertoy: _ = try? Effect(text, file: "a.shadertoy.glsl", dialect: .shadertoy)
        case .chains:
            guard let chain = try? EffectChain(text, notes: &notes) else { return }
            // What is written is read as the same.
            let again = try? EffectChain(chain.text, notes: &notes)
            precondition(again?.text == chain.text, "A chain is written as another one.")
        case .cube: _ = try? CubeFile.table(text, name: "a.cube")
        case .presets: _ = try? EffectPreset.chains(ofFileAt: folder.write("a.json", bytes), notes: &notes)
        case .walls: readWall(Array(text.utf8))
        case .foreign: _ = try? ForeignWall(bytes, path: "/a", folder: "/")
        case .control:
            do throws(EffectError) {
                _ = try ControlCommand(text)
            } catch {
                _ = ControlLine.text(text).hidingSecrets(in: error.description)
            }
        case .packets: readPackets(bytes)
        case .sandbox: readAnswer(bytes)
        }
    }

    /// A secret of an address is in nothing that is shown, unless it is also something else.
    private func checkSecrets(of text: String, in shown: String, from least: Int = 1) {
        for secret in Secrets.all(in: text)
        where secret.utf8.count >= least && text.utf8.ranges(of: secret.utf8).count == 1 {
            precondition(shown.utf8.firstRange(of: secret.utf8) == nil, "A secret is shown.")
        }
    }

    private func readWall(_ bytes: [UInt8]) {
        for path in ["a.toml", "a.json"] {
            guard let source = try? WallFileSource(bytes, path),
                let document = try? WallDocument(decoding: source.value)
            else { continue }
            // As it is saved.
            let saved = try? WallFileSource(Array(document.toml.utf8), "b.toml")
            let again = try? saved.map { try WallDocument(decoding: $0.value) }
            precondition(again == document, "A wall is saved as another one.")
            _ = try? document.specifications()
        }
    }

    /// The bytes are packets, each after a byte that says how long it is, and what it is said to be.
    private func readPackets(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let codecs: [PacketCodec] = [.h264, .hevc, .vp8, .vp9, .motionJPEG, .av1]
        let codec = codecs[Int(first) % codecs.count]
        var stage = DecodingStage("fuzz", .init(showsDamaged: first & 0x80 != 0)) { packet throws(StreamError) in
            try MediaPacketDecoder(for: packet)
        }
        var rest = bytes.dropFirst()
        var number: Int64 = 0
        while let head = rest.popFirst(), number < 16 {
            let part = Array(rest.prefix(Int(head) * 4 + 1))
            rest = rest.dropFirst(part.count)
            number += head & 1 == 0 ? 1 : 2
            guard !part.isEmpty else { break }
            let packet = part.withUnsafeBytes { bytes in
                try? EncodedPacket(
                    copying: bytes, codec: codec, size: VideoSize(width: 64, height: 48), isKeyFrame: head & 2 != 0,
                    framing: first & 0x40 == 0 ? .startCodes : .lengths(byteCount: 4), sequence: number)
            }
            guard let packet else { continue }
            stage.decode(packet, time: .milliseconds(40) * Int(number), attributes: FrameAttributes()) { _ in }
        }
        stage.drain { _ in }
    }

    /// Every pixel of the pictures is read: the address sanitizer sees those that are not in the memory.
    private func readAnswer(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 1)
        for picture in Self.answer(bytes, memoryByteCount: memory.count)?.pictures ?? [] {
            var (frame, copy) = (av_frame_alloc(), av_frame_alloc())
            defer {
                av_frame_free(&frame)
                av_frame_free(&copy)
            }
            let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let frame, let copy,
                let buffer = av_buffer_create(start, memory.count, { _, _ in }, nil, vitrail_buffer_readonly)
            else { return }
            picture.fill(frame, memory, buffer)
            (copy.pointee.width, copy.pointee.height) = (frame.pointee.width, frame.pointee.height)
            copy.pointee.format = frame.pointee.format
            if av_frame_get_buffer(copy, 0) >= 0 { av_frame_copy(copy, frame) }
        }
    }

    /// The answer that a decoder's process gives, as far as it makes sense.
    static func answer(_ bytes: [UInt8], memoryByteCount: Int) -> SandboxAnswer? {
        bytes.withUnsafeBytes { bytes in
            var reader = SandboxReader(bytes)
            return try? SandboxAnswer(from: &reader, memoryByteCount: memoryByteCount)
        }
    }

    /// An answer with one picture of 64 × 48.
    private static var answer: [UInt8] {
        var writer = SandboxWriter()
        writer.put(Int32(0))
        writer.put(UInt8(0))
        for side: Int64 in [64, 48] { writer.put(side) }
        writer.put(UInt32(1))
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 64)
        defer { memory.deallocate() }
        var frame = av_frame_alloc()
        defer { av_frame_free(&frame) }
        guard let frame else { return [] }
        (frame.pointee.width, frame.pointee.height) = (64, 48)
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        for (plane, (offset, stride)): (Int32, (Int, Int32)) in [(0, (0, 64)), (1, (3072, 32)), (2, (3840, 32))] {
            let first = memory.baseAddress.map { $0 + offset }
            vitrail_frame_set_plane(frame, plane, first?.assumingMemoryBound(to: UInt8.self), stride)
        }
        av_frame_new_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, 8)
        _ = SandboxPicture.put(frame, 1, in: UnsafeRawBufferPointer(memory), to: &writer)
        return Array(writer.bytes)
    }

    /// What the fuzzer begins with.
    var seeds: [[UInt8]] {
        switch self {
        case .inputs:
            return [
                "a.mp4?rotate=90&label=Back%20door", "rtsp://u:p@door/1?subtype=1#rotate=90&latency=0-300", "-?label=x",
                "test:clock?size=320x240&fps=25", "camera:C920?size=1280x720&fps=30&buffering=smoothness",
                "c.yuv?size=64x64&format=v4l2:NV16&stride=64",
                "https://door/a?token=secretsecret&tls=insecure#ca=a.pem",
            ].map { Array($0.utf8) }
        case .outputs:
            return [
                "wall.mp4?size=640x360&fps=25&crf=20", "rtsp://u:p@server/wall?bitrate=4M&codec=h264&tune=quality",
                "srt://h:9000?passphrase=secretsecret#fps=50&gop=100", "rtp://239.0.0.1:5004?sdp=a.sdp",
                "a/live.m3u8?lossless",
            ].map { Array($0.utf8) }
        case .y4m:
            return [
                "YUV4MPEG2 W8 H6 F25:1 Ip A1:1 C420mpeg2 XCOLORRANGE=FULL\nFRAME\n", "YUV4MPEG2 W1 H1\nFRAME Ip\nabc",
            ]
            .map { Array($0.utf8) + [UInt8](repeating: 7, count: 72) }
        case .effects: return ShaderLibrary.effects.map { Array($0.text.utf8) }
        case .shadertoy:
            return [
                Array("void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy); }\n".utf8)
            ]
        case .chains:
            return ["blur:radius=8,grayscale", "privacy-mask:first=0/0:second=1/1:style=pixelate,adjust:off"].map {
                Array($0.utf8)
            }
        case .cube:
            return [
                Array("TITLE \"a\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\n\(String(repeating: "0 0.5 1\n", count: 8))".utf8)
            ]
        case .presets: return [Array(#"{"tiles": [[{"effect": "blur", "set": {"radius": 2}}]], "wall": []}"#.utf8)]
        case .walls:
            return [
                """
                title = "a" # b
                [layout]
                kind = "spotlight"
                [[input]]
                name = 'Front door'
                url = "rtsp://viewer@door.lan/1"
                substream = "rtsp://viewer@door.lan/2"
                secret = "env:DOOR"
                place = { x = 0.5, y = 0, width = 0.5, height = 1 }
                """, #"{"input": [{"url": "a.mp4", "rotate": 90, "zoom": {"scale": 2, "x": 0.5, "y": 0.5}}]}"#,
            ].map { Array($0.utf8) }
        case .foreign:
            return [
                "#EXTM3U\n#EXTINF:-1,Door\nrtsp://door/1\n",
                #"{"format":"gridplayer-playlist","version":1,"videos":[]}"#,
                #"{"version":1,"presets":[{"columns":2,"rows":1,"items":[{"url":"rtsp://a/1"}]}]}"#,
                "[General]\nsize=2x2\n",
            ].map { Array($0.utf8) }
        case .control:
            return [
                #"{"do": "layout spotlight", "tile": 2}"#, #"{"set": {"blur.radius": 8}, "tile": 1}"#,
                #"{"effects": "sepia,vignette", "wall": true}"#, #"{"on": false}"#,
            ].map { Array($0.utf8) }
        case .packets:
            return [
                [0, 4, 0, 0, 0, 1, 0x67, 0x42, 0, 0x1E, 0xAB, 0x40, 0, 0, 1, 0x68, 0xCE, 0x38, 0x80],
                [4, 2, 0xFF, 0xD8],
            ]
        case .sandbox: return [Self.answer]
        }
    }
}
