import VitrailGL

/// The OpenGL resources shared by all tiles.
struct SharedResources: ~Copyable {
    let nearest: Sampler
    let linear: Sampler
    /// Linear at any position, for pictures of floating-point numbers.
    let clamped: Sampler
    let vertices: VertexArray
    let programs: VideoPrograms
    let effects: EffectPrograms
    let images: EffectImages

    init(_ context: GLContext) throws(GLError) {
        // The noncopyable members are set only after everything that can throw.
        let nearest = try Sampler(context, .nearest)
        let linear = try Sampler(context, .linear)
        let clamped = try Sampler(context, .clampedLinear)
        let images = try EffectImages(context)
        let vertices = try VertexArray(context)
        self.nearest = nearest
        self.linear = linear
        self.vertices = vertices
        self.clamped = clamped
        self.images = images
        programs = VideoPrograms(context)
        effects = EffectPrograms(context, programs)
    }
}
