import MediaIO
import V4L2Capture

/// The output of `vitrail devices` for a camera.
struct DeviceReport: Encodable {
    struct Format: Encodable {
        var format: String
        var description: String
        /// `drawn`, `converted` or the codec that decodes it.
        var used: String
        /// Sizes with their rates, the fastest first; empty if the driver does not tell.
        var sizes: [Sizes]
    }

    /// One size, or a range of sizes from the smallest to the largest.
    struct Sizes: Encodable {
        var width: Int
        var height: Int
        var largestWidth: Int
        var largestHeight: Int
        var framesPerSecond: [Double]
        /// Whether all rates between the two can be set.
        var isRateRange: Bool

        /// `640x480`, or `16x16-1920x1080` for a range.
        var text: String {
            let isOne = (width, height) == (largestWidth, largestHeight)
            return isOne ? "\(width)x\(height)" : "\(width)x\(height)-\(largestWidth)x\(largestHeight)"
        }
    }

    struct Choice: Encodable {
        var value: Int
        var name: String
    }

    struct Control: Encodable {
        var name: String
        /// `V4L2_CID_…`.
        var id: UInt32
        /// `number`, `toggle`, `menu`, `button` or `bits`.
        var kind: String
        /// Missing for buttons, and where the camera does not tell.
        var value: Int?
        var defaultValue: Int
        var minimum: Int
        var maximum: Int
        var step: Int
        /// Of menus.
        var choices: [Choice]?
        var isReadOnly: Bool
        /// Whether it has no effect at present, because another control is automatic.
        var isInactive: Bool
    }

    var name: String
    var identity: String
    var path: String
    var driver: String
    var bus: String
    var serial: String?
    var problem: String?
    var formats: [Format]
    var controls: [Control]
    /// The rows of the table of controls.
    private var controlRows: [[String]] = []

    private enum CodingKeys: CodingKey {
        case name, identity, path, driver, bus, serial, problem, formats, controls
    }

    init(_ camera: CameraDevice) {
        (name, identity, path) = (camera.name, camera.identity, camera.path)
        (driver, bus, serial, problem) = (camera.driver, camera.bus, camera.serial, camera.problem)
        do throws(StreamError) {
            formats = try camera.formats().map(Format.init)
            let all = try CameraControls(path: camera.path).all()
            controls = all.map(Control.init)
            controlRows = all.map { control in
                let usual = control.kind == .button ? "" : control.text(of: control.defaultValue)
                let note = control.isReadOnly ? "read only" : control.isInactive ? "inactive" : ""
                return [control.key, control.valueText, usual, note, control.valuesText]
            }
        } catch {
            (formats, controls) = ([], [])
            problem = problem ?? error.description
        }
    }

    /// A list of names and values, then formats, then controls.
    var tables: [[[String]]] {
        let facts: [(String, String?)] = [
            ("identity", identity), ("path", path), ("driver", driver), ("bus", bus), ("serial number", serial),
            ("problem", problem),
        ]
        var rows: [[String]] = []
        for format in formats {
            let first = [format.format, format.description, format.used]
            guard !format.sizes.isEmpty else {
                rows.append(first + ["any size"])
                continue
            }
            for (index, size) in format.sizes.enumerated() {
                let numbers = size.framesPerSecond.map { number in
                    number == number.rounded() ? "\(Int(number))" : "\((number * 1000).rounded() / 1000)"
                }
                let rates = numbers.joined(separator: size.isRateRange ? " to " : " ")
                rows.append((index == 0 ? first : ["", "", ""]) + [size.text, rates.isEmpty ? "" : "\(rates) /s"])
            }
        }
        return [
            facts.compactMap { name, value in value.map { [name, $0] } },
            rows.isEmpty ? [] : [["format", "", "used", "size", "rates"]] + rows,
            controlRows.isEmpty ? [] : [["control", "value", "default", "", "values"]] + controlRows,
        ]
    }
}

extension DeviceReport.Format {
    init(_ format: CameraFormat) {
        let used =
            switch format.handling {
            case .drawn(let pixels): "drawn as \(pixels)"
            case .encoded(let codec): "decoded (\(codec.rawValue))"
            case .converted: "converted"
            }
        self.init(
            format: format.name, description: format.description, used: used,
            sizes: format.sizes.map { sizes in
                DeviceReport.Sizes(
                    width: sizes.smallest.width, height: sizes.smallest.height, largestWidth: sizes.largest.width,
                    largestHeight: sizes.largest.height, framesPerSecond: sizes.rates.map(\.value),
                    isRateRange: sizes.isRateRange)
            })
    }
}

extension DeviceReport.Control {
    init(_ control: CameraControl) {
        let isMenu = control.kind == .menu
        self.init(
            name: control.key, id: control.id, kind: "\(control.kind)", value: control.value,
            defaultValue: control.defaultValue, minimum: control.range.lowerBound, maximum: control.range.upperBound,
            step: control.step,
            choices: isMenu
                ? control.choices.sorted { $0.key < $1.key }.map { DeviceReport.Choice(value: $0.key, name: $0.value) }
                : nil,
            isReadOnly: control.isReadOnly, isInactive: control.isInactive)
    }
}
