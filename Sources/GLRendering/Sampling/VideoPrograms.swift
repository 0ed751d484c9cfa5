import MediaIO
import VideoWall
import VitrailGL

/// A cache of programs.
///
/// A program is made when the first frame of its kind is drawn. Beyond a number of them, those that no tile has used for a
/// while are released: there are thousands of kinds, and a driver may need half a megabyte for each.
final class VideoPrograms {
    /// The most programs of which some may be unused.
    static let mostPrograms = 16
    /// How long a program stays unused; one renderer may draw two targets in turn, in which a tile has different kinds.
    var idleTime = Duration.seconds(10)

    private let context: GLContext
    private(set) var programs: [VideoProgram.Kind: VideoProgram] = [:]
    /// The driver's errors for the programs that it rejects.
    var refusals: [VideoProgram.Kind: GLError] = [:]

    init(_ context: GLContext) { self.context = context }

    /// Releases the programs with effects that are not among these.
    func keepOnly(_ effects: Set<Effect>) {
        func isUsed(_ kind: VideoProgram.Kind) -> Bool { kind.effects.allSatisfy(effects.contains) }
        programs = programs.filter { isUsed($0.key) }
        refusals = refusals.filter { isUsed($0.key) }
    }

    /// Returns the program of a kind.
    func program(_ kind: VideoProgram.Kind) throws(GLError) -> VideoProgram {
        if let refusal = refusals[kind] { throw refusal }
        if let made = programs[kind] {
            made.lastUse = .now
            return made
        }
        if programs.count >= Self.mostPrograms { releaseUnused() }
        do throws(GLError) {
            let made = try VideoProgram(context, kind)
            programs[kind] = made
            return made
        } catch {
            // A compile error is permanent, so it is not retried for each frame; other errors may pass.
            if error.code == .compile || error.code == .link { refusals[kind] = error }
            throw error
        }
    }

    /// Releases the programs that nobody else holds, and that were not asked for in the last ``idleTime``.
    private func releaseUnused() {
        let start = MonotonicTime.now - idleTime
        for kind in Array(programs.keys) where programs[kind].map({ $0.lastUse <= start }) == true {
            guard var program = programs.removeValue(forKey: kind) else { continue }
            if !isKnownUniquelyReferenced(&program) { programs[kind] = program }
        }
    }
}
