/// Memory for tables that C reads, freed with this object.
final class PlanMemory: @unchecked Sendable {
    // Unchecked: tables are added before the object is shared.
    private var blocks: [UnsafeMutableRawPointer] = []
    private var kept: [AnyObject] = []

    deinit { for block in blocks { block.deallocate() } }

    /// Copies a table of numbers.
    ///
    /// - Parameters:
    ///   - values: its elements.
    ///   - padding: how many zeros follow.
    /// - Returns: the first element.
    func add<Value: BitwiseCopyable & ExpressibleByIntegerLiteral>(
        _ values: [Value], padding: Int = 0
    ) -> UnsafePointer<Value> { add(values, padding: padding, filler: 0) }

    /// Copies a table.
    ///
    /// - Parameters:
    ///   - values: its elements.
    ///   - padding: how many fillers follow.
    ///   - filler: what follows.
    /// - Returns: the first element.
    func add<Value: BitwiseCopyable>(_ values: [Value], padding: Int = 0, filler: Value) -> UnsafePointer<Value> {
        let block = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count + padding))
        block.initialize(repeating: filler, count: max(1, values.count + padding))
        for index in values.indices { block[index] = values[index] }
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }

    /// Allocates numbers, which are zero.
    func room(for count: Int) -> UnsafeMutablePointer<Float> {
        let block = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
        block.initialize(repeating: 0, count: max(1, count))
        blocks.append(UnsafeMutableRawPointer(block))
        return block
    }

    /// Retains an object, and returns memory that is valid as long as the object.
    func keep<Object: AnyObject, Memory>(_ object: Object, _ memory: (Object) -> Memory) -> Memory {
        kept.append(object)
        return memory(object)
    }
}
