package import MediaIO

/// Two pairs of keys for the controls of cameras: one chooses a control, the other changes it.
package struct CameraKnob {
    /// A key's action.
    package enum Turn: Hashable {
        /// The next (1) or previous (-1) control.
        case choose(Int)
        /// A larger (1) or smaller (-1) value.
        case change(Int)
    }

    /// The control that was chosen, by its key: another camera may have it as well.
    private var key: String?

    /// A knob at the first control.
    package init() {}

    /// Chooses or changes a control.
    ///
    /// - Parameters:
    ///   - turn: the action; the first one shows the first control.
    ///   - controls: those of the camera.
    /// - Returns: the control with its value; `nil` for a camera that has none.
    /// - Throws: ``StreamError/Code/unsupported`` if the camera refuses the value.
    package mutating func perform(_ turn: Turn, on controls: CameraControls) throws(StreamError) -> CameraControl? {
        let all = controls.all().filter { !$0.isReadOnly }
        guard !all.isEmpty else { return nil }
        let chosen = all.firstIndex { $0.key == key }
        var index = chosen ?? 0
        if case .choose(let step) = turn, chosen != nil { index = (index + step + all.count) % all.count }
        key = all[index].key
        guard case .change(let direction) = turn, let value = all[index].value(after: direction) else {
            return all[index]
        }
        return try controls.set(all[index], to: value)
    }
}
