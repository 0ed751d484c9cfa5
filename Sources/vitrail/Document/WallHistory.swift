/// The present document of a wall, and how to return to earlier ones.
///
/// It keeps what differs between two documents, so that a wall that is edited for months stays small.
struct WallHistory: Sendable {
    /// One edit.
    private struct Step: Sendable {
        /// From the inputs before to those after.
        let inputs: CollectionDifference<WallInput>
        /// Everything else before and after; their inputs are empty.
        let before: WallDocument
        let after: WallDocument
        /// Where the document came from before and after.
        let origins: (before: Int, after: Int)
        /// Edits of one gesture have the same key.
        let gesture: String?
        /// How much it counts for the limit, by what it keeps.
        var weight: Int { 1 + inputs.count }
    }

    /// The document as it is now.
    private(set) var document: WallDocument
    /// Where the document came from, as ``edit(_:gesture:origin:)`` was told: another wall that was opened is another origin.
    private(set) var origin = 0
    private var past: [Step] = []
    private var future: [Step] = []
    /// The most edits that can be undone; one that changes inputs, such as opening another wall, counts for as many more.
    static let limit = 40_000

    /// Begins with a document; nothing can be undone.
    init(_ document: WallDocument) { self.document = document }

    /// Whether there is anything to undo.
    var canUndo: Bool { !past.isEmpty }
    /// Whether there is anything to do again.
    var canRedo: Bool { !future.isEmpty }

    /// Replaces the document.
    ///
    /// - Parameters:
    ///   - new: the edited document.
    ///   - gesture: what the edit is a part of: consecutive edits of one gesture, such as a drag, are undone together.
    ///   - newOrigin: where the document comes from; `nil` if it is the same wall.
    mutating func edit(_ new: WallDocument, gesture: String? = nil, origin newOrigin: Int? = nil) {
        guard new != document || newOrigin != nil else { return }
        future.removeAll()
        if let gesture, let last = past.last, last.gesture == gesture {
            past.removeLast()
            let old = Self.undo(last, document)
            document = new
            // A gesture that ends where it began is no edit.
            if old != new { past.append(step(from: old, to: new, gesture)) }
            return
        }
        past.append(step(from: document, to: new, gesture, newOrigin))
        forget()
        document = new
        origin = newOrigin ?? origin
    }

    /// Forgets the earliest edits beyond the limit, but never the last one.
    private mutating func forget() {
        var excess = past.reduce(-Self.limit) { $0 + $1.weight }
        let count = past.dropLast().prefix { step in
            defer { excess -= step.weight }
            return excess > 0
        }.count
        past.removeFirst(count)
    }

    /// Where the documents came from that can be returned to, and the present one.
    var origins: Set<Int> { Set((past + future).flatMap { [$0.origins.before, $0.origins.after] }).union([origin]) }

    /// Changes what is not worth undoing by itself, such as the page of a tour; the inputs stay as they are.
    mutating func replace(_ change: (inout WallDocument) -> Void) {
        let inputs = document.inputs
        change(&document)
        document.inputs = inputs
    }

    /// Ends a gesture: the next edit is undone by itself.
    mutating func endGesture() {
        guard let last = past.popLast() else { return }
        past.append(
            Step(inputs: last.inputs, before: last.before, after: last.after, origins: last.origins, gesture: nil))
    }

    /// Returns to the document before the last edit; false if there is none.
    mutating func undo() -> Bool {
        guard let step = past.popLast() else { return false }
        document = Self.undo(step, document)
        origin = step.origins.before
        future.append(step)
        return true
    }

    /// Does the last undone edit again; false if there is none.
    mutating func redo() -> Bool {
        guard let step = future.popLast() else { return false }
        document = Self.apply(step.inputs, step.after, document)
        origin = step.origins.after
        past.append(step)
        return true
    }

    private func step(
        from old: WallDocument, to new: WallDocument, _ gesture: String?, _ newOrigin: Int? = nil
    ) -> Step {
        var (before, after) = (old, new)
        (before.inputs, after.inputs) = ([], [])
        return Step(
            inputs: new.inputs.difference(from: old.inputs), before: before, after: after,
            origins: (origin, newOrigin ?? origin), gesture: gesture)
    }

    private static func undo(_ step: Step, _ document: WallDocument) -> WallDocument {
        apply(step.inputs.inverse(), step.before, document)
    }

    private static func apply(
        _ inputs: CollectionDifference<WallInput>, _ rest: WallDocument, _ document: WallDocument
    ) -> WallDocument {
        var new = rest
        // A difference always fits the inputs that it was made from.
        new.inputs = document.inputs.applying(inputs) ?? document.inputs
        return new
    }
}
