import VitrailGLSL

/// A shader that changes a picture: one GLSL file, read and checked, but not compiled.
///
/// It is immutable and compared by identity. The article *Writing an effect* describes the files.
///
/// **Thread:** any.
public final class Effect: Hashable, Sendable {
    /// The name on the command line: the file's name without `.effect.glsl`.
    public let name: String
    /// The name of the file, for errors.
    public let file: String
    /// The name that users see.
    public let title: String
    /// What it does, in a sentence, or `nil`.
    public let about: String?
    /// The parameters, in the file's order.
    public let parameters: [EffectParameter]
    /// The passes before the last one, ordered so that each comes after the passes that it reads.
    public let passes: [EffectPass]
    /// The textures that it reads.
    public let textures: [EffectTexture]
    /// The language of the file.
    public let dialect: Dialect
    /// Whether it was read from a file in a folder.
    public let isFile: Bool
    /// What the CPU does instead of the shader; `nil` if only OpenGL can draw the effect.
    package let kernel: EffectKernel?
    /// The names, relative to its folder, of the files that it includes and reads.
    public let companions: [String]
    /// The GLSL.
    public let sources: [EffectSource]
    /// The GLSL for the compiler, with the same lines; in an effect from a file, all loops are guarded and end.
    public let code: [EffectSource]
    private let firstLoop: (file: String, line: Int)?
    /// The line of each declared name.
    public let lines: [String: Int]
    /// What it depends on.
    public let traits: Traits

    /// The language of a file.
    public enum Dialect: Hashable, Sendable {
        /// An effect as `effect.prelude.glsl` describes it.
        case effect
        /// A Shadertoy image shader: `mainImage` with the stream in `iChannel0`.
        case shadertoy

        /// The function that a file must have.
        var mainFunction: String {
            switch self {
            case .effect: "effect"
            case .shadertoy: "mainImage"
            }
        }

        /// The declaration of that function.
        var signature: String {
            switch self {
            case .effect: "vec4 effect(vec2 uv)"
            case .shadertoy: "void mainImage(out vec4 fragColor, in vec2 fragCoord)"
            }
        }
    }

    /// What an effect depends on.
    public struct Traits: Hashable, Sendable {
        /// Whether it only changes the colour of each pixel, so that it needs no pass of its own.
        public var isFoldable = false
        /// Whether it changes with time.
        public var usesTime = false
        /// Whether it follows the mouse.
        public var usesMouse = false
        /// Whether it reads its own result for the previous frame.
        public var usesPrevious = false
        /// Whether it reads the frame's own code values.
        public var usesPlanes = false
        /// The names that it declares outside all functions.
        public var globals: [String] = []
    }

    /// Reads an effect's file.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - file: the name of the file, which ends in `.effect.glsl`.
    ///   - dialect: the language of the file.
    ///   - folder: where included files and textures are; `nil` for a built-in effect, which has neither.
    /// - Throws: ``EffectError``, with the line.
    public convenience init(
        _ text: String, file: String, dialect: Dialect = .effect, folder: (any EffectFolder)? = nil
    ) throws(EffectError) {
        try self.init(text, file, dialect, folder, isBuiltIn: false)
    }

    /// Reads an effect that comes with the library.
    package convenience init(builtIn text: String, file: String) throws(EffectError) {
        try self.init(text, file, .effect, nil, isBuiltIn: true)
    }

    private init(
        _ text: String, _ file: String, _ dialect: Dialect, _ folder: (any EffectFolder)?, isBuiltIn: Bool
    ) throws(EffectError) {
        let text = PlainText(text).text
        let header = try EffectHeader(text, file: file, isStrict: dialect == .effect)
        let sources = try EffectSource.parts(of: text, file: file, in: folder)
        let tokens = sources.map { GLSLToken.tokens(of: $0.text) }
        var analysis = EffectAnalysis(tokens, mayDiscard: dialect == .shadertoy)
        do throws(GLSLPreprocessor.Refusal) {
            analysis.note(compiled: try CompileCost.check(tokens))
        } catch {
            let (part, line) = (sources[error.part], sources[error.part].firstLine + error.line - 1)
            throw EffectError(error.reason, file: part.file, line: line, source: part.line(line))
        }
        try analysis.check(sources, file, dialect)
        var passes = try analysis.ordered(header, file, text)
        if dialect == .shadertoy { passes.insert(EffectPass(name: "iChannel0"), at: 0) }
        var (textures, bytes): ([EffectTexture], Int) = ([], 0)
        for texture in header.textures {
            do throws(EffectError) {
                guard let folder else { throw EffectError("an effect without a folder has no textures", file: file) }
                let image = try folder.image(ofFile: texture.file)
                bytes += image.rgba.count
                guard bytes <= EffectLimits.allTextureBytes else {
                    throw EffectError(
                        "with this one, the textures have more than \(EffectLimits.allTextureBytes >> 20) MB: "
                            + "use smaller ones", file: file)
                }
                textures.append(
                    EffectTexture(
                        name: texture.name, image: image, isNearest: texture.isNearest, repeats: texture.repeats))
            } catch {
                throw EffectError(error.reason, file: file, line: header.lines[texture.name], of: text)
            }
        }
        self.file = file
        name = Self.name(ofFile: file)
        title = header.title ?? name
        about = header.about
        parameters = header.parameters
        lines = header.lines
        traits = Traits(header, analysis, dialect)
        self.dialect = dialect
        isFile = folder != nil
        kernel = isBuiltIn ? EffectKernel(rawValue: name) : nil
        companions = sources.map(\.file).filter { $0 != file } + header.textures.map(\.file)
        self.passes = passes
        self.textures = textures
        self.sources = sources
        // Built-in effects are trusted, and run faster without guards.
        (code, firstLoop) = isFile ? try EffectSource.guarded(sources) : (sources, nil)
    }

    /// The name of a file without its folder and its endings.
    public static func name(ofFile file: String) -> String {
        let base = file.split(separator: "/").last.map(String.init) ?? file
        let stem = base.prefix { $0 != "." }
        return stem.isEmpty ? base : String(stem)
    }

    /// The parameter of a name.
    public func parameter(_ name: String) -> EffectParameter? { parameters.first { $0.name == name } }

    /// An error about a line of its GLSL.
    public func error(_ reason: String, file: String, line: Int) -> EffectError {
        var source: String?
        for part in sources where part.file == file && source == nil { source = part.line(line) }
        return EffectError(reason, file: file, line: line, source: source)
    }

    /// Whether this is an effect from a file with loops, whose length may depend on its parameters.
    public var hasLoops: Bool { firstLoop != nil }

    /// An error about the effect's first loop, or about its first line if it has no loop.
    public func errorAtLoop(_ reason: String) -> EffectError {
        error(reason, file: firstLoop?.file ?? file, line: firstLoop?.line ?? 1)
    }

    /// Whether both are the same object.
    public static func == (left: Effect, right: Effect) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Effect.Traits {
    fileprivate init(_ header: EffectHeader, _ analysis: EffectAnalysis, _ dialect: Effect.Dialect) {
        let hasTiles = header.parameters.contains { $0.kind == .tile }
        globals = analysis.globals.map(String.init).sorted()
        guard dialect == .effect else {
            usesTime = ["iTime", "iDate", "iChannelTime"].contains(where: analysis.contains)
            usesMouse = analysis.contains("iMouse")
            return
        }
        usesTime = analysis.contains("time")
        usesMouse = analysis.contains("mouse")
        usesPrevious = analysis.contains("previous")
        usesPlanes = analysis.contains("planes") || analysis.contains("planesLuma")
        let declared = globals + header.lines.keys
        isFoldable =
            header.passes.isEmpty && !hasTiles && !usesPrevious && !usesPlanes && !analysis.hasMacrosOrTypes
            && analysis.readsOnlyItsPixel && !declared.contains(where: Self.isSwizzle)
    }

    /// Whether a word could also be a swizzle of a vector, which a macro that renames the word would break.
    private static func isSwizzle(_ word: String) -> Bool {
        word.count <= 4 && word.allSatisfy { "xyzwrgbastpq".contains($0) }
    }
}

extension EffectAnalysis {
    /// Rejects forbidden words, and an effect without its main function.
    fileprivate func check(
        _ sources: [EffectSource], _ file: String, _ dialect: Effect.Dialect
    ) throws(EffectError) {
        if let forbidden {
            let part = sources[forbidden.part]
            let line = part.firstLine + forbidden.line - 1
            let reason =
                forbidden.word == "discard"
                ? "an effect cannot discard pixels: return vec4(0.0) for a transparent one"
                : "an effect has no main: write \(dialect.signature)"
            throw EffectError(reason, file: part.file, line: line, source: part.line(line))
        }
        guard globals.contains(dialect.mainFunction[...]) else {
            throw EffectError(
                "there is no function \(dialect.signature)", file: file, line: 1, source: sources.first?.line(1))
        }
    }

    /// The passes, ordered so that each comes after the passes that it reads.
    fileprivate func ordered(_ header: EffectHeader, _ file: String, _ text: String) throws(EffectError) -> [EffectPass]
    {
        var ordered: [EffectPass] = []
        var path: [String] = []
        func visit(_ pass: EffectPass) throws(EffectError) {
            guard !ordered.contains(pass) else { return }
            guard !path.contains(pass.name) else {
                let cycle = (path + [pass.name]).joined(separator: " → ")
                throw EffectError(
                    "the passes read each other in a cycle: \(cycle); read previous(uv) for the last frame's result",
                    file: file, line: header.lines[pass.name], of: text)
            }
            path.append(pass.name)
            let function = pass.name + "_pass"
            for needed in [function] + (pass.points == nil ? [] : [pass.name + "_place"])
            where !globals.contains(needed[...]) {
                let type = needed == function ? "vec4" : "vec2"
                throw EffectError(
                    "the pass \(pass.name) has no function \(type) \(needed)(vec2 uv)", file: file,
                    line: header.lines[pass.name], of: text)
            }
            let reach = reach(of: function).union(pass.points == nil ? [] : self.reach(of: pass.name + "_place"))
            for other in header.passes where reach.contains(other.name[...]) { try visit(other) }
            path.removeLast()
            ordered.append(pass)
        }
        for pass in header.passes { try visit(pass) }
        return ordered
    }
}
