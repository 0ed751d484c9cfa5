import VitrailGL

/// The OpenGL resources shared by all tiles.
struct SharedResources: ~Copyable {
    let nearest: Sampler
    let linear: Sampler
    /// Linear at any position, for pictures of floating-point numbers and the textures of effects.
    let clamped: Sampler
    let repeated: Sampler
    let repeatedNearest: Sampler
    let vertices: VertexArray
    let programs: VideoPrograms
    let effects: EffectPrograms
    let images: EffectImages
    let uploader: FrameUploader
    let imports: DMABufferImports
    /// Whether the time of effects is measured by queries: software drivers are measured by the clock.
    var usesTimerQueries: Bool

    init(_ context: GLContext, _ upload: UploadMethod) throws(GLError) {
        // The noncopyable members are set only after everything that can throw.
        let nearest = try Sampler(context, .nearest)
        let linear = try Sampler(context, .linear)
        let clamped = try Sampler(context, .clampedLinear)
        let repeated = try Sampler(context, .repeatedLinear)
        let repeatedNearest = try Sampler(context, .repeatedNearest)
        let vertices = try VertexArray(context)
        let uploader = try FrameUploader.make(context, upload)
        self.nearest = nearest
        self.linear = linear
        self.vertices = vertices
        self.uploader = uploader
        self.clamped = clamped
        self.repeated = repeated
        self.repeatedNearest = repeatedNearest
        imports = DMABufferImports(context)
        images = EffectImages(context)
        programs = VideoPrograms(context)
        effects = EffectPrograms(context, programs)
        usesTimerQueries = !context.information.isSoftware && context.information.hasTimestamps
    }
}
