import FFmpegMedia
import GStreamerMedia
import Glibc
import Logging
import MediaIO
import PipeWireMedia
import V4L2Capture

/// The encoder of an output beside the window, and what it writes to.
final class LiveWriter {
    private enum Form {
        case file(OutputFile, StreamWriter)
        case sender(any PictureSender)
    }

    private let form: Form
    private let name: String
    private let logger: Logger

    /// Opens the encoder, and the file if it is one.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate`` for a file that cannot be written; ``ProgramError/Status/usage`` for
    ///   an encoding that is not possible.
    init(
        _ specification: LiveOutputSpecification, _ files: TemporaryFiles, _ logger: Logger
    ) throws(ProgramError) {
        let (name, size, rate) = (specification.name, specification.size, specification.frameRate)
        let onChange = { @Sendable (condition: SenderCondition) in Self.log(condition, name, logger) }
        (self.name, self.logger) = (name, logger)
        switch specification.form {
        case .file(let path, let container):
            let file = try OutputFile(path, files)
            do throws(StreamError) {
                let writer = try StreamWriter(
                    descriptor: file.descriptor, name: name, container: container, size: size, frameRate: rate,
                    encoding: specification.encoding)
                form = .file(file, writer)
            } catch {
                throw ProgramError(error.code == .unsupported ? .usage : .cannotCreate, error.description)
            }
        case .destination(.playlist(let path)) where access(FilePath.pieces(path).folder, W_OK | X_OK) != 0:
            throw OutputFile.failure(path, errno)
        case .pipeline(let text):
            form = .sender(PipelineSender(to: text, size: size, frameRate: rate, onChange: onChange))
        case .device(let path):
            form = .sender(CameraSender(to: path, size: size, frameRate: rate, onChange: onChange))
        case .pipeWire(let camera):
            form = try Self.open { () throws(StreamError) in
                try PipeWireSender(as: camera, size: size, frameRate: rate, onChange: onChange)
            }
        case .destination(let destination):
            form = try Self.open { () throws(StreamError) in
                try StreamSender(
                    to: destination, size: size, frameRate: rate, encoding: specification.encoding, onChange: onChange)
            }
        }
    }

    private static func open(
        _ make: () throws(StreamError) -> any PictureSender
    ) throws(ProgramError) -> Form {
        do throws(StreamError) {
            return .sender(try make())
        } catch {
            throw ProgramError(error.code == .unsupported ? .usage : .failed, error.description)
        }
    }

    /// The format that pictures must have.
    var format: PixelFormat {
        switch form {
        case .file(_, let writer): writer.format
        case .sender(let sender): sender.format
        }
    }

    /// The colour space that pictures must have.
    var colorSpace: ColorSpace {
        switch form {
        case .file(_, let writer): writer.colorSpace
        case .sender(let sender): sender.colorSpace
        }
    }

    /// How the file or the receiver is.
    var state: LiveOutput.State {
        guard case .sender(let sender) = form else { return .running }
        return switch sender.condition {
        case .connecting: .connecting
        case .sending: .running
        case .waiting: .waiting
        case .failed: .failed
        }
    }

    /// The pictures that were not sent.
    var omitted: Int {
        guard case .sender(let sender) = form else { return 0 }
        return sender.counts.omitted
    }

    /// Encodes a picture; its number counts at the frame rate.
    func write(_ picture: PixelBuffer, at number: Int64) throws(StreamError) {
        switch form {
        case .file(_, let writer): try writer.write(picture, at: number)
        case .sender(let sender): try sender.send(picture, at: number)
        }
    }

    /// Completes the output, and says how much was written.
    ///
    /// - Parameter numbers: the pictures that were encoded, and the numbers that were left out.
    /// - Returns: whether it is complete; a stream always is.
    func finish(_ numbers: (encoded: Int, missed: Int)) -> Bool {
        let missed = numbers.missed > 0 ? ", \(numbers.missed) missed" : ""
        do {
            switch form {
            case .file(let file, let writer):
                try writer.finish()
                try file.commit()
                logger.info("\(name): \(numbers.encoded) pictures\(missed).")
            case .sender(let sender):
                sender.finish()
                let (sent, omitted) = (sender.counts.sent, sender.counts.omitted)
                logger.info("\(name): \(sent) pictures sent\(omitted > 0 ? ", \(omitted) not sent" : "")\(missed).")
            }
            return true
        } catch {
            logger.error("\(error)")
            return false
        }
    }

    private static func log(_ condition: SenderCondition, _ name: String, _ logger: Logger) {
        switch condition {
        case .connecting: break
        case .sending: logger.notice("\(name): connected.")
        case .waiting(let reason): logger.warning("\(reason)")
        case .failed(let reason): logger.error("\(reason)")
        }
    }
}
