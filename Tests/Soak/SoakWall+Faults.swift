import Foundation
import TestSupport

extension SoakWall {
    /// Does something to the wall, and waits until it is as before.
    ///
    /// - Returns: whether it is.
    func inject(_ fault: SoakFault, _ random: inout SeededGenerator) throws -> Bool {
        switch fault {
        case .serverEnds, .serverKilled, .serverHangs, .serverSlow: return try injectNetwork(fault, &random)
        case .keys:
            let keys = [
                "i", "l", "k", "g", "m", "r", "c", "u", "v", "x", "a", "e", "t", "3", "0", "question", "Tab", "F5",
            ]
            for _ in 0..<6 {
                try key(keys.randomElement(using: &random) ?? "i")
                usleep(200_000)
            }
            // So short that it is not taken for a wall without pictures.
            try key("space")
            usleep(300_000)
            try key("space")
            for name in ["Escape", "Escape", "0"] { try key(name) }
            // What would make the wall slower from then on, or take more memory.
            for action in ["help off", "statistics off", "open \(firstWall)"] { try send(action) }
        case .mouse:
            let places = (0..<4).map { _ in
                ["\(Int.random(in: 10..<900, using: &random))", "\(Int.random(in: 10..<500, using: &random))"]
            }
            try display.xdotool(
                ["mousemove"] + places[0] + ["click", "--repeat", "3", "4", "mousemove"] + places[1] + [
                    "mousedown", "1",
                ]
                    + ["mousemove"] + places[2] + ["sleep", "0.1", "mousemove"] + places[3] + ["mouseup", "1"]
                    + [
                        "click", "3", "key", "Escape", "key", "ctrl+z", "key", "ctrl+z", "key", "ctrl+z", "key",
                        "ctrl+z",
                    ])
            try send("open \(firstWall)")
        case .resize:
            let size = [Int.random(in: 320...1270, using: &random), Int.random(in: 240...1000, using: &random)]
            try display.xdotool(["search", "--name", "soak", "windowsize", "\(size[0])", "\(size[1])"])
            try pass(seconds: 1.5)
            try display.xdotool(["search", "--name", "soak", "windowsize", "960", "540"])
        case .layout:
            for name in ["spotlight", "strip", "pip", "free"].shuffled(using: &random) {
                try send("layout \(name)")
                try pass(seconds: 1)
            }
            try send("layout grid")
            try send("page-size 4")
            try pass(seconds: 1)
            try send("page next")
            try pass(seconds: 1)
            try send("page-size all")
        case .effect:
            let count = try mentions(of: "soak.effect.glsl")
            try saveEffect(isWhole: false)
            let end = Date.now + 20
            while try mentions(of: "soak.effect.glsl") == count, Date.now < end { try pass(seconds: 0.5) }
            guard try mentions(of: "soak.effect.glsl") > count else { return false }
            try saveEffect(isWhole: true)
        case .receiver: return try loseReceiver(&random)
        case .fullDisk: return try fillDisk()
        }
        return try isBack()
    }

    private func key(_ name: String) throws { try display.xdotool("key", name) }

    /// How often the program has said something of a file.
    private func mentions(of name: String) throws -> Int {
        try String(contentsOfFile: log, encoding: .utf8).ranges(of: name).count
    }

    /// Whether all tiles are live and pictures come.
    private func isBack(seconds: Double = 40) throws -> Bool {
        // Lines from before do not count.
        _ = try records.newest()
        return try wait(seconds: seconds) { record in
            hasPictures && record.tiles.allSatisfy { ["live", "late"].contains($0.state) }
                && record.outputs.allSatisfy { $0.state == "running" }
        }
    }

    private func injectNetwork(_ fault: SoakFault, _ random: inout SeededGenerator) throws -> Bool {
        guard let number = servers.keys.sorted().randomElement(using: &random), let server = servers[number] else {
            return false
        }
        let seconds = Double.random(in: 1...8, using: &random)
        switch fault {
        case .serverHangs:
            server.hold(true)
            try pass(seconds: seconds)
            server.hold(false)
        case .serverSlow:
            for _ in 0..<40 {
                server.hold(true)
                usleep(100_000)
                server.hold(false)
                usleep(50_000)
            }
        default:
            server.end(by: fault == .serverKilled ? SIGKILL : SIGTERM)
            try pass(seconds: seconds)
            try server.start()
        }
        // Five seconds until a silent server is noticed, ten until the next try.
        return try isBack(seconds: 60)
    }

    private func loseReceiver(_ random: inout SeededGenerator) throws -> Bool {
        let isHeld = Bool.random(using: &random)
        isHeld ? receiver.hold(true) : receiver.end(by: SIGKILL)
        try pass(seconds: Double.random(in: 1...20, using: &random))
        isHeld ? receiver.hold(false) : try receiver.start()
        // Ten seconds until one that takes nothing is given up, ten until the next try.
        return try isBack(seconds: 60)
    }

    /// Has pictures and the wall saved where there is no room, and again where there is.
    private func fillDisk() throws -> Bool {
        let filler = "\(disk)/filler"
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        if let file = FileHandle(forWritingAtPath: filler) {
            let block = Data(count: 1 << 16)
            while (try? file.write(contentsOf: block)) != nil {}
            try file.close()
        }
        try send("snapshot")
        try send("save full.toml")
        try pass(seconds: 2)
        let isEmpty = try FileManager.default.contentsOfDirectory(atPath: disk).allSatisfy { $0 == "filler" }
        try FileManager.default.removeItem(atPath: filler)
        try send("snapshot")
        try send("save free.toml")
        let end = Date.now + 20
        var names: [String] = []
        repeat {
            try pass(seconds: 0.5)
            names = try FileManager.default.contentsOfDirectory(atPath: disk)
        } while Date.now < end && !(names.contains("free.toml") && names.contains { $0.hasSuffix(".png") })
        for name in names { try FileManager.default.removeItem(atPath: "\(disk)/\(name)") }
        return try isEmpty && names.contains { $0.hasSuffix(".png") } && isBack()
    }
}
