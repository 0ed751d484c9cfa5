/// Where a wall came from: its file, and what the command line adds to it.
struct WallOrigin {
    /// The file that it was read from or saved in; `nil` for none.
    var file: WallFile?
    /// The options of the command line, which go before what the file says.
    var commandLine: (inout WallDocument) throws(ProgramError) -> Void = { _ in }
    /// The wall as the file says it, when it was last read or saved; `nil` without a file.
    var saved: WallDocument?
    /// The identity on the wall of each input of the file.
    ///
    /// They differ after inputs were moved or were saved in a file of another folder, since the identities of a file
    /// follow from the addresses in it and their order.
    private var identities: [WallInput.ID: WallInput.ID] = [:]

    /// A wall without a file.
    init() {}

    /// A wall that was read from a file.
    ///
    /// - Parameters:
    ///   - file: the file; `nil` for none.
    ///   - document: the wall as it was first shown.
    ///   - commandLine: the options of the command line.
    init(
        readFrom file: WallFile?, as document: WallDocument,
        _ commandLine: @escaping (inout WallDocument) throws(ProgramError) -> Void = { _ in }
    ) {
        self.file = file
        self.commandLine = commandLine
        saved = file == nil ? nil : document
    }

    /// A wall that was saved in a file: what the command line had changed is part of it then.
    init(savedIn file: WallFile, _ document: WallDocument) {
        self.file = file
        saved = document
        identities = Dictionary(zip(file.document.inputs.map(\.id), document.inputs.map(\.id))) { first, _ in first }
    }

    /// A document of the file, with the identities that its inputs have on the wall.
    func onWall(_ document: WallDocument) -> WallDocument { Self.renamed(document, identities) }

    /// The document of the wall, with the identities that its inputs have in the file.
    func inFile(_ document: WallDocument) -> WallDocument {
        Self.renamed(document, Dictionary(identities.map { ($1, $0) }) { first, _ in first })
    }

    private static func renamed(
        _ document: WallDocument, _ names: [WallInput.ID: WallInput.ID]
    ) -> WallDocument {
        var result = document
        let taken = Set(document.inputs.compactMap { names[$0.id] })
        for index in result.inputs.indices {
            let id = document.inputs[index].id
            guard let new = names[id] ?? (taken.contains(id) ? result.unusedID(id) : nil) else { continue }
            result.inputs[index].id = new
            if document.focus == id { result.focus = new }
        }
        return result
    }
}
