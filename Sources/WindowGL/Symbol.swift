internal import Glibc

/// A function of C that not every GLFW, driver or runtime has.
///
/// - Parameters:
///   - name: what it is called.
///   - libraries: where it is looked for, if loaded already; among all that the program was linked to when there is none.
///   - type: its type, which nobody checks.
/// - Returns: `nil` where it is missing.
func symbol<Function>(_ name: String, in libraries: String..., as type: Function.Type) -> Function? {
    guard !libraries.isEmpty else { return dlsym(nil, name).map { unsafeBitCast($0, to: type) } }
    for library in libraries {
        if let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD), let address = dlsym(handle, name) {
            return unsafeBitCast(address, to: type)
        }
    }
    return nil
}
