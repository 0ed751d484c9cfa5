import Glibc
public import MediaIO
import VitrailSupport

/// Hands pictures to a V4L2 device at a constant rate, such as a loopback camera, which meetings and browsers show as a
/// camera.
///
///     // sudo modprobe v4l2loopback video_nr=9 card_label=Wall exclusive_caps=1
///     let sender = CameraSender(to: "/dev/video9", size: size, frameRate: 25)
///     while isRunning {
///         try renderer.render(wall, into: target)
///         try sender.send(try target.readI420(colorSpace: sender.colorSpace, pool: pool))
///     }
///
/// The device gets I420 (`YU12`). One that is not there, is in use or keeps another size is tried again after 1, 2, 4, 8, 10,
/// 10 … seconds. A device that is slow delays nobody: the pictures that it has no room for are left out and counted.
///
/// **Thread:** one at a time. **Cost:** every frame; copies the picture once.
public final class CameraSender: PictureSender {
    /// The colour space that pictures must have: BT.709 in limited range.
    public let colorSpace = ColorSpace(matrix: .bt709, range: .limited, primaries: .bt709, transfer: .bt709)
    /// The node of the device.
    public let path: String
    /// How the device is.
    public private(set) var condition = SenderCondition.connecting {
        didSet { if condition != oldValue { onChange(condition) } }
    }
    /// How many pictures were written, and left out.
    public private(set) var counts = SenderCounts()

    private let size: VideoSize
    private let frameRate: Rational
    private let onChange: (SenderCondition) -> Void
    private let system: any DeviceSystem
    private var retries: SenderRetries
    private var device: OutputDevice?

    /// Describes a sender; the device is opened with the first picture.
    ///
    /// - Parameters:
    ///   - path: the node of the device, such as `/dev/video9`.
    ///   - size: the size of the pictures, of even sides.
    ///   - frameRate: the pictures per second.
    ///   - retries: the waits after a failure.
    ///   - onChange: called when the condition changes, by ``send(_:)``.
    public convenience init(
        to path: String, size: VideoSize, frameRate: Rational, retries: RetrySchedule = RetrySchedule(),
        onChange: @escaping (SenderCondition) -> Void = { _ in }
    ) {
        self.init(
            to: path, size: size, frameRate: frameRate, retries: retries, system: LinuxDevices(), onChange: onChange)
    }

    init(
        to path: String, size: VideoSize, frameRate: Rational, retries: RetrySchedule, system: any DeviceSystem,
        onChange: @escaping (SenderCondition) -> Void = { _ in }
    ) {
        (self.path, self.size, self.frameRate, self.system) = (path, size, frameRate, system)
        (self.retries, self.onChange) = (SenderRetries(retries), onChange)
    }

    /// Hands a picture over; does not wait.
    ///
    /// - Parameter picture: a picture in I420, of the size that the sender was made with.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size.
    public func send(_ picture: PixelBuffer) throws(StreamError) {
        guard picture.format == .i420, picture.size == size else {
            throw StreamError(
                .unsupported,
                "\(path) takes pictures in i420 of \(size), not \(picture.format) of \(picture.size).")
        }
        if device == nil { connect() }
        guard let device else {
            counts.omitted += 1
            return
        }
        switch device.write(picture) {
        case 0:
            counts.sent += 1
            condition = .sending
        case EAGAIN: counts.omitted += 1
        case let error:
            counts.omitted += 1
            let failure = StreamError(
                .writeFailed, "\(path) takes no more pictures (\(systemMessage(error))): it is opened again.",
                underlying: error)
            self.device = nil
            condition = retries.lose(failure, after: .now - device.begin)
        }
    }

    package func send(_ picture: PixelBuffer, at number: Int64?) throws(StreamError) { try send(picture) }

    /// The device has what was written.
    package func finish() {}

    private func connect() {
        if case .failed = condition { return }
        guard retries.isDue else { return }
        do throws(StreamError) {
            device = try OutputDevice(path, size, frameRate, system)
            counts.connections += 1
        } catch {
            condition = retries.lose(error)
        }
    }
}
