/// What can be nested or repeated in an effect's file, as often as one likes.
enum EffectStructure: String, CaseIterable, Codable, Sendable {
    case sums, products, swizzles, literalSwizzles, hiddenSwizzles, dottedSwizzles, minuses, nots, brackets, calls,
        constructors, conditionals, conditionalsWithin,
        commas
    case assignments, comparisons, indices, increments
    case blocks, ifs, elseIfs, dangling, loops, forLoops, doLoops, whilesWithinWhiles, switches, cases, semicolons
    case structures, nestedStructures, doublingStructures, members, arrays, dimensions, elements, declarators
    case statements, sines, logarithms, arcs, textures, matrices, functions, doublingFunctions, overloads, prototypes,
        parameters
    case arguments
    case hashes, macros, macroChain, doublingMacros, macroArguments, macroParameters, usedMacroParameters, macroBodies,
        conditions
    case conditionTerms, conditionBrackets, elifs, continuations
    case comments, digits, letters, quotes, backslashes, openBrackets, closedBrackets, openBraces, headers, choices
    case globalSums, globalSwizzles, globalBrackets, globalCalls

    /// Whether ten of it are an effect.
    var isEffect: Bool {
        ![
            .hashes, .whilesWithinWhiles, .nestedStructures, .dimensions, .quotes, .backslashes, .openBrackets,
            .closedBrackets, .openBraces, .literalSwizzles, .hiddenSwizzles, .dottedSwizzles,
        ].contains(self)
    }

    /// A file that has it so many times.
    func text(_ count: Int) -> String {
        func many(_ text: String) -> String { String(repeating: text, count: count) }
        func each(_ text: (Int) -> String) -> String { (0..<count).map(text).joined() }
        func body(_ code: String, before: String = "") -> String {
            "\(before)\nvec4 effect(vec2 uv) {\nfloat x = uv.x;\nvec4 v = sample(uv);\n\(code)\nreturn v + x;\n}\n"
        }
        func global(_ code: String) -> String { body("x += g;", before: "float g = \(code);") }
        switch self {
        case .sums: return body("x = x" + many("+time") + ";")
        case .products: return body("x = x" + many("*time") + ";")
        case .swizzles: return body("v = v" + many(".xyzw") + ";")
        case .literalSwizzles: return body("x = 1.0" + many(".x") + ";")
        case .hiddenSwizzles: return body("x = 1.0" + many(".x") + ";", before: "#define x ;")
        case .dottedSwizzles: return body("x = 0." + many(".x") + ";")
        case .minuses: return body("x = " + many("- ") + "x;")
        case .nots: return body("x = float(" + many("!") + "(x > 0.5));")
        case .brackets: return body("x = " + many("(") + "x" + many(")") + ";")
        case .calls: return body("x = " + many("abs(") + "x" + many(")") + ";")
        case .constructors: return body("x = " + many("vec2(") + "x" + many(").x") + ";")
        case .conditionals: return body("x = " + each { "x>\($0).?x*2.:" } + "x;")
        case .conditionalsWithin: return body("x = " + many("x>.1?") + "x" + many(":x*2.") + ";")
        case .commas: return body("x = 1.0" + many(", x++") + ";")
        case .assignments: return body(many("x = ") + "1.0;")
        case .comparisons: return body("if (x > 0.5" + many(" && x > time") + ") x = 1.0;")
        case .indices: return body("x = v" + many(".xyzw") + "[0]; x += mat4(x)[1]" + many(".xyzw") + "[2];")
        case .increments: return body(many("x++;"))
        case .blocks: return body(many("{") + "x++;" + many("}"))
        case .ifs: return body(many("if (x > 0.1) { x += 0.1;") + many("}"))
        case .elseIfs: return body(each { "if (x > \($0).) x *= 2.; else " } + "x = 1.;")
        case .dangling: return body(many("if (x > time) ") + "x = 1.0;")
        case .loops: return body(many("while (x > 9.0) ") + "x--;")
        case .forLoops: return body(each { "for (int i\($0) = 0; i\($0) < 2; i\($0)++) " } + "x++;")
        case .doLoops: return body(many("do { ") + "x++;" + many("} while (x < 0.0);"))
        case .whilesWithinWhiles: return body(many("while(") + "x" + many(")") + ";")
        case .switches: return body(many("switch (1) { case 1: ") + "x++;" + many("}"))
        case .cases: return body("switch (int(x)) {" + each { "case \($0): x += 1.;" } + "}")
        case .semicolons: return body(many(";"))
        case .structures:
            return body(
                "S\(count - 1) s; x = 1.0;",
                before: "struct S0 { float a; };"
                    + (1..<max(2, count)).map { "struct S\($0) { S\($0 - 1) a; };" }.joined())
        case .nestedStructures: return body("", before: many("struct S {") + "float a;" + many("} s;"))
        case .doublingStructures:
            return body(
                "S\(count - 1) s; x = 1.0;",
                before: "struct S0 { float a; };"
                    + (1..<max(2, count)).map { "struct S\($0) { S\($0 - 1) a, b; };" }.joined())
        case .members: return body("S s; s.a0 = x; x = s.a0;", before: "struct S {" + each { "float a\($0);" } + "};")
        case .arrays: return body(each { "float a\($0)[8]; a\($0)[int(x)] = x; x += a\($0)[int(time)];" })
        case .dimensions: return body("float a" + many("[2]") + ";")
        case .elements: return body("x = float[](1.0" + many(",1.0") + ")[int(x)];")
        case .declarators: return body("float a" + each { ", a\($0) = x" } + "; x = a0;")
        case .statements: return body(many("x=x*time+uv.y;"))
        case .sines: return body(many("x=sin(x);"))
        case .logarithms: return body(many("v=pow(v,v);"))
        case .arcs: return body(many("v=atan(v,v.yzwx);"))
        case .textures: return body(many("v=sample(v.xy);"))
        case .matrices: return body("mat4 m = mat4(x);" + many("m=inverse(m+time);") + "v = m[0];")
        case .functions:
            return body(
                "x = f\(count)(x);",
                before: "float f0(float x){return x;}"
                    + each { "float f\($0 + 1)(float x){return f\($0)(x);}" })
        case .doublingFunctions:
            return body(
                "x = f\(count)(x);",
                before: "float f0(float x){return x;}"
                    + each { "float f\($0 + 1)(float x){return f\($0)(x)+f\($0)(x+time);}" })
        case .overloads:
            return body(
                "x = f(S\(count)(x));",
                before: "struct S0{float a;};float f(S0 s){return s.a;}"
                    + each {
                        "struct S\($0 + 1){float a;};float f(S\($0 + 1) s){S\($0) t=S\($0)(s.a);return f(t)+f(t);}"
                    })
        case .prototypes:
            return body(
                "x = f0(x);",
                before: (0...count).map { "float f\($0)(float x);" }.joined()
                    + each { "float f\($0)(float x){return f\($0 + 1)(x);}" } + "float f\(count)(float x){return x;}")
        case .parameters:
            return body(
                "x = f(x" + many(",x") + ");", before: "float f(float x" + each { ",float x\($0)" } + "){return x;}")
        case .arguments: return body("x = max(" + many("max(") + "x" + many(",1.)") + ",2.);")
        case .hashes: return body(many("#"))
        case .macros: return body("x = M0;", before: each { "#define M\($0) 1.0\n" })
        case .macroChain:
            return body("x = M\(count);", before: "#define M0 x\n" + each { "#define M\($0 + 1) M\($0)\n" })
        case .doublingMacros:
            return body("x = M\(count / 2);", before: "#define M0 x\n" + each { "#define M\($0 + 1) M\($0)*M\($0)\n" })
        case .macroArguments: return body("x = " + many("M(") + "x" + many(")") + ";", before: "#define M(x) x")
        case .macroParameters:
            return body("x = M(x" + many(",x") + ");", before: "#define M(y" + each { ",y\($0)" } + ") y")
        case .usedMacroParameters:
            return body(
                "x = M(x" + many(",x") + ");",
                before: "#define M(y" + each { ",y\($0)" } + ") y" + each { "+y\($0)" })
        case .macroBodies: return body("M", before: "#define M " + many("x++;"))
        case .conditions: return body(many("\n#if 1\n") + "x++;" + many("\n#endif\n"))
        case .conditionTerms: return body("x++;", before: "#if 1" + many("+1") + "\n#endif")
        case .conditionBrackets: return body("x++;", before: "#if " + many("(") + "1" + many(")") + "\n#endif")
        case .elifs: return body("x++;", before: "#if 0" + many("\n#elif 0") + "\n#endif")
        case .continuations: return body("x++;", before: "#define M " + many("x \\\n") + "x")
        case .comments: return body(many("/* ") + "*/" + many("// "))
        case .digits: return body("x = 1." + many("0") + ";")
        case .letters: return body("float a" + many("a") + " = x;")
        case .quotes: return body(many("\""))
        case .backslashes: return body(many("\\\n"))
        case .openBrackets: return body(many("("))
        case .closedBrackets: return body(many(")"))
        case .openBraces: return many("{") + body("")
        case .headers: return many("//! about A.\n") + body("")
        case .choices: return "//! param c choice a" + each { ",b\($0)" } + " a\n" + body("")
        case .globalSums: return global("1.0" + many("+1.0"))
        case .globalSwizzles: return global("vec4(1.0)" + many(".xyzw") + ".x")
        case .globalBrackets: return global(many("(") + "1.0" + many(")"))
        case .globalCalls: return global(many("sqrt(") + "1.0" + many(")"))
        }
    }
}
