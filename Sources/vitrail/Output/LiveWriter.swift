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
        case stream(StreamSender)
        case pipeline(PipelineSender)
        case device(CameraSender)
        case pipeWire(PipeWireSender)
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
        let name = specification.name
        (self.name, self.logger) = (name, logger)
        switch specification.form {
        case .file(let path, let container):
            let file = try OutputFile(path, files)
            do throws(StreamError) {
                let writer = try StreamWriter(
                    descriptor: file.descriptor, name: name, container: container, size: specification.size,
                    frameRate: specification.frameRate, encoding: specification.encoding)
                form = .file(file, writer)
            } catch {
                throw ProgramError(error.code == .unsupported ? .usage : .cannotCreate, error.description)
            }
        case .pipeline(let description):
            let sender = PipelineSender(
                to: description, size: specification.size, frameRate: specification.frameRate
            ) { condition in Self.log(condition, name, logger) }
            form = .pipeline(sender)
        case .device(let path):
            let sender = CameraSender(
                to: path, size: specification.size, frameRate: specification.frameRate
            ) { condition in Self.log(condition, name, logger) }
            form = .device(sender)
        case .pipeWire(let camera):
            do throws(StreamError) {
                form = .pipeWire(
                    try PipeWireSender(as: camera, size: specification.size, frameRate: specification.frameRate) {
                        condition in Self.log(condition, name, logger)
                    })
            } catch {
                throw ProgramError(.failed, error.description)
            }
        case .destination(let destination):
            if case .playlist(let path) = destination {
                let folder = LiveOutputSpecification.pieces(path).folder
                guard access(folder, W_OK | X_OK) == 0 else { throw OutputFile.failure(path, errno) }
            }
            do throws(StreamError) {
                form = .stream(
                    try StreamSender(
                        to: destination, size: specification.size, frameRate: specification.frameRate,
                        encoding: specification.encoding
                    ) { condition in Self.log(condition, name, logger) })
            } catch {
                throw ProgramError(error.code == .unsupported ? .usage : .failed, error.description)
            }
        }
    }

    /// The format that pictures must have.
    var format: PixelFormat {
        switch form {
        case .file(_, let writer): writer.format
        case .stream(let sender): sender.format
        case .pipeline, .device, .pipeWire: .i420
        }
    }

    /// The colour space that pictures must have.
    var colorSpace: ColorSpace {
        switch form {
        case .file(_, let writer): writer.colorSpace
        case .stream(let sender): sender.colorSpace
        case .pipeline(let sender): sender.colorSpace
        case .device(let sender): sender.colorSpace
        case .pipeWire(let sender): sender.colorSpace
        }
    }

    /// How the file or the receiver is.
    var state: LiveOutput.State {
        switch form {
        case .file: .running
        case .stream(let sender): Self.state(sender.condition)
        case .pipeline(let sender): Self.state(sender.condition)
        case .device(let sender): Self.state(sender.condition)
        case .pipeWire(let sender): Self.state(sender.condition)
        }
    }

    private static func state(_ condition: SenderCondition) -> LiveOutput.State {
        switch condition {
        case .connecting: .connecting
        case .sending: .running
        case .waiting: .waiting
        case .failed: .failed
        }
    }

    /// The pictures that were not sent.
    var omitted: Int {
        switch form {
        case .file: 0
        case .stream(let sender): sender.counts.omitted
        case .pipeline(let sender): sender.counts.omitted
        case .device(let sender): sender.counts.omitted
        case .pipeWire(let sender): sender.counts.omitted
        }
    }

    /// Encodes a picture; its number counts at the frame rate.
    func write(_ picture: PixelBuffer, at number: Int64) throws(StreamError) {
        switch form {
        case .file(_, let writer): try writer.write(picture, at: number)
        case .stream(let sender): try sender.send(picture, at: number)
        case .pipeline(let sender): try sender.send(picture, at: number)
        case .device(let sender): try sender.send(picture)
        case .pipeWire(let sender): try sender.send(picture, at: number)
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
            case .stream(let sender):
                sender.end()
                logSent(sender.counts.sent, sender.counts.omitted, missed)
            case .pipeline(let sender):
                sender.end()
                logSent(sender.counts.sent, sender.counts.omitted, missed)
            case .device(let sender): logSent(sender.counts.sent, sender.counts.omitted, missed)
            case .pipeWire(let sender):
                sender.end()
                logSent(sender.counts.sent, sender.counts.omitted, missed)
            }
            return true
        } catch {
            logger.error("\(error)")
            return false
        }
    }

    private func logSent(_ sent: Int, _ omitted: Int, _ missed: String) {
        logger.info("\(name): \(sent) pictures sent\(omitted > 0 ? ", \(omitted) not sent" : "")\(missed).")
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
