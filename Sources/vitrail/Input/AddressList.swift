import FFmpegMedia
import MediaIO
import VitrailSupport

/// A file with a list of addresses, `.m3u` or `.m3u8`: each address is one input.
enum AddressList {
    /// The most bytes and the most inputs that a list may have.
    private static let (maximumBytes, maximumCount) = (1 << 20, 1000)

    /// The inputs that an argument names: those in the list, or the argument itself if it is not a list.
    ///
    /// Paths are relative to the list. The name in `#EXTINF:…,NAME` is the label, unless the address sets one.
    ///
    /// - Parameter text: the argument as typed.
    /// - Returns: at least one.
    /// - Throws: ``ProgramError``.
    static func inputs(_ text: String) throws(ProgramError) -> [InputSpecification] {
        let whole = try InputSpecification(text)
        guard case .media(let path) = whole.kind, ["m3u", "m3u8"].contains(pathExtension(path)),
            let list = list(in: path)
        else { return [whole] }
        guard whole.options == InputOptions() else {
            throw ProgramError(
                .usage, "\(whole.typed) is a list of inputs: write the options after its addresses instead.")
        }
        var inputs: [InputSpecification] = []
        for entry in list.entries {
            var input = try input(M3U.resolved(entry.address, path))
            input.options.label = input.options.label ?? entry.name
            inputs.append(input)
        }
        guard (1...maximumCount).contains(inputs.count) else {
            throw ProgramError(
                .cannotOpen, "\(whole.typed) lists \(inputs.count) addresses: there must be 1 to \(maximumCount).")
        }
        return inputs
    }

    private static func input(_ line: String) throws(ProgramError) -> InputSpecification {
        do throws(ProgramError) {
            return try InputSpecification(line)
        } catch {
            // These secrets are not among the arguments, whose secrets are hidden in everything that is printed.
            throw ProgramError(error.status, ArgumentSecrets.hide(in: error.description, [line]))
        }
    }

    /// The list; `nil` if the file cannot be read, or is a list of segments (HLS).
    private static func list(in path: String) -> M3U? {
        // Reading from a pipe here would take bytes away from the input itself.
        guard let bytes = try? SmallFile.bytes(at: path, limit: maximumBytes), !bytes.isEmpty else { return nil }
        return M3U(String(decoding: bytes, as: UTF8.self))
    }
}
