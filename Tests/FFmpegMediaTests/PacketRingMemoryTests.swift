import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// What the rings of real streams need of memory.
@Suite(.timeLimit(.minutes(25))) struct PacketRingMemoryTests {
    private static let asked = 64_000_000

    /// The memory that the program has taken, in bytes, without that of its files.
    private static func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.split(separator: " ")[1])) * 1024
    }

    /// Receives a file once, as if it came at a hundred times its speed.
    private static func receive(_ location: MediaLocation, _ outlet: PacketOutlet, at begin: Duration) throws {
        let reader = try MediaPacketReader(location)
        reader.select(Set(reader.tracks.filter(\.isMain).map(\.id)))
        outlet.beginConnection()
        while let packet = try reader.next() {
            let time = packet.timing.decoding ?? packet.timing.presentation ?? .zero
            outlet.distribute(try packet.arriving(at: begin + time / 100))
        }
    }

    @Test(
        "Two hours of two streams, at a hundred times their speed: rings need the memory that was asked for, within a tenth",
        .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."))
    func memory() async {
        await #expect(processExitsWith: .success) {
            let folder = try ClipFolder()
            let encoders = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a", "aac"]
            for (name, size) in [("a.ts", "640x360"), ("b.mkv", "96x64")] {
                let picture = "testsrc2=size=\(size):rate=25"
                try folder.ffmpeg(
                    ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "sine=sample_rate=48000", "-t", "20"]
                        + encoders + [folder.file(name)])
            }
            let rings = PacketRings(byteCount: Self.asked, duration: .seconds(3600))
            let outlets = [PacketOutlet(name: "a"), PacketOutlet(name: "b")]
            let locations = [folder.location("a.ts"), folder.location("b.mkv")]
            // What the demuxers need is not the rings'.
            for _ in 0..<20 {
                for (location, outlet) in zip(locations, outlets) { try Self.receive(location, outlet, at: .zero) }
            }
            let before = try Self.resident()
            for outlet in outlets { outlet.ring = rings.makeRing() }
            for round in 0..<360 {
                for (location, outlet) in zip(locations, outlets) {
                    try Self.receive(location, outlet, at: .milliseconds(200 * round))
                }
                guard round > 180 else { continue }
                let needed = try Self.resident() - before
                #expect(abs(needed - Self.asked) <= Self.asked / 10, "round \(round): \(needed)")
                #expect(rings.usedByteCount <= Self.asked)
            }
        }
    }
}
