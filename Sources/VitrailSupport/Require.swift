/// Ends the program with a sentence if the caller has broken a documented rule.
///
/// `precondition` drops its sentence in optimised builds, where a user needs it most.
///
/// - Parameters:
///   - condition: what the rule demands.
///   - sentence: the rule, and what to do; evaluated only if it is broken.
///   - file: where the rule is checked.
///   - line: as `file`.
/// **Cost:** that of the condition; allocates nothing.
@inlinable
package func require(
    _ condition: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !condition { brokenRule(sentence(), file: file, line: line) }
}

/// Ends the program with a sentence, because the caller has broken a documented rule.
@usableFromInline
package func brokenRule(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(sentence, file: file, line: line)
}
