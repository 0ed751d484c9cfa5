/// Limits on GLSL, so that no code overflows a stack, fills the memory or takes minutes to compile.
///
/// Each limit is checked before the code that recurses or allocates in proportion to it: ours, or the driver's compiler,
/// which cannot be stopped once it runs.
enum GLSLLimits {
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
}
