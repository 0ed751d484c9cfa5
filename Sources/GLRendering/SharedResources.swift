import VitrailGL

/// The OpenGL resources shared by all tiles.
struct SharedResources: ~Copyable {
    let nearest: Sampler
    let precise: Sampler
    let vertices: VertexArray
    let programs: VideoPrograms

    init(_ context: GLContext) throws(GLError) {
        // The noncopyable members are set only after everything that can throw.
        let nearest = try Sampler(context, .nearest)
        let precise = try Sampler(context, .precise)
        let vertices = try VertexArray(context)
        self.nearest = nearest
        self.precise = precise
        self.vertices = vertices
        self.programs = VideoPrograms(context)
    }
}
