import CVitrailV4L2
import Glibc
import MediaIO

/// What is wrong with the signal at the input that a camera captures from: a socket, at which nothing may come in.
///
/// Some drivers deliver frames all the same, of noise or of one colour.
enum InputFault: Hashable {
    case noPower, noSignal, noSync

    /// Reads the bits of a driver's status; `nil` if none of them is a fault.
    init?(status: UInt32) {
        if status & UInt32(V4L2_IN_ST_NO_POWER) != 0 {
            self = .noPower
        } else if status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0 {
            self = .noSignal
        } else if status & UInt32(V4L2_IN_ST_NO_SYNC) != 0 {
            self = .noSync
        } else {
            return nil
        }
    }

    /// Reads the answer to the question for the timings of a digital signal; `nil` if it is no fault.
    init?(timingsError: Int32) {
        switch timingsError {
        case ENOLINK: self = .noSignal
        case ENOLCK: self = .noSync
        default: return nil
        }
    }

    /// Asks a driver.
    ///
    /// - Returns: the error; `nil` if there is a signal, or if the driver cannot tell.
    static func error(of device: OpenDevice) -> StreamError? {
        var index: Int32 = 0
        guard device.call(vitrail_g_input, &index) == 0, index >= 0 else { return nil }
        var input = v4l2_input()
        input.index = UInt32(index)
        guard device.call(vitrail_enuminput, &input) == 0 else { return nil }
        var fault = InputFault(status: input.status)
        if fault == nil, input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 {
            var timings = vitrail_dv_timings()
            fault = InputFault(timingsError: device.call(vitrail_query_dv_timings, &timings))
        }
        guard let fault else { return nil }
        let (camera, socket) = ("\(device.name) (\(device.path))", "“\(text(of: input.name))”")
        let sentence =
            switch fault {
            case .noPower: "What is connected to \(socket) of \(camera) is off: switch it on."
            case .noSignal: "\(camera) gets no signal at \(socket): connect something there, or switch it on."
            case .noSync:
                "\(camera) cannot lock on to the signal at \(socket): check the cable, or choose another size and rate where the signal comes from."
            }
        return StreamError(.noSignal, sentence)
    }
}
