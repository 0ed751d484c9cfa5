import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// Lost pictures of H.264 are noticed by their numbers, and nothing else is taken for a loss.
@Suite(.timeLimit(.minutes(25))) struct FrameNumbersTests {
    /// What an encoder's options change in the parameter sets and in the headers of slices.
    static let rows: [[String]] = [
        ["-profile:v", "baseline", "-g", "25"],
        ["-bf", "0", "-refs", "16", "-g", "1000"],
        ["-bf", "3", "-b-pyramid", "normal", "-g", "25"],
        ["-bf", "3", "-x264-params", "open-gop=1:keyint=25:bframes=3"],
        ["-x264-params", "cqm=jvt:keyint=25:bframes=0"],
        ["-x264-params", "intra-refresh=1:keyint=25:bframes=0"],
        ["-x264-params", "interlaced=1:keyint=25"],
        ["-x264-params", "slices=4:keyint=25"],
        ["-x264-params", "stitchable=1:nal-hrd=vbr:vbv-maxrate=500:vbv-bufsize=500:keyint=25"],
    ]

    private static func clip(_ options: [String]) throws -> PacketClip {
        try PacketClip(.h264, count: 80, ["-c:v", "libx264"] + options)
    }

    /// Whether another picture may be decoded from it: nal_ref_idc of its first slice.
    private static func isReference(_ bytes: [UInt8]) -> Bool {
        for place in bytes.indices.dropLast(3) where bytes[place..<place + 3] == [0, 0, 1] {
            let header = bytes[place + 3]
            if [1, 5].contains(header & 31) { return header & 0x60 != 0 }
        }
        return false
    }

    private static func gaps(_ packets: [[UInt8]]) -> [Int] {
        var numbers = FrameNumbers()
        return packets.indices.filter { index in packets[index].withUnsafeBytes { numbers.isAfterGap($0) } }
    }

    @Test(arguments: rows) func eachLostPictureIsNoticed(_ options: [String]) throws {
        let packets = try Self.clip(options).packets
        let bytes = packets.map(\.bytes)
        #expect(bytes.count == 80 && Self.gaps(bytes) == [])
        var references = 0
        for lost in 1..<bytes.count - 1 {
            let isReference = Self.isReference(bytes[lost])
            var rest = bytes
            rest.remove(at: lost)
            // A picture that begins anew needs none of those before it.
            let isNoticed = isReference && !Self.isIDR(bytes[lost + 1])
            let gaps = Self.gaps(rest)
            // After a key frame the count begins anew, and without it may happen to continue.
            let mayContinue = Self.isIDR(bytes[lost]) && gaps == []
            #expect(gaps == (isNoticed ? [lost] : []) || mayContinue, "\(lost)")
            if isNoticed { references += 1 }
        }
        #expect(references > 20)
    }

    private static func isIDR(_ bytes: [UInt8]) -> Bool { bytes.firstRange(of: [0, 0, 1, 0x65]) != nil }

    /// Any number of them, up to what the number can count.
    @Test func severalInARow() throws {
        let bytes = try Self.clip(["-bf", "0", "-g", "1000"]).packets.map(\.bytes)
        for count in 1...14 {
            var rest = bytes
            rest.removeSubrange(20..<20 + count)
            #expect(Self.gaps(rest) == [20], "\(count)")
        }
    }

    /// The parameter sets may come before, and not in the packets.
    @Test func setsOutsideOfThePackets() throws {
        let folder = try ClipFolder()
        try folder.makeClip(
            "a.mkv", size: "96x64", frames: 20, ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p"])
        try folder.ffmpeg(["-i", folder.file("a.mkv"), "-c", "copy", folder.file("a.h264")])
        let packets = PacketClip.split(try folder.bytes("a.h264"), at: [0, 0, 0, 1])
        let sets = packets.filter { [7, 8].contains($0[4] & 31) }
        let pictures = PacketClip.split(try folder.bytes("a.h264"), at: [0, 0, 1]).filter {
            [1, 5].contains($0[3] & 31)
        }
        #expect(sets.count == 2 && pictures.count == 20)
        var numbers = FrameNumbers(configuration: sets.flatMap(\.self))
        var blind = FrameNumbers()
        for (index, picture) in pictures.enumerated() where index != 7 {
            #expect(picture.withUnsafeBytes { numbers.isAfterGap($0) } == (index == 8))
            #expect(!picture.withUnsafeBytes { blind.isAfterGap($0) })
        }
    }

    /// Where the standard allows gaps, they are no loss: gaps_in_frame_num_value_allowed_flag, set by hand.
    @Test func gapsThatAreAllowed() throws {
        let bytes = try Self.clip(["-profile:v", "baseline", "-x264-params", "keyint=1000:ref=1"]).packets.map(\.bytes)
        var rest = bytes
        rest.remove(at: 20)
        #expect(Self.gaps(rest) == [20])
        let set = try #require(bytes[0].firstRange(of: [0, 0, 1, 0x67]))
        // Profile, constraints and level; then, as ue(v): number of the set, 0 = 1; size of frame_num; the kind of order,
        // 2 = 011; one reference = 010; and the flag.
        let text = bytes[0].dropFirst(set.upperBound + 3).prefix(4).map { byte in
            String(repeating: "0", count: byte.leadingZeroBitCount) + (byte == 0 ? "" : String(byte, radix: 2))
        }.joined()
        let zeros = text.dropFirst().prefix { $0 == "0" }.count
        let flag = 1 + 2 * zeros + 1 + 3 + 3
        #expect(text.dropFirst(flag - 6).prefix(7) == "0110100")
        rest[0][set.upperBound + 3 + flag / 8] |= 0x80 >> UInt8(flag % 8)
        #expect(Self.gaps(rest) == [])
    }

    /// A sender that does not number its pictures as the standard says loses a few of them, not all.
    @Test func gapsEverywhereAreNotBelieved() throws {
        let bytes = try Self.clip(["-bf", "0", "-g", "1000"]).packets.map(\.bytes)
        let everySecond = bytes.indices.filter { $0 % 2 == 0 }.map { bytes[$0] }
        #expect(Self.gaps(everySecond) == Array(1...7))
        // Once they follow each other again, gaps count again.
        let later = everySecond.prefix(15) + bytes[29..<40] + bytes[41...]
        #expect(Self.gaps(Array(later)).last == 26)
    }

    /// What is broken does no harm, and after the next parameter sets and key frame nothing is taken for a loss.
    @Test func brokenSetsAndSlices() throws {
        let bytes = try Self.clip(["-bf", "2", "-g", "10"]).packets.map(\.bytes)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var numbers = FrameNumbers()
            for packet in bytes.prefix(20) {
                var broken = Array(packet.prefix(.random(in: 0...60, using: &random)))
                for _ in 0..<3 {
                    if let place = broken.indices.randomElement(using: &random) {
                        broken[place] = .random(in: 0...255, using: &random)
                    }
                }
                _ = broken.withUnsafeBytes { numbers.isAfterGap($0) }
            }
            #expect(!bytes.contains { packet in packet.withUnsafeBytes { numbers.isAfterGap($0) } })
        }
    }
}
