internal import CVitrailEGL
public import VitrailGL

/// Makes OpenGL contexts without a window system, through EGL, for servers and tests.
public enum HeadlessContext {
    /// Makes a context and makes it current on the calling thread.
    ///
    /// It tries Mesa's surfaceless platform, then every device of the device platform (NVIDIA), and uses the first one
    /// with a GPU, or the first software one if there is no GPU; the default display only if there is neither.
    ///
    /// If the driver may be Mesa's llvmpipe, draw on one thread only for each display: version 22.3, for one, can crash
    /// when one thread uploads while another one draws, even with a context each. Contexts with different values of
    /// `softwareDisplay` are on displays of their own.
    ///
    /// Programs with this library define `pthread_mutex_destroy` and `mtx_destroy` for the whole process. If another thread
    /// has locked the mutex, they wait until it has unlocked it, for 10 s at most: llvmpipe destroys such mutexes.
    ///
    /// **Thread:** the render thread, on which it becomes current. **Cost:** rare; 20 to 100 ms.
    /// - Parameters:
    ///   - debug: whether the driver checks every call and describes errors.
    ///   - interfaces: what is acceptable, the best first.
    ///   - softwareDisplay: which of the displays without a GPU to use if there is no GPU, from 0; most systems have two.
    /// - Returns: the context, current on the calling thread.
    /// - Throws: ``EGLError``, listing what was tried.
    public static func make(
        debug: Bool = debugByDefault, interfaces: [GLInterface] = [.desktop, .embedded], softwareDisplay: Int = 0
    ) throws(EGLError) -> GLContext {
        var (tried, others): ([String], Int) = ([], softwareDisplay)
        var software: GLContext?
        var candidates = candidates(&tried)
        for interface in interfaces {
            // A GPU with OpenGL ES is better than a CPU with OpenGL; but a display that has a CPU only is tried once.
            for index in candidates.indices where !candidates[index].isSoftware || software == nil {
                let candidate = candidates[index]
                if candidate.isOthers { continue }
                if candidate.isSoftware, others > 0 {
                    // Another thread may be drawing there: not even a context is made.
                    candidates[index].isOthers = true
                    others -= 1
                    continue
                }
                do throws(AttemptError) {
                    let context = try attempt(candidate, interface, debug)
                    if !context.information.isSoftware { return context }
                    candidates[index].isSoftware = true
                    candidates[index].isOthers = others > 0
                    if others > 0 { others -= 1 } else { software = software ?? context }
                } catch {
                    tried.append("\(candidate.name), \(interface.name): \(error.reason)")
                }
            }
        }
        guard let software else {
            throw EGLError(
                .noContext,
                "No \(interfaces.map(\.name).joined(separator: " or ")) without a window (tried \(tried.joined(separator: "; "))). "
                    + "Install a driver: libegl-mesa0 and libgl1-mesa-dri render in software.")
        }
        do throws(GLError) {
            try software.use()
        } catch {
            throw EGLError(.noContext, error.description)
        }
        return software
    }

    /// True in debug builds, where errors then have the driver's descriptions.
    public static var debugByDefault: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    private struct Candidate {
        let name: String
        let display: EGLDisplay?
        /// Whether it is not tried once there is a context without a GPU.
        var isSoftware: Bool
        /// Whether it is one of the displays without a GPU before the wanted one.
        var isOthers = false
    }

    private struct AttemptError: Error {
        let reason: String
    }

    private static func candidates(_ tried: inout [String]) -> [Candidate] {
        let extensions = eglQueryString(vitrail_no_display, EGL_EXTENSIONS).map { String(cString: $0) } ?? ""
        var found: [Candidate] = []
        // The core function of EGL 1.5 is missing from some libraries that have the extension.
        if extensions.contains("EGL_EXT_platform_base"), let address = eglGetProcAddress("eglGetPlatformDisplayEXT") {
            let platformDisplay = unsafeBitCast(address, to: PlatformDisplay.self)
            let devices = devices(extensions)
            if extensions.contains("EGL_MESA_platform_surfaceless") {
                let display = platformDisplay(EGLenum(EGL_PLATFORM_SURFACELESS_MESA), nil, nil)
                let isSoftware = !devices.isEmpty && devices.allSatisfy(\.isSoftware)
                found.append(Candidate(name: "surfaceless", display: display, isSoftware: isSoftware))
            } else {
                tried.append("surfaceless: not supported by the EGL library")
            }
            for (index, device) in devices.enumerated() {
                let display = platformDisplay(EGLenum(EGL_PLATFORM_DEVICE_EXT), device.handle, nil)
                found.append(Candidate(name: "device \(index)", display: display, isSoftware: device.isSoftware))
            }
        } else {
            tried.append("surfaceless and devices: EGL_EXT_platform_base is missing from the EGL library")
        }
        // It comes last, since it connects to the window system, also on a thread that only draws effects beside the
        // window's. Its GPU, if it has one, is among the devices.
        found.append(Candidate(name: "default display", display: eglGetDisplay(nil), isSoftware: true))
        return found
    }

    private typealias PlatformDisplay =
        @convention(c) (EGLenum, UnsafeMutableRawPointer?, UnsafePointer<EGLint>?) -> EGLDisplay?
    private typealias QueryDevices =
        @convention(c) (EGLint, UnsafeMutablePointer<EGLDeviceEXT?>?, UnsafeMutablePointer<EGLint>) -> EGLBoolean
    private typealias QueryDeviceString = @convention(c) (EGLDeviceEXT?, EGLint) -> UnsafePointer<CChar>?

    private static func devices(_ extensions: String) -> [(handle: EGLDeviceEXT, isSoftware: Bool)] {
        guard extensions.contains("EGL_EXT_platform_device"), let address = eglGetProcAddress("eglQueryDevicesEXT")
        else { return [] }
        let query = unsafeBitCast(address, to: QueryDevices.self)
        let describe = eglGetProcAddress("eglQueryDeviceStringEXT").map {
            unsafeBitCast($0, to: QueryDeviceString.self)
        }
        var count: EGLint = 0
        var handles = [EGLDeviceEXT?](repeating: nil, count: 16)
        guard query(EGLint(handles.count), &handles, &count) != 0 else { return [] }
        return handles.prefix(Int(count)).compactMap { $0 }.map { handle in
            let about = describe?(handle, EGL_EXTENSIONS).map { String(cString: $0) } ?? ""
            return (handle, about.contains("EGL_MESA_device_software"))
        }
    }

    private static func attempt(
        _ candidate: Candidate, _ interface: GLInterface, _ debug: Bool
    ) throws(AttemptError) -> GLContext {
        guard let display = candidate.display else { throw AttemptError(reason: "there is no such display") }
        guard eglInitialize(display, nil, nil) != 0 else { throw fail("eglInitialize") }
        guard eglBindAPI(interface.api) != 0 else { throw fail("eglBindAPI") }
        var config: EGLConfig?
        var count: EGLint = 0
        // No surface is ever made, so any kind is fine.
        let wanted = [EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, interface.renderable, EGL_NONE]
        guard eglChooseConfig(display, wanted, &config, 1, &count) != 0, count > 0 else {
            throw fail("eglChooseConfig")
        }
        guard let native = NativeContext(display: display, config: config, interface, debug: debug) else {
            throw fail("eglCreateContext")
        }
        guard native.makeCurrent() else { throw fail("eglMakeCurrent") }
        do throws(GLError) {
            return try GLContext(owner: native, takesMessages: true)
        } catch {
            throw AttemptError(reason: error.description)
        }
    }

    private static func fail(_ call: String) -> AttemptError {
        AttemptError(reason: "\(call) failed with EGL error 0x\(String(eglGetError(), radix: 16))")
    }
}

/// Owns the EGL context, and destroys it at the end of its life.
///
/// The display stays: EGL shares it within the process.
private final class NativeContext: Sendable {
    // EGL's handles may be used on any thread.
    private nonisolated(unsafe) let display: EGLDisplay
    private nonisolated(unsafe) let handle: EGLContext
    private let interface: GLInterface

    /// Makes a context; `nil` if the driver refuses.
    init?(display: EGLDisplay, config: EGLConfig?, _ interface: GLInterface, debug isDebug: Bool) {
        let attributes = interface.attributes + [EGL_CONTEXT_OPENGL_DEBUG, isDebug ? 1 : 0]
        // Some drivers cannot tell of resets.
        let robust = [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET]
        guard
            let handle = eglCreateContext(display, config, vitrail_no_context, attributes + robust + [EGL_NONE])
                ?? eglCreateContext(display, config, vitrail_no_context, attributes + [EGL_NONE])
        else { return nil }
        (self.display, self.handle, self.interface) = (display, handle, interface)
    }

    deinit {
        if eglGetCurrentContext() == handle {
            eglMakeCurrent(display, vitrail_no_surface, vitrail_no_surface, vitrail_no_context)
        }
        eglDestroyContext(display, handle)
    }

    /// Makes it current on the calling thread; false if the driver refuses.
    func makeCurrent() -> Bool {
        CurrentContext.releaseGLX()
        // The bound API is a setting of the thread.
        eglBindAPI(interface.api)
        return eglMakeCurrent(display, vitrail_no_surface, vitrail_no_surface, handle) != 0
    }
}

extension GLInterface {
    fileprivate var api: EGLenum { EGLenum(self == .desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API) }

    fileprivate var renderable: EGLint { self == .desktop ? EGL_OPENGL_BIT : EGL_OPENGL_ES3_BIT }

    fileprivate var attributes: [EGLint] {
        switch self {
        case .desktop:
            [
                EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
            ]
        case .embedded: [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0]
        }
    }
}
