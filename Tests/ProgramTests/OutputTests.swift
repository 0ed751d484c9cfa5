import FFmpegMedia
import Foundation
import MediaIO
import PNGFile
import TestSupport
import Testing

@testable import vitrail

/// What `--output` means, and that a file is whole or not there.
struct OutputTests {
    @Test("The form of the output follows from its extension")
    func reads() throws {
        #expect(try OutputSpecification("a.png") == .picture(path: "a.png"))
        #expect(try OutputSpecification("a.PNG") == .picture(path: "a.PNG"))
        #expect(try OutputSpecification("100%.png") == .picture(path: "100%.png"))
        #expect(try OutputSpecification("a.b/c.y4m") == .y4m(path: "a.b/c.y4m"))
        #expect(try OutputSpecification("-") == .standardOutput)
        #expect(try OutputSpecification("a.MKV") == .encoded(path: "a.MKV", .matroska))
    }

    @Test(
        "A series numbers its pictures",
        arguments: [
            ("a-%d.png", 7, "a-7.png"), ("a-%04d.png", 7, "a-0007.png"), ("%02d.png", 123, "123.png"),
            ("%03d/100%.png", 0, "000/100%.png"),
        ])
    func numbers(_ text: String, _ index: Int, _ expected: String) throws {
        guard case .series(let series) = try OutputSpecification(text) else {
            Issue.record("\(text) is no series.")
            return
        }
        #expect(series.path(index) == expected)
    }

    @Test(
        "An unknown output names the supported ones",
        arguments: [
            "", "a", "a.avi", "a.mp3", "png", "a.png/", "a.y4m/b", "%d-%d.png", "%099d.png",
            "%0999999999999999999999d.png",
        ])
    func refuses(_ text: String) throws {
        let error = try #require(throws: ProgramError.self) { try OutputSpecification(text) }
        #expect(error.status == .usage)
        #expect(error.description.contains("%04d.png"))
    }

    @Test("A file appears only when it is complete")
    func appears() throws {
        let folder = TemporaryFolder()
        let file = try OutputFile("\(folder.path)/a", TemporaryFiles())
        try file.write([1, 2, 3])
        #expect(try folder.names.count(where: { $0 == "a" }) == 0)
        try file.commit()
        #expect(try folder.names == ["a"])
        #expect(try folder.read("a") == [1, 2, 3])
    }

    @Test("An abandoned file leaves the existing one unchanged")
    func givesUp() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a", [9])
        do {
            let file = try OutputFile("\(folder.path)/a", TemporaryFiles())
            try file.write([1, 2, 3])
        }
        #expect(try folder.names == ["a"])
        #expect(try folder.read("a") == [9])
    }

    @Test("A link stays a link, and permissions stay")
    func keepsLinks() throws {
        let folder = TemporaryFolder()
        let target = folder.write("target", [9])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: target)
        let file = try OutputFile("\(folder.path)/link", TemporaryFiles())
        try file.write([1])
        try file.commit()
        #expect(try folder.read("target") == [1])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link") == target)
        let permissions = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(permissions == 0o640)
    }

    @Test("An output that cannot be written is reported", arguments: ["/nowhere/a.png", "/proc/a.png", "/"])
    func cannotCreate(_ path: String) throws {
        let error = try #require(throws: ProgramError.self) { try OutputFile(path, TemporaryFiles()) }
        #expect(error.status == .cannotCreate)
        #expect(error.description.contains(path))
    }

    @Test("A full device is reported")
    func full() throws {
        let file = try OutputFile("/dev/full", TemporaryFiles())
        let error = try #require(throws: ProgramError.self) { try file.write([1]) }
        #expect(error.status == .cannotCreate)
    }

    @Test("Snapshots are saved on another thread, one at a time; a failure is told")
    func snapshots() throws {
        let folder = TemporaryFolder()
        let files = TemporaryFiles()
        let size = VideoSize(width: 2, height: 2)
        let writer = SnapshotWriter()
        let woken = Monitor(0)
        // As long as another file is being created, this one waits.
        let mayGo = Monitor(false)
        let isHeld = Monitor(false)
        let holder = try SystemThread(for: "test") {
            _ = files.create("held") {
                isHeld.change { $0 = true }
                mayGo.wait { $0 ? () : nil }
                return -1
            }
        }
        isHeld.wait { $0 ? () : nil }
        try writer.save([UInt8](repeating: 7, count: 16), size, files, in: folder.path) { woken.change { $0 += 1 } }
        #expect(writer.isBusy && writer.take() == nil)
        mayGo.change { $0 = true }
        holder.join()
        woken.wait { $0 == 1 ? () : nil }
        #expect(!writer.isBusy)
        let path = try #require(try writer.take()?.get())
        #expect(writer.take() == nil)
        #expect(try PNG.read(path).rgba == [UInt8](repeating: 7, count: 16))

        let other = SnapshotWriter()
        try other.save([UInt8](repeating: 7, count: 16), size, files, in: "\(folder.path)/missing") {}
        other.finish(until: .now + .seconds(60))
        guard case .failure(let error) = other.take() else {
            Issue.record("It was saved in a folder that does not exist.")
            return
        }
        #expect(error.description.contains("cannot be written: No such file or directory"))
    }

    @Test("A snapshot gets an unused name")
    func snapshotName() {
        let first = SnapshotWriter.name(at: 0) { _ in false }
        #expect(first.wholeMatch(of: /vitrail-[0-9]{8}-[0-9]{6}\.png/) != nil)
        let third = SnapshotWriter.name(at: 0) { !$0.hasSuffix("-3.png") }
        #expect(third == first.replacing(".png", with: "-3.png"))
    }
}
