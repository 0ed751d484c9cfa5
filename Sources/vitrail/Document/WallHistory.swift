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
        /// Edits of one gesture have the same key.
        let gesture: String?
    }

    /// The document as it is now.
    private(set) var document: WallDocument
    private var past: [Step] = []
    private var future: [Step] = []
    /// The most edits that can be undone.
    static let limit = 20_000

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
    mutating func edit(_ new: WallDocument, gesture: String? = nil) {
        guard new != document else { return }
        future.removeAll()
        if let gesture, let last = past.last, last.gesture == gesture {
            past.removeLast()
            let old = Self.undo(last, document)
            document = new
            // A gesture that ends where it began is no edit.
            if old != new { past.append(Self.step(from: old, to: new, gesture)) }
            return
        }
        past.append(Self.step(from: document, to: new, gesture))
        if past.count > Self.limit { past.removeFirst(past.count - Self.limit) }
        document = new
    }

    /// Changes what is not worth undoing by itself, such as the page of a tour; the inputs stay as they are.
    mutating func replace(_ change: (inout WallDocument) -> Void) {
        let inputs = document.inputs
        change(&document)
        document.inputs = inputs
    }

    /// Ends a gesture: the next edit is undone by itself.
    mutating func endGesture() {
        guard let last = past.popLast() else { return }
        past.append(Step(inputs: last.inputs, before: last.before, after: last.after, gesture: nil))
    }

    /// Returns to the document before the last edit; false if there is none.
    mutating func undo() -> Bool {
        guard let step = past.popLast() else { return false }
        document = Self.undo(step, document)
        future.append(step)
        return true
    }

    /// Does the last undone edit again; false if there is none.
    mutating func redo() -> Bool {
        guard let step = future.popLast() else { return false }
        document = Self.apply(step.inputs, step.after, document)
        past.append(step)
        return true
    }

    private static func step(from old: WallDocument, to new: WallDocument, _ gesture: String?) -> Step {
        var (before, after) = (old, new)
        (before.inputs, after.inputs) = ([], [])
        return Step(inputs: new.inputs.difference(from: old.inputs), before: before, after: after, gesture: gesture)
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
