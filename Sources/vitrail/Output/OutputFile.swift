import FFmpegMedia
import Glibc
import PNGFile
import VitrailSupport

/// An output of the program: a file that appears only when it is complete, and not at all after a failure.
final class OutputFile {
    private let path: String
    private let file: AtomicFile

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: the path of the complete file.
    ///   - files: records the incomplete file.
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    init(_ path: String, _ files: TemporaryFiles) throws(ProgramError) {
        self.path = path
        do throws(AtomicFile.Failure) {
            file = try AtomicFile(path, create: files.create, noteRemoved: files.remove)
        } catch {
            throw Self.failure(path, error.number)
        }
    }

    /// The descriptor to write to.
    var descriptor: Int32 { file.descriptor }

    /// Writes all bytes.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    func write(_ bytes: [UInt8]) throws(ProgramError) {
        do throws(AtomicFile.Failure) { try file.write(bytes) } catch { throw Self.failure(path, error.number) }
    }

    /// Moves the complete file to its path.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``; the temporary file is then removed.
    func commit() throws(ProgramError) {
        do throws(AtomicFile.Failure) { try file.commit() } catch { throw Self.failure(path, error.number) }
    }

    /// The error for an output that could not be written, from the system's number.
    static func failure(_ path: String, _ number: Int32) -> ProgramError {
        return ProgramError(
            .cannotCreate,
            "\(MediaLocation.hidingSecrets(in: path)) cannot be written: \(systemMessage(number)). Check the folder, its permissions and the space left."
        )
    }
}
