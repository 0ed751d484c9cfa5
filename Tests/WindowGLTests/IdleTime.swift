import Glibc
import TestSupport

/// How long an X server has had no input, as its screen saver counts.
final class IdleTime {
    /// What is missing.
    struct Failure: Error { let description: String }

    private typealias Open = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias Root = @convention(c) (OpaquePointer) -> UInt
    private typealias Allocate = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Query = @convention(c) (OpaquePointer, UInt, UnsafeMutableRawPointer) -> Int32

    private let display: OpaquePointer
    private let root: UInt
    private let information: UnsafeMutableRawPointer
    private let query: Query

    /// Connects to the server.
    /// - Throws: ``Failure`` when a library is missing.
    init(_ server: VirtualDisplay) throws {
        guard let display: OpaquePointer = try Self.function("XOpenDisplay", "libX11.so.6", Open.self)(server.name),
            let information = try Self.function("XScreenSaverAllocInfo", "libXss.so.1", Allocate.self)()
        else { throw Failure(description: "There is no connection to \(server.name).") }
        (self.display, self.information) = (display, information)
        root = try Self.function("XDefaultRootWindow", "libX11.so.6", Root.self)(display)
        query = try Self.function("XScreenSaverQueryInfo", "libXss.so.1", Query.self)
    }

    /// Milliseconds since the last input, or what counts as such.
    var milliseconds: Int {
        _ = query(display, root, information)
        // XScreenSaverInfo: window, state, kind, til_or_since, idle.
        return Int(information.load(fromByteOffset: 24, as: UInt.self))
    }

    private static func function<Function>(
        _ name: String, _ library: String, _ type: Function.Type
    ) throws -> Function {
        guard let address = dlsym(dlopen(library, RTLD_NOW), name) else {
            throw Failure(description: "\(library) has no \(name): install the packages of the tests.")
        }
        return unsafeBitCast(address, to: type)
    }
}
