// Scaling by the texture unit alone: the nearest sample, or four weighted by distance.

vec3 scaled() { return pixelAt(sourcePosition()); }
