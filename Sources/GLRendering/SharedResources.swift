import VitrailGL

/// The OpenGL resources shared by all tiles.
struct SharedResources: ~Copyable {
    let nearest: Sampler
    let linear: Sampler
    let vertices: VertexArray
    let programs: VideoPrograms

    init(_ context: GLContext) throws(GLError) {
        // The noncopyable members are set only after everything that can throw.
        let nearest = try Sampler(context, .nearest)
        let linear = try Sampler(context, .linear)
        let vertices = try VertexArray(context)
        self.nearest = nearest
        self.linear = linear
        self.vertices = vertices
        self.programs = VideoPrograms(context)
    }
}
