import CVitrailPipeWire
public import MediaIO

/// A node of PipeWire: a camera, a screen that is shared, or another program's pictures.
public struct PipeWireNode: Hashable, Sendable {
    /// Its name, which stays the same.
    public let name: String
    /// Its name for people.
    public let description: String
    /// Its number in this run of PipeWire, which no other one will have.
    public let serial: String
    /// Its number for now.
    let id: UInt32
    /// Whether programs are to show it: other nodes are sound, or those that a portal lends.
    let isSource: Bool
    /// How much the desktop prefers it to others.
    let priority: Int

    /// Reads what PipeWire says of a node; `nil` if that is too little.
    init?(_ id: UInt32, _ properties: UnsafePointer<spa_dict>) {
        func text(_ key: String) -> String? { spa_dict_lookup(properties, key).map { String(cString: $0) } }
        guard let serial = text("object.serial") else { return nil }
        (self.id, self.serial) = (id, serial)
        name = text("node.name") ?? serial
        description = text("node.description") ?? name
        isSource = text("media.class") == "Video/Source"
        priority = text("priority.session").flatMap { Int($0) } ?? 0
    }

    /// The nodes that have pictures, by name.
    ///
    /// **Cost:** rare; some milliseconds.
    /// - Throws: ``StreamError/Code/unsupported`` without PipeWire's library; ``StreamError/Code/cannotOpen`` if PipeWire
    ///   does not run.
    public static func all() throws(StreamError) -> [PipeWireNode] {
        let connection = try PipeWireConnection("PipeWire")
        try connection.update()
        return connection.sources
    }
}
