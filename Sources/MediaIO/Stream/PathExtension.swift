/// The text after the last dot in the last part of a path, in lower case; `nil` if there is no dot.
package func pathExtension(_ path: String) -> String? {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let point = file.lastIndex(of: ".") else { return nil }
    return file[file.index(after: point)...].lowercased()
}
