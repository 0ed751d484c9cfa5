internal import Glibc

/// Looks up a C function that not every GLFW, driver or runtime has.
///
/// - Parameters:
///   - name: its name.
///   - libraries: the libraries to search, if they are loaded; none for all that the program is linked to.
///   - type: its type, which is not checked.
/// - Returns: `nil` if it is missing.
func symbol<Function>(_ name: String, in libraries: String..., as type: Function.Type) -> Function? {
    guard !libraries.isEmpty else { return dlsym(nil, name).map { unsafeBitCast($0, to: type) } }
    for library in libraries {
        if let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD), let address = dlsym(handle, name) {
            return unsafeBitCast(address, to: type)
        }
    }
    return nil
}
