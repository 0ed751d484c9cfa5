import FFmpegMedia
import Glibc
import PNGFile

/// An output of the program: a file that appears when it is complete, and not at all when something goes wrong.
final class OutputFile {
    private let path: String
    private let file: AtomicFile

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: where the file goes.
    ///   - files: where it is noted until it is complete.
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    init(_ path: String, _ files: TemporaryFiles) throws(ProgramError) {
        self.path = path
        do throws(AtomicFile.Failure) {
            file = try AtomicFile(path) { temporary, exists in
                if exists { files.insert(temporary) } else { files.remove(temporary) }
            }
        } catch {
            throw Self.failure(path, error.number)
        }
    }

    /// What to write to.
    var descriptor: Int32 { file.descriptor }

    /// Writes bytes, all of them.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    func write(_ bytes: [UInt8]) throws(ProgramError) {
        do throws(AtomicFile.Failure) { try file.write(bytes) } catch { throw Self.failure(path, error.number) }
    }

    /// Puts the complete file in its place.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``; nothing is left behind then.
    func commit() throws(ProgramError) {
        do throws(AtomicFile.Failure) { try file.commit() } catch { throw Self.failure(path, error.number) }
    }

    /// The error for an output that could not be written, from the system's number.
    static func failure(_ path: String, _ number: Int32) -> ProgramError {
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return ProgramError(
            .cannotCreate,
            "\(MediaLocation.hidingSecrets(in: path)) cannot be written: \(reason). Check the folder, its permissions and the space left."
        )
    }
}
