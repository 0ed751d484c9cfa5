/// Limits on what an effect may contain, so that no file can crash the program, fill the memory or stall the wall for
/// minutes.
///
/// Files come from outside, and may be saved while the wall runs. Each limit is checked before the code that recurses
/// or allocates in proportion to it: ours, or the driver's compiler, which cannot be stopped once it runs.
package enum EffectLimits {
    /// The most bytes of GLSL, with all included files.
    package static let sourceBytes = 1 << 20
    /// The deepest nesting of included files.
    static let includeDepth = 32
    /// The most included files in all.
    static let includeCount = 1000

    /// The most tokens of an effect after macro expansion, and of a function after its calls are inlined, as drivers
    /// do.
    ///
    /// Mesa compiles that many tokens in ten to twenty seconds, whatever they are.
    static let tokens = 100_000
    /// What a call of each function counts for, in tokens: where the hardware lacks it, the driver inserts a
    /// polynomial.
    static let tokensOfCalls: [Substring: Int] = [
        "sin": 100, "cos": 100, "exp": 100, "exp2": 100, "log": 100, "log2": 100, "tan": 200, "asin": 200, "acos": 200,
        "sinh": 200, "cosh": 200, "tanh": 200, "asinh": 200, "acosh": 200, "atanh": 200, "pow": 200, "atan": 400,
        "determinant": 200, "inverse": 1000, "sample": 20, "previous": 20, "texture": 20, "textureLod": 20,
        "textureGrad": 20, "texelFetch": 20,
    ]
    /// The deepest nesting of macros, and of `#if` conditions.
    static let macroDepth = 64
    /// The most tokens that macro expansion processes: nested arguments are expanded again at each level.
    static let macroSteps = 1_000_000
    /// The most tokens of the condition after `#if`.
    static let conditionTokens = 256
    /// The longest chain of functions that call one another.
    static let callDepth = 64

    /// The deepest syntax tree of a statement or expression: nested brackets and blocks, and operators in sequence.
    ///
    /// Compilers recurse once per level. Mesa's compiler survives 250 levels on a thread with a 512 KiB stack, and
    /// 4,000 with 8 MiB.
    static let treeDepth = 256

    /// The deepest nesting of loops and `switch` statements: each level doubles Mesa's compile time.
    static let loopDepth = 10
    /// What a loop or a `switch` counts for, in tokens: each one makes Mesa compile the following ones more slowly.
    static let tokensOfLoop = 4000

    /// The most elements of an array.
    static let arrayElements = 4096
    /// The most scalars in a function's arrays and structures that are not constant, including those of the functions
    /// that it calls: Mesa's software drivers compile 1,024 in three seconds, and 4,096 in a minute.
    static let variableNumbers = 2048

    /// The most names of a choice.
    static let choices = 256

    /// The most textures of the effects in one draw: drivers have 16 texture units, of which the renderer needs one for
    /// uploads and four for the planes of a frame.
    package static let textures = 11

    /// The largest texture in bytes, 4 per pixel: 8192 × 4096, for example.
    package static let textureBytes = 1 << 27
    /// The most bytes of all textures of an effect.
    static let allTextureBytes = 1 << 28

    /// The most effects of a chain.
    package static let chainLength = 32
    /// The most bytes of a chain's textures and tables, and also the most bytes of its pictures between passes.
    ///
    /// A picture has 8 or 16 bytes per pixel. At 8 bytes, 64 pictures of 1920 × 1080 fit, or 16 of 3840 × 2160.
    package static let chainBytes = 1 << 30
    /// The most tiles of a preset.
    package static let presetTiles = 1024
}
