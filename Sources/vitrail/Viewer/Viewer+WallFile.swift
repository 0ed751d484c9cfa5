import FFmpegMedia
import Logging
import VideoWall
import WindowGL

/// The file that the wall was read from, or is saved in.
extension Viewer {
    /// Saves the wall: in a file, under a name, or where it was read from; if there is nothing of these, a name is asked
    /// for.
    func saveWall(_ words: ActionWords) throws(ProgramError) {
        if !words.words.isEmpty { return try saveWall(as: words.text) }
        if let path = wallFile?.path { return try saveWall(at: path) }
        guard words.canAsk else { throw words.refusal }
        ask("Save the wall as: a name, for vitrail NAME, or a file (Enter saves, Esc does not)", text: "wall") {
            [self] text throws(ProgramError) in
            if !text.trimmed.isEmpty { try saveWall(as: text.trimmed) }
        }
    }

    /// Saves the wall in a file, or under a name.
    private func saveWall(as name: String) throws(ProgramError) {
        try saveWall(at: WallNames.pathForSaving(name))
    }

    private func saveWall(at path: String) throws(ProgramError) {
        wallFile = try WallFile.save(history.document, to: path, files)
        watchEffects()
        noteOpened([.init(wallFile: path)])
        tell("\(MediaLocation.hidingSecrets(in: WallNames.short(path))) saved")
        for note in wallFile?.notes ?? [] { logger.warning("\(note)") }
    }

    /// Shows the wall of a name or a file instead of this one; that can be undone.
    func openWall(_ words: ActionWords) throws(ProgramError) {
        if !words.words.isEmpty { return try openWall(words.text) }
        guard words.canAsk else { throw words.refusal }
        ask("Open the wall of a name or a file (Enter opens it, Esc does not)") { [self] text throws(ProgramError) in
            if !text.trimmed.isEmpty { try openWall(text.trimmed) }
        }
    }

    /// Shows the wall of a name or a file instead of this one.
    func openWall(_ name: String) throws(ProgramError) {
        guard let path = WallNames.path(of: name) else {
            throw ProgramError(.cannotOpen, "There is no wall “\(MediaLocation.hidingSecrets(in: name))”.")
        }
        let file: WallFile
        do throws(WallFileError) { file = try WallFile.read(path) } catch { throw error.programError }
        for note in file.notes { logger.warning("\(note)") }
        wallFile = file
        // The command line was about another wall.
        commandLine = { _ in }
        edit { $0 = file.document }
        watchEffects()
        noteOpened([.init(wallFile: path)])
        tell("\(MediaLocation.hidingSecrets(in: WallNames.short(path))) opened")
    }

    /// Reads the wall again, when one of its files was saved.
    ///
    /// - Parameter saved: the files that were saved.
    func rereadWall(_ saved: Set<String>) {
        guard let old = wallFile, !saved.isDisjoint(with: old.files.union(missedFiles)) else { return }
        do throws(WallFileError) {
            let new = try WallFile.read(old.path)
            missedFiles = []
            // What the viewer itself has saved is shown already.
            guard new.document != old.document else { return }
            wallFile = new
            for note in new.notes { logger.warning("\(note)") }
            var document = new.document
            do throws(ProgramError) {
                try commandLine(&document)
            } catch {
                return tell(failure: error.description)
            }
            edit { $0 = document }
            tell("\(MediaLocation.hidingSecrets(in: WallNames.short(old.path))) read again")
        } catch {
            // The wall goes on as it was; the file is read again once it has changed.
            missedFiles = error.files
            tell(failure: error.description)
        }
    }
}
