import MediaIO
import V4L2Capture

/// Changes a control of a camera by keys.
struct CameraKnob {
    /// A key's action.
    enum Turn: Hashable {
        /// The next (1) or previous (-1) control.
        case choose(Int)
        /// A larger (1) or smaller (-1) value.
        case change(Int)
    }

    /// The control that keys change, by its key.
    private var key: String?

    /// Changes a control.
    ///
    /// - Parameters:
    ///   - turn: the action.
    ///   - path: the camera's node.
    /// - Returns: the result, for people.
    mutating func perform(_ turn: Turn, onCameraAt path: String) -> String {
        do throws(StreamError) {
            let device = try CameraControls(path: path)
            let controls = device.all().filter { !$0.isReadOnly }
            guard !controls.isEmpty else { return "this camera has no controls" }
            let count = controls.count
            var index = controls.firstIndex { $0.key == key } ?? 0
            if case .choose(let step) = turn, key != nil { index = (index + step + count) % count }
            var control = controls[index]
            key = control.key
            if case .change(let direction) = turn, let value = control.value(after: direction) {
                control = try device.set(control, to: value)
            }
            let note = control.isInactive ? " (no effect while another control is automatic)" : ""
            return "\(control.key) = \(control.kind == .button ? "press" : control.valueText)\(note)"
        } catch {
            return error.description
        }
    }
}

extension CameraControl {
    /// The next value in a direction, 1 or -1; `nil` at the end of the range.
    fileprivate func value(after direction: Int) -> Int? {
        guard kind != .button else { return 1 }
        guard let value else { return nil }
        switch kind {
        case .toggle: return 1 - value
        case .menu:
            let values = choices.keys.sorted()
            let place = (values.firstIndex(of: value) ?? 0) + direction
            return values.isEmpty ? nil : values[(place + values.count) % values.count]
        case .number:
            // A twentieth of the range, in whole steps.
            let step = max(step, 1)
            let jump = max((range.upperBound - range.lowerBound) / 20 / step, 1) * step
            return min(max(value + direction * jump, range.lowerBound), range.upperBound)
        case .bits, .button: return nil
        }
    }
}
