import Foundation
import TestSupport
import Testing

@testable import vitrail

/// What was last opened.
struct RecentTests {
    @Test("The last one is the first, each is there once, and there are eight at most")
    func limits() {
        var list = RecentList()
        #expect(list.entries.isEmpty && list.text.isEmpty)
        for number in 1...12 { list.add([.input("test:bars?label=\(number)")]) }
        #expect(list.entries.count == 8 && list.entries.first == .input("test:bars?label=12"))
        list.add([.wall(path: "/a.toml"), .input("test:bars?label=9"), .wall(path: "/a.toml")])
        let labels = [12, 11, 10, 8, 7, 6].map { RecentList.Entry.input("test:bars?label=\($0)") }
        #expect(list.entries == [.wall(path: "/a.toml"), .input("test:bars?label=9")] + labels)
        list.add((1...9).map { .wall(path: "/\($0).toml") })
        #expect(list.entries == (1...8).map { .wall(path: "/\($0).toml") })
        #expect(RecentList(text: list.text) == list)
        // A file that somebody has made longer.
        #expect(RecentList(text: (1...20).map { "wall /\($0)\n" }.joined()).entries.count == 8)
    }

    @Test(
        "What has a secret in it is neither stored nor shown, even from a file",
        arguments: [
            "rtsp://me:password@door/1", "rtsp://me@door/1", "https://door/a.m3u8?token=abc", "rtmp://host/live/key",
            "rtsp://door/1?user=a&pwd=b", "me:password@door/1",
        ])
    func secrets(_ text: String) {
        var list = RecentList()
        list.add([.input(text), .input("rtsp://door/1"), .wall(path: "/walls/\(text)")])
        #expect(list.entries == [.input("rtsp://door/1")])
        #expect(RecentList(text: "input \(text)\ninput rtsp://door/1\nwall /walls/\(text)\n") == list)
    }

    @Test("What cannot stand in a line is left out, and so is what is no entry")
    func lines() {
        var list = RecentList()
        list.add([.input("a\nwall /b"), .input("a\u{1B}[2J"), .input(""), .input(String(repeating: "a", count: 4097))])
        #expect(list.entries.isEmpty)
        let text = "\u{0}\u{FF}\nwall\nwall \nfolder /a\r\n  \ninput test:bars\ninput test:bars\nwall /a b.toml"
        #expect(RecentList(text: text).entries == [.input("test:bars"), .wall(path: "/a b.toml")])
    }

    @Test("A file is known by its whole path; what is not there, and standard input, is not known")
    func typed() throws {
        let folder = TemporaryFolder()
        let path = folder.write("a b.yuv", [0])
        #expect(RecentList.Entry(typed: "\(path)?size=1x1") == .input("\(path)?size=1x1"))
        #expect(RecentList.Entry(typed: "\(folder.path)/b.mp4") == nil)
        #expect(RecentList.Entry(typed: "-") == nil && RecentList.Entry(typed: "test:no") == nil)
        #expect(RecentList.Entry(typed: "rtsp://door/1#rotate=90") == .input("rtsp://door/1#rotate=90"))
        #expect(RecentList.Entry(typed: "file://\(path)?size=1x1") == .input("file://\(path)?size=1x1"))
        let here = FileManager.default.currentDirectoryPath
        #expect(RecentList.Entry(wallFile: "a.toml") == .wall(path: "\(here)/a.toml"))
        #expect(RecentList.Entry(wallFile: "/a.toml").title == "/a.toml")
    }

    @Test("The file and its folders are for their owner only, and a mode that was wider is made narrower")
    func file() throws {
        let folder = TemporaryFolder()
        let file = RecentFile(in: "\(folder.path)/state/vitrail")
        #expect(file.read() == RecentList())
        let files = TemporaryFiles()
        #expect(file.add([.input("test:bars")], files).entries == [.input("test:bars")])
        func mode(_ name: String) -> mode_t {
            var status = stat()
            return stat("\(folder.path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(mode("state") == 0o700 && mode("state/vitrail") == 0o700 && mode("state/vitrail/recent") == 0o600)
        #expect(chmod("\(folder.path)/state/vitrail/recent", 0o644) == 0)
        // Another window has its own list.
        let other = RecentFile(in: "\(folder.path)/state/vitrail").add([.wall(path: "/a.toml")], files)
        #expect(other == file.read() && other.entries == [.wall(path: "/a.toml"), .input("test:bars")])
        #expect(mode("state/vitrail/recent") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state/vitrail") == ["recent"])
    }

    @Test("A file that is broken, is none, or cannot be written is no error")
    func broken() throws {
        let files = TemporaryFiles()
        let entry = RecentList.Entry.input("test:bars")
        var list = RecentList()
        list.add([entry])
        let folder = TemporaryFolder()
        let file = RecentFile(in: folder.path)
        _ = folder.write("recent", (0..<2000).map { UInt8($0 % 256) })
        #expect(file.read() == RecentList())
        #expect(file.add([entry], files) == list && file.read() == list)
        _ = folder.write("recent", Array("input test:clock\n".utf8) + Array(repeating: 0x20, count: 1 << 20))
        #expect(file.read() == RecentList())
        // A folder, and a pipe that nobody reads.
        #expect(unlink("\(folder.path)/recent") == 0)
        folder.makeFolder("recent")
        #expect(file.add([entry], files) == list && file.read() == RecentList())
        #expect(rmdir("\(folder.path)/recent") == 0 && mkfifo("\(folder.path)/recent", 0o600) == 0)
        #expect(file.add([entry], files) == list && file.read() == RecentList())
        #expect(RecentFile(in: "/dev/null/vitrail").add([entry], files) == list)
        #expect(RecentFile(in: nil).add([entry], files) == list)
    }
}
