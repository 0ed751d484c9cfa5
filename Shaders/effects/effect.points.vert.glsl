// A pass of points: one for each cell of a grid over the picture. The renderer defines PLACE and FUNCTION, which
// compute its position in the target and what is added there.

uniform ivec2 vitrail_grid;  // Columns and rows.

flat out vec4 vitrail_value;

void main() {
    ivec2 cell = ivec2(gl_VertexID % vitrail_grid.x, gl_VertexID / vitrail_grid.x);
    vec2 uv = (vec2(cell) + 0.5) / vec2(vitrail_grid);
    vitrail_value = FUNCTION(uv);
    gl_Position = vec4(PLACE(uv) * 2.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;  // OpenGL ES has no default.
}
