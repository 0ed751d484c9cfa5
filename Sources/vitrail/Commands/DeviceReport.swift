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

    struct Sizes: Encodable {
        /// `640x480`, or `16x16-1920x1080` for a range.
        var size: String
        var framesPerSecond: [String]
        /// Whether all rates between the two can be set.
        var isRateRange: Bool
    }

    struct Control: Encodable {
        var name: String
        var value: String
        var values: String
        var defaultValue: String
        /// `read only`, `inactive` or nothing.
        var note: String
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

    init(_ camera: CameraDevice) {
        (name, identity, path) = (camera.name, camera.identity, camera.path)
        (driver, bus, serial, problem) = (camera.driver, camera.bus, camera.serial, camera.problem)
        do throws(StreamError) {
            formats = try camera.formats().map(Format.init)
            controls = try CameraControls(path: camera.path).all().map(Control.init)
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
                let rates = size.framesPerSecond.joined(separator: size.isRateRange ? " to " : " ")
                rows.append((index == 0 ? first : ["", "", ""]) + [size.size, rates.isEmpty ? "" : "\(rates) /s"])
            }
        }
        let settings = controls.map { [$0.name, $0.value, $0.defaultValue, $0.note, $0.values] }
        return [
            facts.compactMap { name, value in value.map { [name, $0] } },
            rows.isEmpty ? [] : [["format", "", "used", "size", "rates"]] + rows,
            settings.isEmpty ? [] : [["control", "value", "default", "", "values"]] + settings,
        ]
    }
}

extension DeviceReport.Format {
    init(_ format: CameraFormat) {
        let used =
            switch format.handling {
            case .drawn(let pixels): "drawn as \(pixels)"
            case .decoded(let codec): "decoded (\(codec.rawValue))"
            case .converted: "converted"
            }
        self.init(
            format: format.name, description: format.description, used: used,
            sizes: format.sizes.map { sizes in
                let range = sizes.smallest == sizes.largest ? "" : "\(sizes.smallest)-"
                return DeviceReport.Sizes(
                    size: "\(range)\(sizes.largest)", framesPerSecond: sizes.rates.map(\.description),
                    isRateRange: sizes.isRateRange)
            })
    }
}

extension DeviceReport.Control {
    init(_ control: CameraControl) {
        self.init(
            name: control.key, value: control.valueText, values: control.valuesText,
            defaultValue: control.kind == .button ? "" : control.text(of: control.defaultValue),
            note: control.isReadOnly ? "read only" : control.isInactive ? "inactive" : "")
    }
}
