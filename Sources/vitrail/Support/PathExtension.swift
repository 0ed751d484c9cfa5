/// What follows the last point in the last part of a path, in lower case; `nil` where there is none.
func pathExtension(_ path: String) -> String? {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let point = file.lastIndex(of: ".") else { return nil }
    return file[file.index(after: point)...].lowercased()
}
