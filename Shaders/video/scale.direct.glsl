// Scaling by the texture unit alone: the nearest sample, or four weighted by distance.

vec4 scaled() { return pixelAt(lumaPosition, chromaPosition); }
