/// What ``EffectMutation`` makes files of, besides the built-in effects.
enum EffectCorpus {
    static let numbers = [
        "0", "1", "-1", "2", "3.5", "1e9", "1e38", "1e-38", "65535", "4096", "2147483647", "-2147483648", "4294967296",
        "0x7fffffff", "1000000", "99999999999999999999", "0u", "1.0", "0.0",
    ]

    static let lines = [
        "#include \"part.glsl\"", "#include \"loop.effect.glsl\"", "#include \"missing.glsl\"", "#include \"../x\"",
        "#include \"empty.glsl\"", "//! texture dots dots.png", "//! texture dots missing.png nearest",
        "#define A(x) x A(x)",
        "#define sample previous", "#if 0", "#endif", "#else", "/*", "*/", "{", "}", "\\", "#define W while (true)",
        "for (;;) {}", "while (true) { if (gl_FragCoord.x < 0.0) break; }", "float big[100000];", "#line 7",
        "struct S { S s; };",
        "precision highp float;", "layout(location = 0) out vec4 other;", "uniform float effects[1024];",
        "out vec4 more;", "in vec3 missing;", "vec4 f(vec2 p) { return f(p); }", "//! pass previous",
        "//! pass it scale 0",
    ]

    static let effects = [
        """
        //! name Everything
        //! about It uses all of the contract.
        //! param amount float -1 2.5 0.5 "An amount"
        //! param count int 1 8 3
        //! param isOn bool true "On"
        //! param tint color #ff8000 "Tint"
        //! param center point 0.25 0.75 "Center"
        //! param mode choice soft,hard hard "Mode"
        //! param with tile 1 "With"
        //! param table lut "Table"
        //! texture dots dots.png nearest repeat
        //! pass reduced scale 0.5
        //! pass counts size 16x2 points 16x9
        #include "part.glsl"
        vec4 reduced_pass(vec2 uv) { return sample(uv) * amount + texture(dots, uv * 2.0); }
        vec2 counts_place(vec2 uv) { return vec2(luma(sample(uv).rgb), 0.25); }
        vec4 counts_pass(vec2 uv) { return vec4(0.01); }
        vec4 effect(vec2 uv) {
            vec4 color = texture(reduced, uv) + texelFetch(counts, ivec2(3, 0), 0);
            for (int i = 0; i < count; i++) { color.rgb = mix(color.rgb, tint, 0.1); }
            if (mode == mode_hard && isOn) { color = step(0.5, color); }
            color.rgb += table(with(uv).rgb) * part(distance(uv, center));
            color += 0.1 * previous(uv) + planes(uv) * planesLuma(uv) + sin(time) + float(frameNumber % 2);
            return color + vec4(mouse, resolution / pictureSize);
        }
        """,
        """
        // Loops of all forms.
        #define REPEAT(n) for (int k = 0; k < n; k++)
        #define SUM(a, b) \\
            ((a) + \\
             (b))
        float total(float x) {
            float sum = 0.0;
            int i = 0;
            while (i < 10) { sum += x; i++; }
            do { sum -= 0.5 * x; i--; } while (i > 0);
            REPEAT(5) sum = SUM(sum, x);
            for (;;) { if (sum > 3.0) break; sum += 1.0; }
            return sum;
        }
        vec4 effect(vec2 uv) {
            vec4 color = sample(uv);
            for (float a = 0.0; a < 2.0; a += 0.5) {
                for (int j = 0; j < 3; j++) { if (j == 2) continue; color.r += 0.01 * total(a); }
            }
            switch (int(uv.x * 3.0)) { case 0: color.g = 1.0; break; default: color.b = 0.0; }
            return color;
        }
        """,
        """
        struct Ray { vec3 from; vec3 to; };
        const float weights[3] = float[3](0.25, 0.5, 0.25);
        float march(Ray ray) {
            float depth = 0.0;
            for (int i = 0; i < 40; i++) {
                vec3 p = ray.from + depth * ray.to;
                float d = length(p) - 1.0;
                if (d < 0.001) return depth;
                depth += d;
            }
            return -1.0;
        }
        vec4 effect(vec2 uv) {
            Ray ray = Ray(vec3(0.0, 0.0, -3.0), normalize(vec3(uv * 2.0 - 1.0, 2.0)));
            vec4 sum = vec4(0.0);
            for (int i = -1; i <= 1; i++) sum += weights[i + 1] * sample(uv + vec2(float(i), 0.0) / resolution);
            return march(ray) > 0.0 ? sum.bgra : sum;
        }
        """,
    ]

    static let shadertoys = [
        """
        // A tunnel of the picture.
        void mainImage(out vec4 fragColor, in vec2 fragCoord)
        {
            vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
            float a = atan(p.y, p.x), r = length(p);
            vec2 uv = vec2(0.3 / r + 0.2 * iTime, a / 3.1415927);
            fragColor = vec4(texture(iChannel0, fract(uv)).xyz * r, 1.0);
        }
        """,
        """
        #define R iResolution.xy
        #define rot(a) mat2(cos(a), -sin(a), sin(a), cos(a))
        float map(vec3 p) { p.xz *= rot(iTime); return length(max(abs(p) - 0.5, 0.0)) - 0.1; }
        void mainImage(out vec4 O, vec2 u) {
            vec3 p, d = normalize(vec3(u + u - R, R.y));
            float t = 0.;
            for (float i = 0.; i++ < 60.; t += map(p)) p = vec3(0, 0, -3) + t * d;
            O = t < 9. ? vec4(exp(-t / 3.)) : texture(iChannel0, u / R);
        }
        """,
        """
        vec4 layer(vec2 p) { return texelFetch(iChannel1, ivec2(p), 0); }
        void mainImage(out vec4 O, in vec2 U) {
            O = vec4(0);
            for (int x = -2; x <= 2; x++) for (int y = -2; y <= 2; y++) O += layer(U + vec2(x, y)) / 25.;
            if (iMouse.z > 0.) O = O.bgra;
            O.rgb += float(iFrame % 2) * iChannelResolution[0] * 1e-9 + iDate.w * 0.;
        }
        """,
    ]
}
