import FFmpegMedia
import Glibc

/// Writing a wall back to its file.
extension WallFile {
    /// The text of the file with another document in it.
    ///
    /// In TOML, comments, order and formatting stay where nothing changed. JSON is written afresh.
    ///
    /// - Parameter document: an edited copy of ``document``: its inputs are known by their identities.
    /// - Returns: the text.
    /// - Throws: ``WallFileError`` if an included file would have to change, which is never written.
    func text(saving document: WallDocument) throws(WallFileError) -> String {
        try checkIncluded(document)
        let ids = document.inputs.map(\.id)
        let document = withDerivedIdentities(document)
        let paths = WallFilePaths(ofFile: path)
        let included = reader.includedCount
        var fresh = paths.written(WallValue(encoding: document)).table ?? [:]
        fresh["input"] = fresh["input"]?.list.map { .list(Array($0.dropFirst(included))) }
        if fresh["input"] == .list([]) { fresh["input"] = nil }
        fresh["include"] = reader.main?.value.table?["include"]
        try keepFromIncludes(&fresh, document, paths)
        if WallFileSource.isJSON(path) {
            let text = WallValue.table(fresh).json(indentation: 0) + "\n"
            try check(text, document)
            return text
        }
        if let text = edited(ids, fresh, paths), (try? check(text, document)) != nil { return text }
        let text = TOMLText.document(.table(fresh), heading: heading)
        try check(text, document)
        return text
    }

    /// Saves a document in a file, which is made if there is none; its comments stay.
    ///
    /// - Parameters:
    ///   - document: the wall.
    ///   - path: the path of the file.
    ///   - temporary: records the incomplete file.
    /// - Returns: the file as it is then.
    /// - Throws: ``ProgramError``: a file with a mistake in it is not replaced.
    static func save(
        _ document: WallDocument, to path: String, _ temporary: TemporaryFiles
    ) throws(ProgramError) -> WallFile {
        let exists = access(path, F_OK) == 0
        do throws(WallFileError) {
            let file = try exists ? read(path) : empty(path)
            let text = try file.text(saving: document)
            try write(text, to: path, isNew: !exists, temporary)
            return try read(path)
        } catch {
            throw error.programError
        }
    }

    private static func write(
        _ text: String, to path: String, isNew: Bool, _ temporary: TemporaryFiles
    ) throws(WallFileError) {
        do throws(ProgramError) {
            let output = try OutputFile(path, temporary)
            // The file is empty until its mode is right.
            if isNew, hasPassword(Array(text.utf8)), fchmod(output.descriptor, 0o600) != 0 {
                throw OutputFile.failure(path, errno)
            }
            try output.write(Array(text.utf8))
            try output.commit()
        } catch {
            throw WallFileError(path, nil, error.description)
        }
    }

    /// The document, whose inputs have identities from their addresses if they had them in the file: an edited address
    /// does not make the old one a name in the file.
    private func withDerivedIdentities(_ document: WallDocument) -> WallDocument {
        let derived = Set(self.document.inputs.filter(\.hasDerivedID).map(\.id))
        var result = document
        for index in result.inputs.indices where derived.contains(result.inputs[index].id) {
            guard !result.inputs[index].hasDerivedID else { continue }
            let (old, input) = (result.inputs[index].id, result.inputs[index])
            result.inputs[index].id = result.unusedID(input.address)
            if result.focus == old { result.focus = result.inputs[index].id }
        }
        return result
    }

    // MARK: Text

    /// The comments at the top of the file.
    private var heading: String {
        guard let bytes = reader.main?.bytes else { return TOMLText.heading }
        guard let scan = try? TOMLOutline(bytes), scan.endOfHeading > 0 else { return "" }
        let text = String(decoding: bytes[..<scan.endOfHeading], as: UTF8.self)
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { text[...$0] + "\n" } ?? ""
    }

    /// Makes the changes in the text of the file; `nil` if that cannot be done.
    ///
    /// - Parameters:
    ///   - ids: the identities of all inputs, by which those of ``document`` are found.
    ///   - fresh: what shall be in the file, without included inputs.
    ///   - paths: the paths of the file.
    /// - Returns: the text.
    private func edited(_ ids: [WallInput.ID], _ fresh: [String: WallValue], _ paths: WallFilePaths) -> String? {
        guard let main = reader.main, let old = paths.written(WallValue(encoding: document)).table else { return nil }
        let bytes = main.bytes.last == 0x0A ? main.bytes : main.bytes + [0x0A]
        guard var editor = try? TOMLEditor(bytes) else { return nil }
        let top = ["title", "focus"]
        editor.change([], from: old.filter { top.contains($0.key) }, to: fresh.filter { top.contains($0.key) })
        for name in WallOrder.tables where name != "input" {
            editor.change([name], from: old[name]?.table ?? [:], to: fresh[name]?.table ?? [:])
        }
        let included = reader.includedCount
        let (before, after) = (document.inputs.dropFirst(included).map(\.id), Array(ids.dropFirst(included)))
        let (oldTables, newTables) = (Array((old["input"]?.list ?? []).dropFirst(included)), fresh["input"]?.list ?? [])
        guard oldTables.count == before.count, newTables.count == after.count else { return nil }
        var items: [TOMLInputs.Item] = []
        for (id, table) in zip(after, newTables) {
            if let index = before.firstIndex(of: id) {
                editor.change(
                    ["input", "\(index)"], from: oldTables[index].table ?? [:], to: table.table ?? [:])
                items.append(.old(index))
            } else {
                items.append(.new(table.table ?? [:]))
            }
        }
        guard !editor.hasFailed else { return nil }
        if before == after { return String(decoding: editor.result, as: UTF8.self) }
        return TOMLInputs.arranged(editor.result, items).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Includes

    /// Checks that the inputs of included files are as they were.
    private func checkIncluded(_ new: WallDocument) throws(WallFileError) {
        var index = 0
        for (source, count) in reader.sources.dropLast() {
            for input in document.inputs[index..<index + count] {
                let name = input.name ?? MediaLocation.hidingSecrets(in: input.address)
                guard let now = new.inputs.first(where: { $0.id == input.id }), now == input else {
                    throw WallFileError(
                        path, nil,
                        "“\(name)” is in \(source.path), which is included: change it there, or save under another name"
                    )
                }
            }
            index += count
        }
        guard new.inputs.prefix(index).map(\.id) == document.inputs.prefix(index).map(\.id) else {
            let names = reader.sources.dropLast().map(\.source.path).joined(separator: ", ")
            throw WallFileError(
                path, nil,
                "the inputs of \(names) come first, because the file is included: save under another name to move them")
        }
    }

    /// Leaves to included files what they say, and writes even defaults where they say something else.
    private func keepFromIncludes(
        _ fresh: inout [String: WallValue], _ new: WallDocument, _ paths: WallFilePaths
    ) throws(WallFileError) {
        guard let alone = reader.included else { return }
        func complete(_ document: WallDocument) -> [[String]: WallValue] {
            Self.flat(paths.written(WallValue(encoding: document, isComplete: true)))
        }
        let (wanted, included) = (complete(new), complete(alone))
        let own = Self.flat(reader.main?.value ?? .table([:]))
        var flat = Self.flat(.table(fresh))
        for key in Set(wanted.keys).union(included.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if wanted[key] == included[key] {
                if own[key] == nil { flat[key] = nil }
            } else if let value = wanted[key] {
                flat[key] = value
            } else {
                let source = reader.sources.dropLast().last { Self.flat($0.source.value)[key] != nil }?.source.path
                throw WallFileError(
                    path, nil,
                    "\(key.joined(separator: ".")) is in \(source ?? "a file"), which is included: remove it there, or save under another name"
                )
            }
        }
        fresh = fresh.filter { $0.key == "input" || $0.key == "include" }
        for (key, value) in flat {
            fresh[key[0]] =
                key.count == 1 ? value : (fresh[key[0]] ?? .table([:])).overlaid(with: .table([key[1]: value]))
        }
    }

    /// The values outside the inputs by their names, those in tables by two.
    private static func flat(_ value: WallValue) -> [[String]: WallValue] {
        (value.table ?? [:]).reduce(into: [:]) { flat, item in
            guard item.key != "input", item.key != "include" else { return }
            guard let table = item.value.table else { return flat[[item.key]] = item.value }
            for (key, value) in table { flat[[item.key, key]] = value }
        }
    }

    // MARK: Checks

    /// Checks that a text reads as a document.
    private func check(_ text: String, _ document: WallDocument) throws(WallFileError) {
        var reader = reader
        try reader.replaceMain(Array(text.utf8), path)
        guard comparable(try reader.document()) == comparable(document) else {
            throw WallFileError(path, nil, "the wall cannot be saved in this form: save it in another file")
        }
    }

    /// What two documents have in common that mean the same.
    private func comparable(_ document: WallDocument) -> [String: WallValue] {
        var usual = document
        if usual.pages.page >= usual.pages.count(of: usual.inputs.count) { usual.pages.page = 0 }
        var table = WallFilePaths(ofFile: path).written(WallValue(encoding: usual)).table ?? [:]
        table["focus"] = document.focus.flatMap(document.index).map { .whole($0) }
        return table
    }
}
