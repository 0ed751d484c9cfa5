import CVitrailV4L2
import Glibc
public import MediaIO
import VitrailSupport

/// The controls of a camera, which work even while it is in use.
///
/// **Thread:** one at a time. **Cost:** rare; a system call for each control.
public final class CameraControls {
    private let device: OpenDevice

    /// Opens a camera for its controls.
    ///
    /// - Parameter path: its node.
    /// - Throws: ``StreamError``.
    public convenience init(path: String) throws(StreamError) { try self.init(path: path, LinuxDevices()) }

    init(path: String, _ system: any DeviceSystem) throws(StreamError) { device = try OpenDevice(path, system) }

    /// All controls with their values, in the driver's order.
    public func all() -> [CameraControl] {
        var controls: [CameraControl] = []
        var query = v4l2_query_ext_ctrl()
        query.id = vitrail_ctrl_flag_next
        while controls.count < 1024, device.call(vitrail_query_ext_ctrl, &query) == 0 {
            if let control = control(query) { controls.append(control) }
            let last = query.id
            query = v4l2_query_ext_ctrl()
            query.id = last | vitrail_ctrl_flag_next
        }
        return controls
    }

    private func control(_ query: v4l2_query_ext_ctrl) -> CameraControl? {
        let kind: CameraControl.Kind
        switch v4l2_ctrl_type(query.type) {
        case V4L2_CTRL_TYPE_INTEGER: kind = .number
        case V4L2_CTRL_TYPE_BOOLEAN: kind = .toggle
        case V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU: kind = .menu
        case V4L2_CTRL_TYPE_BUTTON: kind = .button
        case V4L2_CTRL_TYPE_BITMASK: kind = .bits
        // Headings, strings and arrays are omitted.
        default: return nil
        }
        guard query.flags & vitrail_ctrl_flag_disabled == 0, query.nr_of_dims == 0 else { return nil }
        let (least, most) = (Int(query.minimum), Int(kind == .bits ? query.maximum & 0xffff_ffff : query.maximum))
        var value = v4l2_control(id: query.id, value: 0)
        let isReadable = kind != .button && query.flags & vitrail_ctrl_flag_write_only == 0
        let known = isReadable && device.call(vitrail_g_ctrl, &value) == 0
        let number = kind == .bits ? Int(UInt32(bitPattern: value.value)) : Int(value.value)
        let name = text(of: query.name)
        return CameraControl(
            id: query.id, key: CameraControl.key(of: name), name: name, kind: kind,
            range: kind == .bits ? 0...max(most, 0) : least...max(least, most), step: Int(clamping: query.step),
            defaultValue: Int(kind == .bits ? query.default_value & 0xffff_ffff : query.default_value),
            value: known ? number : nil,
            choices: kind == .menu ? choices(query) : [:],
            isReadOnly: query.flags & vitrail_ctrl_flag_read_only != 0,
            isInactive: query.flags & vitrail_ctrl_flag_inactive != 0)
    }

    private func choices(_ query: v4l2_query_ext_ctrl) -> [Int: String] {
        var choices: [Int: String] = [:]
        let isNumbers = v4l2_ctrl_type(query.type) == V4L2_CTRL_TYPE_INTEGER_MENU
        for index in max(query.minimum, 0)...max(min(query.maximum, 255), 0) {
            var menu = v4l2_querymenu()
            vitrail_menu_ask(&menu, query.id, UInt32(index))
            // A menu may have gaps.
            guard device.call(vitrail_querymenu, &menu) == 0 else { continue }
            choices[Int(index)] = isNumbers ? "\(vitrail_menu_value(&menu))" : String(cString: vitrail_menu_name(&menu))
        }
        return choices
    }

    /// Sets a control.
    ///
    /// - Parameters:
    ///   - key: the ``CameraControl/key``, or a part that only one control has.
    ///   - text: the value, as for ``CameraControl/value(of:)``.
    /// - Returns: the control with the value that the camera took, which may be another one near it.
    /// - Throws: ``StreamError/Code/unsupported``, with the keys or the values that there are.
    @discardableResult
    public func set(_ key: String, to text: String) throws(StreamError) -> CameraControl {
        let (control, value) = try setting(key, text)
        return try set(control, to: value)
    }

    /// Finds out what a setting in words means, without setting it.
    ///
    /// - Parameters:
    ///   - key: the ``CameraControl/key``, or a part that only one control has.
    ///   - text: the value, as for ``CameraControl/value(of:)``.
    /// - Returns: the control, and a value in its range.
    /// - Throws: ``StreamError/Code/unsupported``, with the keys or the values that there are.
    public func setting(
        _ key: String, _ text: String
    ) throws(StreamError) -> (control: CameraControl, value: Int) {
        let controls = all()
        let part = controls.filter { $0.key.contains(key) }
        guard let control = controls.first(where: { $0.key == key }) ?? (part.count == 1 ? part[0] : nil) else {
            let keys = (part.isEmpty ? controls : part).map(\.key).joined(separator: ", ")
            throw StreamError(.unsupported, "\(device.name) has no control “\(key)”: it has \(keys).")
        }
        guard let value = control.value(of: text) else {
            throw StreamError(.unsupported, "“\(text)” is not a value of \(control.key): use \(control.valuesText).")
        }
        return (control, value)
    }

    /// Sets a control.
    ///
    /// - Parameters:
    ///   - control: one of ``all()``.
    ///   - value: in its range.
    /// - Returns: the control with the value that the camera took.
    /// - Throws: ``StreamError/Code/unsupported`` if the camera refuses it.
    @discardableResult
    public func set(_ control: CameraControl, to value: Int) throws(StreamError) -> CameraControl {
        let bits = Int32(truncatingIfNeeded: value)
        var request = v4l2_control(id: control.id, value: control.kind == .bits ? bits : Int32(clamping: value))
        let error = device.call(vitrail_s_ctrl, &request)
        guard error == 0 else {
            let reason =
                switch error {
                case EBUSY: "cannot be set while the camera is used"
                case EACCES, EPERM: "can only be read"
                case EINVAL, ERANGE: "does not take \(value)"
                case EIO where control.isInactive: "has no effect while another control is automatic"
                default: "cannot be set: \(systemMessage(error))"
                }
            throw StreamError(.unsupported, "\(control.key) of \(device.name) \(reason).", underlying: error)
        }
        var query = v4l2_query_ext_ctrl()
        query.id = control.id
        return device.call(vitrail_query_ext_ctrl, &query) == 0 ? self.control(query) ?? control : control
    }
}
