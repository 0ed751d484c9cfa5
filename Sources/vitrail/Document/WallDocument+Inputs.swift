extension WallDocument {
    /// The inputs, as they are opened.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if one cannot be used.
    func specifications() throws(ProgramError) -> [InputSpecification] {
        var all: [InputSpecification] = []
        for input in inputs { all.append(try InputSpecification(input)) }
        guard all.count(where: { $0.kind == .standardInput }) <= 1 else {
            throw ProgramError(.usage, "Standard input (-) can be used once only; name files for the other inputs.")
        }
        return all
    }

    /// Their substreams.
    ///
    /// - Throws: ``ProgramError/Status/usage`` if one cannot be used.
    func substreams() throws(ProgramError) -> [InputSpecification] {
        var all: [InputSpecification] = []
        for input in inputs { if let substream = try input.substreamSpecification() { all.append(substream) } }
        return all
    }
}
