internal import CVitrailGLFW

/// What a window shares with the desktop: the clipboard and the pointer.
extension Window {
    /// A shape of the pointer.
    public enum Pointer: Hashable, Sendable {
        /// The usual one.
        case arrow
        /// For something that is moved to the left or right.
        case resizeHorizontally
        /// For something that is moved up or down.
        case resizeVertically
        /// For something that is held.
        case hand
        /// None, while it is over the window.
        case hidden
    }

    /// The text on the clipboard; `nil` if there is none.
    ///
    /// **Cost:** rare; the program that has the text is asked for it.
    public var clipboard: String? {
        get {
            // Without a text, GLFW has an error.
            defer { _ = WindowError.takeWords() }
            return glfwGetClipboardString(native.handle).map { String(cString: $0) }
        }
        set { glfwSetClipboardString(native.handle, newValue ?? "") }
    }

    /// Sets the shape of the pointer over the window.
    ///
    /// **Cost:** a call of the window system when the shape changes.
    public func setPointer(_ pointer: Pointer) {
        guard pointer != shownPointer else { return }
        shownPointer = pointer
        let shape: Int32? =
            switch pointer {
            case .arrow, .hidden: nil
            case .resizeHorizontally: GLFW_HRESIZE_CURSOR
            case .resizeVertically: GLFW_VRESIZE_CURSOR
            case .hand: GLFW_HAND_CURSOR
            }
        if let old = native.pointer { glfwDestroyCursor(old) }
        native.pointer = shape.flatMap { glfwCreateStandardCursor($0) }
        glfwSetCursor(native.handle, native.pointer)
        glfwSetInputMode(native.handle, GLFW_CURSOR, pointer == .hidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL)
        // A desktop without such a pointer is no fault.
        _ = WindowError.takeWords()
    }
}
