import FFmpegMedia
import Glibc
import MediaIO
import VideoSources
import VideoWall

/// The destination of rendered pictures: one or many PNG files, a Y4M stream, or an encoded file.
///
/// **Thread:** render thread.
final class RenderOutput {
    private enum Form {
        case picture(OutputFile)
        case series(PictureSeries)
        case stream(OutputFile?, Y4MWriter)
        case encoded(OutputFile, StreamWriter)
    }

    private var form: Form
    private let name: String
    private let colorSpace: ColorSpace
    private let files: TemporaryFiles
    private let pool = PixelBufferPool()
    private var encoder = PictureEncoder()

    /// Opens the output, so that an error appears before anything is drawn.
    ///
    /// - Parameters:
    ///   - output: the form and name.
    ///   - size: the size of the pictures.
    ///   - frameRate: the pictures per second.
    ///   - encoding: the encoding of an encoded file.
    ///   - files: records incomplete files.
    /// - Throws: ``ProgramError/Status/cannotCreate``; ``ProgramError/Status/usage`` for an encoding that is not possible.
    init(
        _ output: OutputSpecification, size: VideoSize, frameRate: Rational, _ encoding: VideoEncoding,
        _ files: TemporaryFiles
    ) throws(ProgramError) {
        self.files = files
        // Y4M has no field for the matrix, so it must be the one that readers assume.
        colorSpace = .unspecified(for: size)
        let info = StreamInfo(
            container: "y4m", format: .i420, size: size, frameRate: frameRate,
            attributes: FrameAttributes(colorSpace: colorSpace, chromaLocation: .center))
        switch output {
        case .picture(let path):
            name = path
            form = .picture(try OutputFile(path, files))
        case .series(let series):
            name = series.path(0)
            form = .series(series)
        case .y4m(let path):
            name = path
            let file = try OutputFile(path, files)
            form = .stream(file, try Self.writer(file.descriptor, path, info))
        case .standardOutput:
            name = "standard output"
            form = .stream(nil, try Self.writer(STDOUT_FILENO, name, info))
        case .encoded(let path, let container):
            name = path
            let file = try OutputFile(path, files)
            do throws(StreamError) {
                let writer = try StreamWriter(
                    descriptor: file.descriptor, name: MediaLocation.hidingSecrets(in: path), container: container,
                    size: size, frameRate: frameRate, encoding: encoding)
                form = .encoded(file, writer)
            } catch {
                throw error.code == .unsupported ? ProgramError(.usage, error.description) : Self.failure(path, error)
            }
        }
    }

    /// The format of the pictures that are best written.
    var pictureFormat: PictureFormat {
        if case .encoded(_, let writer) = form { PictureFormat(for: writer.format) } else { .rgba8 }
    }

    /// Writes a picture.
    ///
    /// - Parameters:
    ///   - picture: of the size that the output was opened with.
    ///   - index: its number, from 0.
    /// - Throws: ``ProgramError``; ``ProgramError/Status/done`` if standard output was closed by its reader.
    ///   `RenderingError`, before anything is written.
    func write(_ picture: any OffscreenTarget, _ index: Int) throws {
        switch form {
        case .picture(let file): try file.write(try encoder.encode(picture))
        case .series(let series):
            let bytes = try encoder.encode(picture)
            let file = try OutputFile(series.path(index), files)
            try file.write(bytes)
            try file.commit()
        case .stream(let file, var writer):
            let buffer = try picture.readI420(colorSpace: colorSpace, pool: pool)
            do throws(StreamError) { try writer.write(buffer) } catch { throw Self.failure(name, error) }
            form = .stream(file, writer)
        case .encoded(_, let writer):
            let buffer = try picture.readPlanes(as: writer.format, colorSpace: writer.colorSpace, pool: pool)
            do throws(StreamError) { try writer.write(buffer) } catch { throw Self.failure(name, error) }
        }
    }

    /// Completes the output: renames the file to its final name.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    func finish() throws(ProgramError) {
        switch form {
        case .picture(let file), .stream(let file?, _): try file.commit()
        case .encoded(let file, let writer):
            do throws(StreamError) { try writer.finish() } catch { throw Self.failure(name, error) }
            try file.commit()
        case .series, .stream(nil, _): break
        }
    }

    private static func writer(
        _ descriptor: Int32, _ name: String, _ info: StreamInfo
    ) throws(ProgramError) -> Y4MWriter {
        do throws(StreamError) {
            return try Y4MWriter(descriptor: descriptor, name: name, info: info)
        } catch {
            throw failure(name, error)
        }
    }

    private static func failure(_ name: String, _ error: StreamError) -> ProgramError {
        guard let number = error.underlying else { return ProgramError(.failed, error.description) }
        return number == EPIPE ? ProgramError(.done, "\(name) was closed.") : OutputFile.failure(name, number)
    }
}

extension ProgramError {
    /// Wraps an error of drawing.
    init(_ error: RenderingError) {
        self.init(error.code == .unavailable ? .unavailable : .failed, error.description)
    }
}
