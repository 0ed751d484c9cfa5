import FFmpegMedia
import FoundationEssentials
import Logging
import MediaIO
import VideoEffects
import VideoSources
import VideoWall

/// Files that are dropped on the window.
extension Viewer {
    /// The endings of files in a folder that are videos; any other file can be dropped by itself.
    private static let endings: Set = [
        "3gp", "avi", "flv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "ogv", "ts", "webm",
        "wmv",
        "y4m",
    ]
    /// The most files of a folder that are added.
    private static let mostFiles = 256

    /// Adds dropped videos and those of folders, applies effects and presets, and shows a wall; a notice says why one
    /// cannot be used.
    func drop(_ paths: [String]) {
        let isEffect = { (path: String) in
            path.hasSuffix(EffectFile.suffix) || path.hasSuffix(EffectFile.shadertoySuffix)
                || pathExtension(path) == "cube"
        }
        let effects = paths.filter(isEffect)
        let presets = paths.filter { pathExtension($0) == "json" }
        let walls = paths.filter { pathExtension($0) == "toml" }
        let inputs = paths.filter { !isEffect($0) && !["json", "toml"].contains(pathExtension($0)) }
        for path in walls.prefix(1) {
            do throws(ProgramError) { try openWall(path) } catch { tell(failure: error.description) }
        }
        for path in effects { apply(effect: path) }
        for path in presets { apply(preset: path) }
        guard !inputs.isEmpty else { return }
        let files = inputs.flatMap { Self.videos(in: $0) ?? [$0] }
        edit { document in
            document.focus = nil
            for file in files { add(file, to: &document) }
        }
        noteOpened(files.prefix(RecentList.mostEntries).map { .init(typed: $0) })
    }

    /// Adds a file to the document, unless there is no room for it.
    private func add(_ path: String, to document: inout WallDocument) {
        let shown = MediaLocation.hidingSecrets(in: path)
        do throws(ProgramError) {
            let specifications = try AddressList.inputs(path)
            guard document.inputs.count + specifications.count <= wall.layout.capacity ?? .max else {
                return tell(failure: "\(shown) does not fit in the grid: omit --grid, or make it larger.")
            }
            for specification in specifications {
                for note in specification.notes { logger.notice("\(note)") }
                dropped.insert(document.add(WallInput(specification)))
            }
        } catch {
            tell(failure: error.description)
        }
    }

    /// The videos in a folder, by name; `nil` if the path is no folder.
    static func videos(in path: String) -> [String]? {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasPrefix(".") && pathExtension($0).map(endings.contains) == true }.sorted()
            .prefix(mostFiles).map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }

    /// Adds an effect to the tile under the mouse, or else to the wall.
    private func apply(effect path: String) {
        var notes: [String] = []
        do throws(EffectError) {
            // A table of colours is a parameter of an effect.
            let isTable = pathExtension(path) == "cube"
            var step = EffectChain.Step(try isTable ? EffectChain.effect("lut") : EffectFile.read(path))
            if isTable { _ = try step.set("table", text: path) }
            let text = EffectChain([step]).text
            let tile = pointedTile
            var chain = try EffectChain(
                [(tile?.effects ?? wall.effects).text, text].filter { !$0.isEmpty }.joined(separator: ","),
                notes: &notes)
            chain.bypassReason = nil
            set(chain, of: tile)
            overlay.show("\(path.split(separator: "/").last ?? "") applied", over: tile, now: clock.now)
            watchEffects()
        } catch {
            tell(failure: error.description)
        }
    }

    private func apply(preset path: String) {
        var notes: [String] = []
        do throws(EffectError) {
            try load(path, notes: &notes)
            for note in notes { logger.warning("\(note)") }
            watchEffects()
            overlay.show("\(path.split(separator: "/").last ?? "") applied", now: clock.now)
        } catch {
            tell(failure: error.description)
        }
    }
}
