internal import Glibc

/// The files that patterns match.
package enum MatchingFiles {
    /// Finds regular files; links are not followed.
    ///
    /// - Parameter patterns: patterns of glob(7).
    /// - Returns: their paths, those that were changed the longest ago first.
    package static func oldestFirst(_ patterns: [String]) -> [String] {
        var found: [(path: String, seconds: Int, nanoseconds: Int)] = []
        for pattern in patterns {
            var list = glob_t()
            defer { globfree(&list) }
            guard glob(pattern, 0, nil, &list) == 0 else { continue }
            for index in 0..<Int(list.gl_pathc) {
                guard let path = list.gl_pathv[index].map({ String(cString: $0) }) else { continue }
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                found.append((path, status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
            }
        }
        return found.sorted { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }.map(\.path)
    }
}
