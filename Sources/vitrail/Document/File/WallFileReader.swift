import VitrailSupport

/// Reads a wall file with all that it includes.
struct WallFileReader {
    /// The most levels of includes, and the most files.
    static let (maximumDepth, maximumCount) = (8, 64)

    /// The files of which the wall consists, in the order in which they are applied; the wall file is the last.
    private(set) var sources: [(source: WallFileSource, inputs: Int)] = []
    /// What all of them say together, with absolute paths.
    private(set) var value = WallValue.table([:])
    /// All files that were read or that are missing.
    private(set) var files: Set<String> = []
    /// The files that are being read, of which each includes the next.
    private var open: [SmallFile.Identity] = []

    init() {}

    /// Begins with a file that does not exist yet.
    init(newFile path: String) { files = [path] }

    /// The wall file itself; `nil` if it does not exist yet.
    var main: WallFileSource? { sources.last?.source }
    /// The wall without the wall file itself; `nil` if it includes nothing.
    var included: WallDocument? {
        guard sources.count > 1 else { return nil }
        var reader = WallFileReader()
        for (source, _) in sources.dropLast() { reader.apply(source) }
        return try? reader.document()
    }
    /// The number of inputs in included files.
    var includedCount: Int { sources.dropLast().reduce(0) { $0 + $1.inputs } }

    /// Reads a file.
    ///
    /// - Throws: ``WallFileError``.
    mutating func read(_ path: String) throws(WallFileError) {
        do throws(WallFileError) { try add(path, includedBy: nil) } catch {
            var error = error
            error.files = files
            throw error
        }
    }

    /// The document.
    ///
    /// - Throws: ``WallFileError``, with the place in the file that has the mistake.
    func document() throws(WallFileError) -> WallDocument {
        do {
            return try WallDocument(decoding: value)
        } catch {
            let problem = error as? WallProblem ?? WallProblem("the file cannot be read: \(error)", at: [])
            var located = locate(problem)
            located.files = files
            throw located
        }
    }

    // MARK: Includes

    private mutating func add(
        _ path: String, includedBy place: ((String) -> WallFileError)?
    ) throws(WallFileError) {
        files.insert(path)
        let bytes: [UInt8]
        let identity: SmallFile.Identity
        do throws(WallFileError) { (bytes, identity) = try WallFileText.read(path) } catch {
            // A mistake in the text has a place in it; that it cannot be read is a matter of the include.
            guard error.place == nil, let place else { throw error }
            throw place("“\(path)”: \(error.message)")
        }
        if let place, open.contains(identity) { throw place("“\(path)” includes itself") }
        if let place, open.count > Self.maximumDepth {
            throw place("includes lie in each other more than \(Self.maximumDepth) deep")
        }
        if let place, files.count > Self.maximumCount {
            throw place("there are more than \(Self.maximumCount) files")
        }
        let source = try WallFileSource(bytes, path)
        open.append(identity)
        for (name, keys) in try includes(of: source) {
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            let isFree = name.hasPrefix("/") || name.hasPrefix("~/")
            let target =
                isFree ? WallFilePaths(ofFile: path).resolved(name) : String(folder + name.trimmingPrefix("./"))
            try add(target) { source.error(WallProblem($0, at: keys)) }
        }
        open.removeLast()
        apply(source)
    }

    private func includes(of source: WallFileSource) throws(WallFileError) -> [(name: String, keys: [WallKey])] {
        let message = "“include” must be the name of a file in quotation marks, or a list of such names"
        let key = WallKey("include")
        switch source.value.table?["include"] {
        case nil: return []
        case .text(let name) where !name.isEmpty: return [(name, [key])]
        case .list(let list):
            var names: [(String, [WallKey])] = []
            for (index, item) in list.enumerated() {
                guard let name = item.text, !name.isEmpty, !name.utf8.contains(0) else {
                    throw source.error(WallProblem(message, at: [key, WallKey("\(index)")]))
                }
                names.append((name, [key, WallKey("\(index)")]))
            }
            return names
        default: throw source.error(WallProblem(message, at: [key]))
        }
    }

    private mutating func apply(_ source: WallFileSource) {
        guard var own = WallFilePaths(ofFile: source.path).resolved(source.value).table else { return }
        own["include"] = nil
        let inputs = own["input"]?.list
        if let inputs, let before = value.table?["input"]?.list { own["input"] = .list(before + inputs) }
        value = value.overlaid(with: .table(own))
        sources.append((source, inputs?.count ?? 0))
    }

    /// Replaces the text of the wall file; what it includes stays.
    ///
    /// - Throws: ``WallFileError``.
    mutating func replaceMain(_ bytes: [UInt8], _ path: String) throws(WallFileError) {
        let kept = sources.dropLast()
        (sources, value) = ([], .table([:]))
        for (source, _) in kept { apply(source) }
        apply(try WallFileSource(bytes, path))
    }

    // MARK: Places

    /// Finds the file that has a mistake, and the place in it.
    private func locate(_ problem: WallProblem) -> WallFileError {
        if problem.path.count > 1, problem.path[0] == "input", var index = Int(problem.path[1]) {
            for (source, count) in sources {
                if index < count {
                    let path = ["input", "\(index)"] + problem.path.dropFirst(2)
                    return source.error(WallProblem(problem, at: path))
                }
                index -= count
            }
        }
        // What a later file says replaces what an earlier one says.
        let found = sources.map(\.source).reversed().max { left, right in
            left.outline.closest(to: problem.path).count < right.outline.closest(to: problem.path).count
        }
        return found?.error(problem) ?? WallFileError("", nil, problem.message)
    }
}
