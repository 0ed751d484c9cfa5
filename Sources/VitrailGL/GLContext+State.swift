@preconcurrency import CVitrailEpoxy

/// The state that drawing depends on, in a context shared with other code.
///
/// **Thread:** render thread, with the context current.
extension GLContext {
    /// Sets all state that uploads, drawing and read-back depend on, whatever its present values, and clears the errors
    /// of other code.
    ///
    /// Conditional rendering that other code has begun ends here; transform feedback is paused.
    ///
    /// **Cost:** every frame; some forty calls that do not reach the GPU.
    public func prepareForDrawing() {
        assertCurrent()
        clearErrors()
        let tables = tables
        if isConditional { epoxy_glEndConditionalRender() }
        if hasRunningFeedback { epoxy_glPauseTransformFeedback() }
        // By index: in debug builds an array's iterator allocates.
        for index in tables.capabilities.indices { epoxy_glDisable(tables.capabilities[index]) }
        for index in tables.clamps.indices { epoxy_glClampColor(tables.clamps[index], GLenum(GL_FIXED_ONLY)) }
        for index in tables.pixelStore.indices {
            epoxy_glPixelStorei(tables.pixelStore[index].parameter, tables.pixelStore[index].value)
        }
        epoxy_glColorMask(GLboolean(GL_TRUE), GLboolean(GL_TRUE), GLboolean(GL_TRUE), GLboolean(GL_TRUE))
        epoxy_glBlendEquation(GLenum(GL_FUNC_ADD))
        if !information.isES {
            epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(GL_FILL))
            epoxy_glPointSize(1)
        }
        epoxy_glBindBuffer(GLenum(GL_PIXEL_UNPACK_BUFFER), 0)
        epoxy_glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), 0)
        if information.hasClipControl { epoxy_glClipControl(GLenum(GL_LOWER_LEFT), GLenum(GL_NEGATIVE_ONE_TO_ONE)) }
        // Uploads bind to the active unit, which must be one that is saved.
        epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(Texture.uploadUnit))
    }

    /// Whether transform feedback is active and not paused: until it is, no other program can be used.
    var hasRunningFeedback: Bool {
        guard tables.pausesFeedback else { return false }
        var (isActive, isPaused): (GLint, GLint) = (0, 0)
        epoxy_glGetIntegerv(GLenum(GL_TRANSFORM_FEEDBACK_ACTIVE), &isActive)
        guard isActive != 0 else { return false }
        epoxy_glGetIntegerv(GLenum(GL_TRANSFORM_FEEDBACK_PAUSED), &isPaused)
        return isPaused == 0
    }

    /// Whether conditional rendering is active, which may discard what is drawn.
    ///
    /// OpenGL cannot be asked. But while it is active, beginning it again fails, which is how this finds out; in that
    /// case, pending errors are cleared.
    var isConditional: Bool {
        guard tables.hasConditions, let probe = conditionProbe() else { return false }
        epoxy_glBeginConditionalRender(probe, GLenum(GL_QUERY_NO_WAIT))
        guard epoxy_glGetError() == GLenum(GL_NO_ERROR) else {
            clearErrors()
            return true
        }
        epoxy_glEndConditionalRender()
        return false
    }
}
