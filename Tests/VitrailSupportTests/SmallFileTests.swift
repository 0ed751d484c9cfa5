import Glibc
import TestSupport
import Testing
import VitrailSupport

/// Small files are read whole, or refused.
@Suite struct SmallFileTests {
    private static func problem(_ path: String, limit: Int = 10) -> SmallFile.Problem? {
        do throws(SmallFile.Problem) {
            _ = try SmallFile(at: path, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 9, 10]) func filesUpToTheLimitAreWhole(_ count: Int) throws {
        let folder = TemporaryFolder()
        let bytes = (0..<count).map { UInt8($0) }
        let path = folder.write("a", bytes)
        #expect(try SmallFile.bytes(at: path, limit: 10) == bytes)
        #expect(symlink(path, "\(folder.path)/link") == 0)
        #expect(try SmallFile.bytes(at: "\(folder.path)/link", limit: 10) == bytes)
    }

    @Test(arguments: [11, 100_000]) func largerOnesAreRefused(_ count: Int) {
        let folder = TemporaryFolder()
        let path = folder.write("a", [UInt8](repeating: 1, count: count))
        #expect(Self.problem(path) == .tooLarge)
        #expect(Self.problem(path, limit: count) == nil)
    }

    /// They say that they have no bytes.
    @Test func filesOfTheKernelAreReadToTheirEnd() throws {
        let text = try SmallFile.bytes(at: "/proc/self/status", limit: 1 << 20)
        #expect(String(decoding: text, as: UTF8.self).contains("\nVmSize:") && text.last == UInt8(ascii: "\n"))
        #expect(Self.problem("/proc/self/status") == .tooLarge)
        let count = text.count
        #expect(Self.problem("/proc/self/status", limit: count / 2) == .tooLarge)
    }

    @Test func whatIsNoFileIsRefused() {
        let folder = TemporaryFolder()
        #expect(Self.problem(folder.path) == .folder)
        #expect(Self.problem("/dev/zero") == .notRegular)
        #expect(Self.problem("\(folder.path)/none") == .cannotOpen(ENOENT))
        let file = folder.write("a", [1])
        #expect(Self.problem("\(file)/b") == .cannotOpen(ENOTDIR))
        #expect(chmod(file, 0) == 0)
        // Nothing is forbidden to root.
        #expect(Self.problem(file) == (geteuid() == 0 ? nil : .cannotOpen(EACCES)))
    }

    /// Its writer would believe in a reader, and be ended by the first byte that it writes.
    @Test func aPipeIsNotEvenOpened() throws {
        let folder = TemporaryFolder()
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        defer { close(events) }
        try #require(inotify_add_watch(events, pipe, UInt32(IN_OPEN)) >= 0)
        #expect(Self.problem(pipe) == .notRegular)
        var event = [UInt8](repeating: 0, count: 1024)
        #expect(read(events, &event, event.count) < 0 && errno == EAGAIN)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(read(events, &event, event.count) > 0)
    }

    @Test func aFileIsKnownByItsIdentity() throws {
        let folder = TemporaryFolder()
        let (first, second) = (folder.write("a", [1]), folder.write("b", [1]))
        #expect(symlink("a", "\(folder.path)/link") == 0)
        let files = try [first, second, "\(folder.path)/link"].map { try SmallFile(at: $0, limit: 1).identity }
        #expect(files[0] == files[2] && files[0] != files[1])
    }
}
