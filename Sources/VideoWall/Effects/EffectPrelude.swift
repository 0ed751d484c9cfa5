/// Names that an effect cannot declare itself.
enum EffectPrelude {
    /// What `effect.prelude.glsl` declares.
    static let names: Set<String> = [
        "sample", "previous", "planes", "planesLuma", "luma", "resolution", "pictureSize", "time", "frameNumber",
        "mouse", "effect",
    ]
    /// Keywords of GLSL 3.30, and those of its functions that effects often call.
    static let reserved: Set<String> = [
        "main", "void", "bool", "int", "uint", "float", "double", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4",
        "uvec2", "uvec3", "uvec4", "bvec2", "bvec3", "bvec4", "mat2", "mat3", "mat4", "sampler2D", "sampler3D", "true",
        "false", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return",
        "discard",
        "struct", "const", "uniform", "in", "out", "inout", "flat", "smooth", "centroid", "noperspective", "layout",
        "precision", "lowp", "mediump", "highp", "invariant", "attribute", "varying", "texture", "filter", "input",
        "output", "active", "common", "partition", "half", "fixed", "union", "enum", "typedef", "template", "this",
        "inline", "public", "static", "extern", "external", "interface", "long", "short", "unsigned", "using",
        "namespace",
        "goto", "class", "packed", "volatile", "sizeof", "cast", "superp", "resource", "mix", "step", "smoothstep",
        "clamp", "min", "max", "abs", "sign", "floor", "ceil", "fract", "mod", "sin", "cos", "tan", "exp", "exp2",
        "log",
        "log2", "sqrt", "pow", "dot", "cross", "length", "distance", "normalize", "reflect", "texelFetch",
        "textureSize",
    ]
}
