import Glibc
import HeadlessGL
import MediaIO
import VitrailGL
import WindowGL

/// Openings that fail at one place or another, since there is room for a few descriptors only: what they leave behind.
struct FailedOpenings {
    let window: Window

    /// Opens with room for 0, 1, … descriptors.
    ///
    /// - Returns: for each way, how many openings have failed and how many descriptors remained.
    func run(upTo room: Int) -> String {
        let group = window.context.shareGroup
        var words: [String] = []
        func measure(_ name: String, _ open: () throws -> Void) {
            // The first ones load libraries and open the driver.
            for _ in 0..<2 { try? open() }
            let fillers = Self.fillGaps()
            defer { for filler in fillers { close(filler) } }
            let before = Self.descriptors
            var failed = 0
            for room in 0..<room {
                var limits = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                var few = limits
                few.rlim_cur = rlim_t(before + room)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
                do { try open() } catch { failed += 1 }
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            }
            words.append("\(name) \(failed) failed \(Self.descriptors - before) left")
        }
        measure("headless") { _ = try HeadlessContext.make() }
        measure("shared") { _ = try group.makeContext() }
        measure("waker") { _ = try Waker() }
        measure("window") { _ = try Window(title: "few", size: VideoSize(width: 64, height: 48)) }
        return "openings " + words.joined(separator: ", ")
    }

    /// Takes the numbers that are free below the highest one in use: the limit is one of numbers, not of how many are open.
    private static func fillGaps() -> [Int32] {
        let highest = (0..<4096 as Range<Int32>).last { fcntl($0, F_GETFD) >= 0 } ?? 0
        var fillers: [Int32] = []
        while let filler = Optional(fcntl(0, F_DUPFD_CLOEXEC, 0)), filler >= 0, filler < highest {
            fillers.append(filler)
        }
        close(highest + 1)
        return fillers
    }

    private static var descriptors: Int {
        // All are below: none is opened to look.
        (0..<4096 as Range<Int32>).count { fcntl($0, F_GETFD) >= 0 }
    }
}
