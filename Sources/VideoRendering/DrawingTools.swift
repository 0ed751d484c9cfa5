import GL

/// What every tile draws with.
struct DrawingTools: ~Copyable {
    let nearest: Sampler
    let linear: Sampler
    let vertices: VertexArray

    init(_ context: GLContext) throws(GLError) {
        // A noncopyable type takes its parts only when nothing can fail any more.
        let nearest = try Sampler(context, linear: false)
        let linear = try Sampler(context, linear: true)
        let vertices = try VertexArray(context)
        self.nearest = nearest
        self.linear = linear
        self.vertices = vertices
    }
}
