import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// What cannot be opened at all, for both kinds of file.
struct InputErrorTests {
    static func errors(_ path: String) -> [StreamError?] {
        let size = VideoSize(width: 4, height: 2)
        return [
            #expect(throws: StreamError.self) { try Y4MReader(path: path) },
            #expect(throws: StreamError.self) { try RawReader(path: path, format: .i420, size: size) },
        ]
    }

    func check(_ path: String, _ number: Int32, _ words: String) {
        for error in Self.errors(path) {
            #expect(error?.code == .cannotOpen)
            #expect(error?.underlying == number)
            #expect(error?.description.hasPrefix("\(path) ") == true)
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "no error")")
        }
    }

    @Test func missing() {
        let folder = TemporaryFolder()
        check("\(folder.path)/missing.y4m", ENOENT, "does not exist")
        check("", ENOENT, "does not exist")
    }

    @Test func directory() {
        let folder = TemporaryFolder()
        check(folder.path, EISDIR, "is a directory")
    }

    @Test func fileAsFolder() {
        let folder = TemporaryFolder()
        check("\(folder.write("file", [1]))/clip.y4m", ENOTDIR, "Not a directory")
    }

    @Test func tooLongName() {
        check("/" + String(repeating: "x", count: 300), ENAMETOOLONG, "too long")
    }

    /// Root may read everything, so for root there is nothing to refuse.
    @Test(.enabled(if: geteuid() != 0)) func unreadable() {
        let folder = TemporaryFolder()
        let path = folder.write("secret.y4m", [1])
        chmod(path, 0)
        check(path, EACCES, "is not readable")
    }

    @Test func socket() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/s"
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        check(path, ENXIO, "is a socket")
    }

    @Test func deviceWithoutEnd() {
        let error = #expect(throws: StreamError.self) { try Y4MReader(path: "/dev/zero") }
        #expect(error?.code == .malformed)
        #expect(error?.description.contains("/dev/zero") == true)
    }

    @Test func emptyDevice() throws {
        let error = #expect(throws: StreamError.self) { try Y4MReader(path: "/dev/null") }
        #expect(error?.code == .malformed)
        let raw = try RawReader(path: "/dev/null", format: .i420, size: VideoSize(width: 2, height: 2))
        #expect(try raw.next() == nil)
    }

    @Test func closedDescriptor() {
        let error = #expect(throws: StreamError.self) { try Y4MReader(descriptor: -1, name: "standard input") }
        #expect(error?.code == .readFailed)
        #expect(error?.underlying == EBADF)
    }
}
