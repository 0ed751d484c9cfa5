import FFmpegMedia
import VideoWall

/// A document that is made from another program's file, and the notes on what it cannot hold.
struct WallConversion {
    /// The most inputs, as in a list of addresses on the command line.
    static let mostInputs = 1000

    /// The wall so far.
    var document = WallDocument()
    /// What is lost.
    var notes = ConversionNotes()
    /// The folder of the file, from which relative paths start.
    let folder: String

    /// Creates an empty wall.
    init(folder: String) { self.folder = folder }

    /// Whether an address in it has a password.
    var hasPassword: Bool {
        document.inputs.contains { input in
            [input.address, input.substream ?? ""].contains { MediaLocation.hidingSecrets(in: $0) != $0 }
        }
    }

    /// Appends an input.
    mutating func add(_ input: WallInput) {
        if document.inputs.count < Self.mostInputs { document.add(input) } else { notes.add(.excess) }
    }

    // MARK: Inputs

    /// An input at an address that has none of Vitrail's options; `nil`, with a note, if Vitrail cannot open it.
    mutating func input(at text: String) -> WallInput? {
        do throws(UnusableAddress) {
            let input = WallInput(address: try address(text))
            do throws(ProgramError) { _ = try InputSpecification(input) } catch {
                throw UnusableAddress(reason: "raw video of unknown size")
            }
            return input
        } catch {
            notes.add(.addresses, error.reason)
            return nil
        }
    }

    /// An input in a list, which may have options; `nil`, with a note, if Vitrail cannot open it.
    mutating func input(ofList text: String) -> WallInput? {
        do throws(UnusableAddress) {
            try Self.check(text)
            if InputSpecification.scheme(of: text) != nil {
                _ = try address(text.prefix { !"?#".contains($0) }.description)
            }
            let text = M3U.resolved(text, folder + "/")
            do throws(ProgramError) { return try WallInput(text) } catch {
                throw UnusableAddress(reason: "wrong or missing options")
            }
        } catch {
            notes.add(.addresses, error.reason)
            return nil
        }
    }

    /// Sets an option of an input, if it accepts the value.
    ///
    /// - Returns: false if it does not.
    static func set(_ option: InputOption, _ value: String, of input: inout WallInput) -> Bool {
        var changed = input
        changed.settings[option] = value
        guard (try? InputSpecification(changed)) != nil else { return false }
        input = changed
        return true
    }

    /// A name without the characters that nobody sees; `nil` if nothing is left.
    static func name(_ text: String?) -> String? {
        guard let text else { return nil }
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
        let rest = visible.drop(while: \.isWhitespace)
        return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) }
    }

    // MARK: Addresses

    /// Why an address cannot be used, without the address.
    private struct UnusableAddress: Error {
        let reason: String
    }

    /// The URL, or the path from the root.
    private func address(_ text: String) throws(UnusableAddress) -> String {
        try Self.check(text)
        switch InputSpecification.scheme(of: text) {
        case "file":
            guard let path = try? InputSpecification.path(ofURL: text, "") else {
                throw UnusableAddress(reason: "file:// on another computer")
            }
            try Self.check(path)
            return path
        case let scheme?:
            guard MediaLocation.networkSchemes.contains(scheme) else {
                throw UnusableAddress(reason: ConversionNotes.name(scheme) + "://")
            }
            return text
        case nil: break
        }
        if text.hasPrefix("/") { return text }
        let path = folder + "/" + text
        // A list may have been written under Windows and lie beside its files.
        let other = path.replacing("\\", with: "/")
        return !InputSpecification.fileExists(path) && InputSpecification.fileExists(other) ? other : path
    }

    private static func check(_ text: String) throws(UnusableAddress) {
        guard !text.unicodeScalars.contains(where: isControl) else {
            throw UnusableAddress(reason: "control characters")
        }
        guard !text.hasPrefix("\\\\"), text.firstMatch(of: /^[A-Za-z]:[\\\/](?!\/)/) == nil else {
            throw UnusableAddress(reason: "paths of Windows")
        }
    }

    private static func isControl(_ scalar: UnicodeScalar) -> Bool {
        scalar.properties.generalCategory == .control || [0x2028, 0x2029].contains(scalar.value)
    }
}
