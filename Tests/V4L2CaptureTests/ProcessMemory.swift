import Glibc

/// The memory of this process.
enum ProcessMemory {
    /// The part of it that is in the machine's memory; proc(5), `/proc/pid/statm`.
    static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var (total, resident) = (0, 0)
        return withUnsafeMutablePointer(to: &total) { total in
            withUnsafeMutablePointer(to: &resident) { resident in
                withVaList([total, resident]) { _ = vfscanf(file, "%ld %ld", $0) }
                return resident.pointee * Int(sysconf(Int32(_SC_PAGESIZE)))
            }
        }
    }
}
