// What is added for a point.

flat in vec4 vitrail_value;
out vec4 vitrail_color;

void main() { vitrail_color = vitrail_value; }
