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
        let tile = pointedTile?.id
        guard paths.contains(where: { DroppedFile($0).hasEffects }) else { return use(dropped: paths, on: tile) }
        effectReader.read(.dropped(paths, on: tile))
    }

    /// Uses dropped files; those with effects were read before.
    func use(dropped paths: [String], on tile: WallTile.ID?) {
        let files = Dictionary(grouping: paths, by: DroppedFile.init)
        for path in (files[.wall] ?? []).prefix(1) {
            do throws(ProgramError) { try openWall(path) } catch { tell(failure: error.description) }
        }
        for path in paths where [.effect, .table].contains(DroppedFile(path)) {
            apply(effect: path, to: tile.flatMap(wall.tile))
        }
        for path in files[.preset] ?? [] { apply(preset: path) }
        let inputs = files[.input] ?? []
        guard !inputs.isEmpty else { return }
        let videos = inputs.flatMap { Self.videos(in: $0) ?? [$0] }
        edit { document in
            document.focus = nil
            for file in videos { add(file, to: &document) }
        }
        noteOpened(videos.prefix(RecentList.mostEntries).map { .init(typed: $0) })
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

    /// Adds an effect to a tile, or to the wall for `nil`.
    private func apply(effect path: String, to tile: WallTile?) {
        var notes: [String] = []
        do throws(EffectError) {
            // A table of colours is a parameter of an effect.
            let isTable = DroppedFile(path) == .table
            var step = EffectChain.Step(try isTable ? EffectChain.effect("lut") : EffectFile.read(path))
            if isTable { _ = try step.set("table", text: path) }
            let text = EffectChain([step]).text
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
