// A Shadertoy image shader as an effect.

vec4 vitrail_image(vec2 uv) {
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    mainImage(color, vec2(uv.x, 1.0 - uv.y) * iResolution.xy);
    return vec4(color.rgb, 1.0);
}
