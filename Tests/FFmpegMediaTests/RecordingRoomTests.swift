import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// Room on the disk for recordings.
@Suite(.timeLimit(.minutes(25)))
struct RecordingRoomTests {
    private static let mjpeg = ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "1"]
    private let folder: ClipFolder

    init() throws {
        folder = try ClipFolder()
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
    }

    private func settings(_ pattern: String, deletesOldest: Bool = false) throws -> RecordingSettings {
        var settings = RecordingSettings(folder: folder.file("out"), pattern: try RecordingPattern(pattern))
        (settings.reserve, settings.deletesOldest) = (0, deletesOldest)
        return settings
    }

    private var files: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.file("out"))) ?? [])
    }

    /// What files take on a disk.
    private static func byteCount(_ folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return lstat("\(folder)/\(name)", &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
        }
    }

    /// A recorder on a disk that has so many bytes.
    private func recorder(
        _ settings: RecordingSettings, diskSize: @escaping @Sendable () -> Int,
        onChange: @escaping @Sendable (RecorderCondition) -> Void = { _ in }
    ) -> PacketRecorder {
        PacketRecorder(
            settings, name: "yard", indexer: RecordingIndexer(), pause: .zero,
            free: { diskSize() - Self.byteCount($0) }, onChange: onChange)
    }

    @Test("Without room it pauses, says so once, makes no file, and goes on when there is room")
    func pause() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 2, Self.mjpeg)
        let (size, conditions) = (Monitor(4 << 20), Monitor<[RecorderCondition]>([]))
        let recorder = recorder(try settings("{number}.mkv"), diskSize: { size.withLock { $0 } }) { condition in
            conditions.withLock { $0.append(condition) }
        }
        for packet in clip.packets { recorder.consume(packet) }
        #expect(files.isEmpty && recorder.counts.omitted >= clip.packets.count - 20)
        size.withLock { $0 = 64 << 20 }
        clip.record(with: recorder)
        #expect(files == ["001.mkv"])
        let found = conditions.withLock { $0 }
        guard case .paused(let reason)? = found.first else { throw ClipFolder.ToolError(description: "\(found)") }
        #expect(reason.contains("is full: delete something there until 8 MB are free"), "\(reason)")
        #expect(
            found.dropFirst() == [.recording(path: folder.file("out/001.mkv"), omission: nil), .ended], "\(found)")
    }

    @Test("To keep the reserve, the oldest recordings are deleted, and nothing else")
    func oldest() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 1, Self.mjpeg)
        let own = ["a_2020-01-01_00-00-00.mkv", "b_2020-01-01_00-00-00-2.mkv", "c_2020-01-01_00-00-00.mkv"]
        let others = ["a_2020-01-01_00-00-00.mp4", "holiday.mkv", "a_2020-01-01.mkv", "d_2020-01-01_00-00-00.mkv"]
        for (age, name) in (others + own).enumerated() {
            try folder.write([UInt8](repeating: 1, count: 4 << 20), to: "out/\(name)")
            let date = Date(timeIntervalSinceNow: Double(age - 100))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.file("out/\(name)"))
        }
        let busy = open(folder.file("out/\(others[3])"), O_RDONLY)
        defer { close(busy) }
        #expect(flock(busy, LOCK_EX) == 0)
        var settings = try settings("{name}_{time}.mkv", deletesOldest: true)
        // All that can be deleted would not be enough.
        settings.reserve = 100 << 20
        let disk: @Sendable () -> Int = { 32 << 20 }
        clip.record(with: recorder(settings, diskSize: disk))
        #expect(files == Set(own + others))
        // 8 MiB are to be free for another file, and 4 are.
        settings.reserve = 0
        clip.record(with: recorder(settings, diskSize: disk))
        #expect(files.isSuperset(of: own.dropFirst() + others) && files.count == 7, "\(files)")
    }

    @Test(
        "Where the oldest are deleted, a disk of any size keeps the newest, without pauses",
        arguments: [(1, "mkv"), (3, "mkv"), (1, "mp4")])
    func newest(_ count: Int, _ ending: String) throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 2, Self.mjpeg)
        let conditions = Monitor<[RecorderCondition]>([])
        let settings = try settings("{time}.\(ending)", deletesOldest: true)
        let recorders = (0..<count).map { _ in
            recorder(settings, diskSize: { 40 << 20 }) { condition in conditions.withLock { $0.append(condition) } }
        }
        for round in 0..<600 / count {
            for packet in clip.packets {
                let arrival = packet.timing.arrival ?? .zero
                let packet = try packet.arriving(at: arrival + .seconds(2) * round)
                for recorder in recorders { recorder.consume(packet) }
            }
        }
        for recorder in recorders {
            recorder.didDetach()
            recorder.waitForEnd(until: .now + .seconds(60))
        }
        // There is room for their indexes, too.
        for name in files where ending == "mp4" {
            let bytes = try Data(contentsOf: URL(filePath: folder.file("out/\(name)")))
            #expect(bytes.range(of: Data("moof".utf8)) == nil && bytes.range(of: Data("stts".utf8)) != nil, "\(name)")
        }
        let byteCount = Self.byteCount(folder.file("out"))
        #expect(byteCount <= 40 << 20 && byteCount > 20 << 20, "\(byteCount)")
        #expect(recorders.reduce(0) { $0 + $1.counts.bytes } > 90 << 20)
        for condition in conditions.withLock({ $0 }) {
            if case .paused(let reason) = condition { Issue.record("\(reason)") }
        }
    }

    @Test("A folder that cannot be written to pauses it; it goes on in another file")
    func folderIsGone() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 3, Self.mjpeg)
        try FileManager.default.removeItem(atPath: folder.file("out"))
        try folder.write([1], to: "out")
        let conditions = Monitor<[RecorderCondition]>([])
        let recorder = PacketRecorder(
            try settings("{number}.mkv"), name: "yard", indexer: RecordingIndexer(), pause: .zero
        ) { condition in
            conditions.withLock { $0.append(condition) }
        }
        try clip.record(
            with: recorder,
            after: { index in
                if index == 100 { try FileManager.default.removeItem(atPath: folder.file("out")) }
            })
        let found = conditions.withLock { $0 }
        guard case .paused(let reason)? = found.first else { throw ClipFolder.ToolError(description: "\(found)") }
        #expect(reason.contains("Not a directory"), "\(reason)")
        #expect(found.dropFirst() == [.recording(path: folder.file("out/001.mkv"), omission: nil), .ended])
        #expect(try MediaPacketReader(folder.location("out/001.mkv")).next()?.isKeyFrame == true)
    }
}
