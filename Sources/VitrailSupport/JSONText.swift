/// Text that is read as JSON.
package enum JSONText {
    /// How deep values may lie in each other.
    package static let maximumDepth = 64

    /// Values lie in each other deeper than ``maximumDepth``.
    package struct TooDeep: Error, CustomStringConvertible {
        package var description: String { "values lie in each other more than \(maximumDepth) deep" }
    }

    /// Refuses values that lie in each other too deep.
    ///
    /// Foundation's decoder has a limit itself, 512, but text that ends there ends the process.
    ///
    /// - Parameter text: what is to be read as JSON; whether it is, is not checked.
    /// - Throws: ``TooDeep``.
    package static func checkDepth(_ text: String) throws(TooDeep) {
        var depth = 0
        var (isString, isEscaped) = (false, false)
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isString
            case UInt8(ascii: "\""): isString.toggle()
            case _ where isString: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= maximumDepth else { throw TooDeep() }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }
}
