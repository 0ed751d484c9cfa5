/// Which pipelines of GStreamer are run: one can read, write and send whatever its user can, so one that comes in a wall
/// file, a list or a line of control is run only if the user says so.
enum PipelinePermission: Hashable, Sendable {
    /// All.
    case all
    /// Those on the command line.
    case typed(Set<String>)

    /// Allows what is typed, or everything.
    ///
    /// - Parameters:
    ///   - all: whether all are allowed.
    ///   - arguments: the inputs on the command line.
    init(all: Bool, arguments: [String]) {
        if all {
            self = .all
        } else {
            self = .typed(Set(arguments.compactMap { (try? InputSpecification($0))?.pipeline }))
        }
    }

    /// Whether a pipeline may be run.
    func allow(_ description: String) -> Bool {
        switch self {
        case .all: true
        case .typed(let descriptions): descriptions.contains(description)
        }
    }
}

extension InputSpecification {
    /// The description of the pipeline; `nil` if it is none.
    var pipeline: String? {
        if case .pipeline(let description) = kind { return description }
        return nil
    }
}
