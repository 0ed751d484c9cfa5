// Tables of colours. A table is a texture of as many columns as fit, filled row by row; `shape` is the number of
// entries along each side (0 for no table), 1 for a cube or 0 for a table for each component, and the texture's width.

vec3 vitrail_entry(sampler2D table, int index, int width) {
    return texelFetch(table, ivec2(index % width, index / width), 0).rgb;
}

// Tetrahedral interpolation in a cube: of the eight corners around a colour, the four of the tetrahedron that it is in.
vec3 vitrail_cube(sampler2D table, ivec3 shape, vec3 place) {
    int size = shape.x;
    ivec3 low = min(ivec3(place), size - 2);
    vec3 part = place - vec3(low);
    int corner = low.r + size * (low.g + size * low.b);
    ivec3 steps = ivec3(1, size, size * size);
    // From the corner, the largest component is followed first, then the middle one, then the smallest.
    bool rg = part.r >= part.g, gb = part.g >= part.b, rb = part.r >= part.b;
    ivec3 rank = ivec3((rg ? 0 : 1) + (rb ? 0 : 1), (rg ? 1 : 0) + (gb ? 0 : 1), (rb ? 1 : 0) + (gb ? 1 : 0));
    int first = rank.r == 0 ? steps.r : rank.g == 0 ? steps.g : steps.b;
    int last = rank.r == 2 ? steps.r : rank.g == 2 ? steps.g : steps.b;
    float most = max(max(part.r, part.g), part.b);
    float least = min(min(part.r, part.g), part.b);
    float middle = part.r + part.g + part.b - most - least;
    int all = steps.r + steps.g + steps.b;
    return (1.0 - most) * vitrail_entry(table, corner, shape.z)
        + (most - middle) * vitrail_entry(table, corner + first, shape.z)
        + (middle - least) * vitrail_entry(table, corner + all - last, shape.z)
        + least * vitrail_entry(table, corner + all, shape.z);
}

float vitrail_curve(sampler2D table, ivec3 shape, float place, int component) {
    int low = min(int(place), shape.x - 2);
    vec3 one = vitrail_entry(table, low, shape.z);
    vec3 two = vitrail_entry(table, low + 1, shape.z);
    return mix(one[component], two[component], place - float(low));
}

vec3 vitrail_table(sampler2D table, ivec3 shape, vec3 lowest, vec3 highest, vec3 color) {
    if (shape.x == 0) { return color; }
    vec3 place = clamp((color - lowest) / (highest - lowest), 0.0, 1.0) * float(shape.x - 1);
    if (shape.y == 1) { return vitrail_cube(table, shape, place); }
    return vec3(
        vitrail_curve(table, shape, place.r, 0), vitrail_curve(table, shape, place.g, 1),
        vitrail_curve(table, shape, place.b, 2));
}
