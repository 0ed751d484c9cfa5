import ArgumentParser
import MediaIO
import PipeWireMedia
import V4L2Capture

/// `vitrail devices`: cameras, what they can do, and their controls.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List cameras, their formats and controls; set controls.",
        discussion: """
            vitrail devices                    all cameras
            vitrail devices C920               formats and controls of one
            vitrail devices C920 --set brightness=140 --set focus=default
            vitrail devices --json             everything as JSON

            A CAMERA is its path (/dev/video0), its identity or serial number, its
            name or a part of it. The identity stays when the camera is connected
            again, the path may not. As an input, it is camera:CAMERA. What PipeWire
            has comes after the cameras, if it runs.

            In the column “used”, formats are drawn as they are, decoded (mjpeg,
            h264), or converted by libv4l.

            --set shows what was set. Controls also change while a program shows the
            camera. A control's name may be shortened while it is the only one with
            that part.
            """)

    @Argument(help: ArgumentHelp("The camera; by default all.", valueName: "camera"))
    var camera: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a control: a number, on or off, a choice of a menu, or default. Repeat for more.",
            valueName: "name=value"))
    var settings: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        do {
            let cameras = CameraDevice.all()
            var chosen = cameras
            if let camera {
                // Accepted here, too, because inputs are written so.
                let name = camera.hasPrefix("camera:") ? String(camera.dropFirst("camera:".count)) : camera
                chosen = [try CameraSelector(name).find(among: cameras)]
            }
            if !settings.isEmpty {
                let lines = try set(CameraSelector("").find(among: chosen))
                if !json { return try StandardOutput.write(lines.map { "\($0)\n" }.joined()) }
            }
            let reports = chosen.map(DeviceReport.init)
            let nodes = camera == nil ? Self.nodes() : []
            try json ? StandardOutput.write(json: Everything(devices: reports, pipewire: nodes)) : write(reports, nodes)
        } catch let error as StreamError {
            throw ProgramError(.cannotOpen, error.description)
        }
    }

    /// Sets all controls, or none if one of them cannot have its value.
    ///
    /// - Returns: what each of them is now.
    private func set(_ camera: CameraDevice) throws -> [String] {
        let controls = try CameraControls(path: camera.path)
        var wanted: [(control: CameraControl, value: Int)] = []
        for setting in settings {
            guard let sign = setting.firstIndex(of: "="), sign > setting.startIndex else {
                throw ProgramError(.usage, "“\(setting)” is not a setting: use --set NAME=VALUE.")
            }
            let (key, value) = (String(setting[..<sign]), String(setting[setting.index(after: sign)...]))
            do throws(StreamError) {
                wanted.append(try controls.setting(key, value))
            } catch {
                throw ProgramError(.usage, error.description)
            }
        }
        return try wanted.map { wish in
            do throws(StreamError) {
                let control = try controls.set(wish.control, to: wish.value)
                return control.description(after: wish.value)
            } catch {
                throw ProgramError(.usage, error.description)
            }
        }
    }

    private struct Everything: Encodable {
        var devices: [DeviceReport]
        var pipewire: [Node]
    }

    /// A camera, or another program's pictures, that PipeWire has.
    private struct Node: Encodable {
        var name: String
        var description: String
        /// The input that shows it.
        var input: String
    }

    private static func nodes() -> [Node] {
        // Where PipeWire does not run, there is nothing that could be shown.
        let nodes = (try? PipeWireNode.all()) ?? []
        return nodes.map { Node(name: $0.name, description: $0.description, input: "\(PipeWireInput.node($0.name))") }
    }

    private func write(_ reports: [DeviceReport], _ nodes: [Node]) throws {
        if reports.isEmpty {
            try StandardOutput.write("There is no camera. Connect one, or check that its driver is loaded.\n")
        } else {
            try write(reports)
        }
        guard !nodes.isEmpty else { return }
        try StandardOutput.write("\n")
        try StandardOutput.write(table: [["PipeWire", "input"]] + nodes.map { [$0.description, $0.input] })
    }

    private func write(_ reports: [DeviceReport]) throws {
        if camera == nil {
            let title = ["Camera", "identity", "path", "driver", "formats"]
            let rows = reports.map { report in
                let formats = report.problem ?? report.formats.map(\.format).joined(separator: " ")
                return [report.name, report.identity, report.path, report.driver, formats]
            }
            return try StandardOutput.write(table: [title] + rows)
        }
        for report in reports {
            try StandardOutput.write("\(report.name)\n")
            for (index, table) in report.tables.enumerated() where !table.isEmpty {
                if index > 0 { try StandardOutput.write("\n") }
                try StandardOutput.write(table: table.map { ["  " + $0[0]] + $0.dropFirst() })
            }
        }
    }
}
