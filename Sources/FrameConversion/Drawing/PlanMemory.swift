/// Memory for tables that C reads, freed with this object.
final class PlanMemory: @unchecked Sendable {
    // Unchecked: tables are added before the object is shared.
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit { for block in blocks { block.deallocate() } }

    /// Copies a table.
    ///
    /// - Parameters:
    ///   - values: its elements.
    ///   - padding: how many zeros follow.
    /// - Returns: the first element.
    func add<Value: BitwiseCopyable & ExpressibleByIntegerLiteral>(
        _ values: [Value], padding: Int = 0
    ) -> UnsafePointer<Value> {
        let block = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count + padding))
        block.initialize(repeating: 0, count: max(1, values.count + padding))
        for index in values.indices { block[index] = values[index] }
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }
}
