//! name Gaussian blur
//! about A Gaussian with a sigma of a third of the radius; from a radius of 26 on, computed from a reduced picture.
//! param radius float 0 128 12 "Radius in pixels"
//! pass across1
//! pass reduced2 scale 0.5
//! pass across2 scale 0.5
//! pass down2 scale 0.5
//! pass reduced4 scale 0.25
//! pass across4 scale 0.25
//! pass down4 scale 0.25

// The scale of the picture that is blurred: the smallest in which sigma is about four texels, so that the interpolation
// between them errs by less than 1/255 (2/255 at worst). The passes of the other scales skip their loops and cost
// little.
bool isEnough(float scale) { return radius >= 13.0 * scale && min(pictureSize.x, pictureSize.y) >= 48.0 * scale; }
float used() { return isEnough(4.0) ? 4.0 : isEnough(2.0) ? 2.0 : 1.0; }

// A reduced picture has two extra texels on each side. The outermost contain only the edge, which clamping continues.
vec2 outOf(vec2 uv, vec2 size) { return (uv * size - 2.0) / (size - 4.0); }
vec2 into(vec2 uv, sampler2D image) {
    vec2 size = vec2(textureSize(image, 0));
    return (uv * (size - 4.0) + 2.0) / size;
}

// Sigma in texels. Variances add up: the reductions to this scale contribute 2/9 (scale^2 - 1) square pixels, and the
// linear interpolation at the end a sixth of a square texel (the mean of x (1 - x)).
vec2 sigma(float scale) {
    if (scale == 1.0) return vec2(radius / 3.0);
    vec2 texel = pictureSize / (resolution - 4.0);
    return sqrt(max((radius * radius - 2.0 * (scale * scale - 1.0)) / (9.0 * texel * texel) - 1.0 / 6.0, 0.0));
}

// Colours are averaged with their alpha as the weight, so that transparent pixels add no colour.
vec4 weighted(vec4 color) { return vec4(color.rgb * color.a, color.a); }
vec4 unweighted(vec4 color) { return vec4(color.rgb / max(color.a, 1e-4), color.a); }

// Blurs along one axis. The first pass at scale 1 reads the source itself.
vec4 gaussian(sampler2D image, vec2 uv, vec2 direction, float scale, bool ofSource) {
    float width = dot(sigma(scale), direction), reach = used() == scale ? floor(3.0 * width + 1e-3) : 0.0;
    vec4 sum = ofSource ? weighted(sample(uv)) : texture(image, uv);
    // The ratio of successive weights falls by a constant factor; calling exp() for each tap would cost more.
    float fall = exp(-1.0 / max(width * width, 1e-3)), ratio = sqrt(fall), last = 1.0, total = 1.0;
    for (float k = 1.0; k <= reach; k += 2.0) {
        // One linear read of the texels k and k + 1 on each side.
        float near = last * ratio;
        ratio *= fall;
        last = near * ratio;
        ratio *= fall;
        float both = near + (k < reach ? last : 0.0);
        vec2 away = (k + 1.0 - near / both) * direction / resolution;
        vec4 one = ofSource ? weighted(sample(uv + away)) : texture(image, uv + away);
        vec4 other = ofSource ? weighted(sample(uv - away)) : texture(image, uv - away);
        sum += both * (one + other);
        total += 2.0 * both;
    }
    return sum / total;
}

// Nine positions with the weights 1 2 1 on each axis; each lies between texels, so linear reads make this 1 3 3 1.
vec3 part(int i) {
    vec2 d = vec2(i % 3 - 1, i / 3 - 1);
    return vec3(d, (2.0 - abs(d.x)) * (2.0 - abs(d.y)) / 16.0);
}
vec4 reduced2_pass(vec2 uv) {
    vec4 sum = vec4(0.0);
    int reads = used() < 2.0 ? 0 : 9;
    for (int i = 0; i < reads; i++) {
        sum += part(i).z * weighted(sample(outOf(uv, resolution) + part(i).xy / pictureSize));
    }
    return sum;
}
vec4 reduced4_pass(vec2 uv) {
    vec2 place = into(outOf(uv, resolution), reduced2);
    vec4 sum = vec4(0.0);
    int reads = used() < 4.0 ? 0 : 9;
    for (int i = 0; i < reads; i++) sum += part(i).z * texture(reduced2, place + part(i).xy / vec2(textureSize(reduced2, 0)));
    return sum;
}

const vec2 right = vec2(1.0, 0.0), below = vec2(0.0, 1.0);
vec4 across1_pass(vec2 uv) { return gaussian(reduced2, uv, right, 1.0, true); }
vec4 across2_pass(vec2 uv) { return gaussian(reduced2, uv, right, 2.0, false); }
vec4 across4_pass(vec2 uv) { return gaussian(reduced4, uv, right, 4.0, false); }
vec4 down2_pass(vec2 uv) { return gaussian(across2, uv, below, 2.0, false); }
vec4 down4_pass(vec2 uv) { return gaussian(across4, uv, below, 4.0, false); }

vec4 effect(vec2 uv) {
    float scale = used();
    if (scale == 4.0) return unweighted(texture(down4, into(uv, down4)));
    if (scale == 2.0) return unweighted(texture(down2, into(uv, down2)));
    return unweighted(gaussian(across1, uv, below, 1.0, false));
}
