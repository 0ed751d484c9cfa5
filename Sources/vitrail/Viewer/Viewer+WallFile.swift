import FFmpegMedia
import Glibc
import Logging
import VideoWall
import WindowGL

/// The file that the wall was read from, or is saved in.
extension Viewer {
    /// The file that the wall was read from or saved in; `nil` for none.
    var wallFile: WallFile? { origin.file }

    /// Shows the title of the window, with an asterisk before it if the wall is not as its file says.
    func showTitle() {
        let name = wallFile.map { "\(MediaLocation.hidingSecrets(in: WallNames.short($0.path))) – Vitrail" }
        let own = hasFixedTitle ? title : history.document.title ?? name ?? title
        let new = "\(isUnsaved ? "*" : "")\(own)\(isPaused ? " (paused)" : "")"
        if window.title != new { window.title = new }
    }

    /// Whether the wall's file says something else than the wall.
    private var isUnsaved: Bool {
        guard var saved = origin.saved else { return false }
        // Where somebody is looking is not worth saving by itself.
        (saved.focus, saved.pages.page) = (history.document.focus, history.document.pages.page)
        saved.keepPlacesApart()
        return saved != history.document
    }

    /// Closes the window, unless the wall is not as its file says: then only the second time.
    func quit() {
        guard isUnsaved, let path = wallFile?.path, clock.now >= mayQuitUntil else {
            isDone = true
            return
        }
        mayQuitUntil = clock.now + .seconds(5)
        let name = MediaLocation.hidingSecrets(in: WallNames.short(path))
        overlay.show("\(name) is not saved: w saves it, q again closes it as it is", for: .seconds(5), now: clock.now)
    }

    // MARK: Saving

    /// Saves the wall: in a file, under a name, or where it was read from; if there is nothing of these, a name is asked
    /// for.
    func saveWall(_ words: ActionWords) throws(ProgramError) {
        if !words.words.isEmpty { return try saveWall(at: WallNames.pathForSaving(words.text)) }
        if let path = wallFile?.path { return try saveWall(at: path) }
        try saveWallAs(words)
    }

    /// Asks for a name, and saves the wall under it.
    func saveWallAs(_ words: ActionWords) throws(ProgramError) {
        if !words.words.isEmpty { return try saveWall(at: WallNames.pathForSaving(words.text)) }
        guard words.canAsk else { throw words.refusal }
        askForName(
            "Save the wall as: a name, for vitrail NAME, or a file (Enter saves, Esc does not)",
            WallNames.unused(like: wallFile.map { WallNames.short($0.path) } ?? "wall"), refusing: nil)
    }

    /// Asks for a name until it is a new one, or the same one is given again.
    private func askForName(_ title: String, _ suggestion: String, refusing refused: String?) {
        ask(title, text: suggestion) { [self] text throws(ProgramError) in
            let name = text.trimmed
            guard !name.isEmpty else { return }
            let path = try WallNames.pathForSaving(name)
            guard path == refused || path == wallFile?.path || !InputSpecification.fileExists(path) else {
                return askForName(
                    "There is a wall \(name): Enter replaces it, or type another name", name, refusing: path)
            }
            try saveWall(at: path)
        }
    }

    private func saveWall(at path: String) throws(ProgramError) {
        let document = history.document
        let isNew = path != wallFile?.path
        let own = isNew ? document : origin.inFile(document)
        origin = WallOrigin(savedIn: try WallFile.save(own, to: path, files), document)
        showTitle()
        watchEffects()
        noteOpened([.init(wallFile: path)])
        let name = WallNames.short(path)
        let isNamed = isNew && name != path
        tell(
            "\(MediaLocation.hidingSecrets(in: name)) saved\(isNamed ? ": vitrail \(name) shows it, from \(path)" : "")"
        )
        for note in wallFile?.notes ?? [] { logger.warning("\(note)") }
    }

    // MARK: Opening

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
        // The command line was about another wall.
        edit(origin: WallOrigin(readFrom: file, as: file.document)) { $0 = file.document }
        watchEffects()
        noteOpened([.init(wallFile: path)])
        tell("\(MediaLocation.hidingSecrets(in: WallNames.short(path))) opened")
    }

    // MARK: Reading again

    /// Whether the wall is read from one of some files.
    func isWallFile(_ files: Set<String>) -> Bool {
        wallFile.map { !files.isDisjoint(with: $0.files.union(missedFiles)) } ?? false
    }

    /// Shows what has changed in the file of the wall, when one of its files was saved.
    ///
    /// What was changed by hand since it was read, and not in the file, stays.
    ///
    /// - Parameter saved: the files that were saved.
    func rereadWall(_ saved: Set<String>) {
        guard let old = wallFile, isWallFile(saved) else { return }
        nextFileCheck = nil
        do throws(WallFileError) {
            let new = try WallFile.read(old.path)
            let isMended = !missedFiles.isEmpty
            missedFiles = []
            // What the viewer itself has saved is shown already.
            guard new.document != old.document else {
                if isMended { tell("\(MediaLocation.hidingSecrets(in: WallNames.short(old.path))) read again") }
                return
            }
            for note in new.notes { logger.warning("\(note)") }
            var (before, after) = (origin.onWall(old.document), origin.onWall(new.document))
            do throws(ProgramError) {
                try origin.commandLine(&before)
                try origin.commandLine(&after)
            } catch {
                return tell(failure: error.description)
            }
            origin.file = new
            origin.saved?.apply(changesFrom: before, to: after)
            edit { $0.apply(changesFrom: before, to: after) }
            showTitle()
            tell("\(MediaLocation.hidingSecrets(in: WallNames.short(old.path))) read again")
        } catch {
            // The wall goes on as it was; the file is read again once it has changed.
            missedFiles = error.files
            tell(failure: error.description)
        }
    }

    /// Notes that something has become of a file of the wall, which may not be there any more.
    ///
    /// Some programs save by removing the old file first, so it is looked at a little later.
    func noteLoss(of lost: Set<String>) {
        guard let file = wallFile, !lost.isDisjoint(with: file.files) else { return }
        nextFileCheck = clock.now + .seconds(1)
    }

    /// Says that a file of the wall cannot be read any more, when it is time to look.
    func checkWallFile() {
        guard let check = nextFileCheck, clock.now >= check else { return }
        nextFileCheck = nil
        guard let file = wallFile, let lost = file.files.sorted().first(where: { access($0, R_OK) != 0 }) else {
            return
        }
        missedFiles = [lost]
        let (name, wall) = (WallNames.short(lost), WallNames.short(file.path))
        tell(
            failure:
                "\(name) cannot be read any more: the wall goes on as it is\(name == wall ? "; w saves it again" : "")."
        )
    }
}
