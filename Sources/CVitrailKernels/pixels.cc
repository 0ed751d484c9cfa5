// Drawing of plain areas and of coverage, in pictures of any format.
#include "pixels.h"

using namespace vitrail;

void vitrail_fill(VitrailPictureFormat format, VitrailPart part, float red, float green, float blue) {
    const float color[3] = {red, green, blue};
    const int bytes = BytesPerPixel(format);
    uint8_t pixel[16];
    Write(format, pixel, color);
    const size_t length = static_cast<size_t>(part.x1 - part.x0) * bytes;
    for (int y = part.y0; y < part.y1; y++) {
        uint8_t *row = part.pixels + (y - part.y0) * part.bytesPerRow;
        if (y > part.y0) {
            std::memcpy(row, part.pixels, length);
        } else {
            for (size_t place = 0; place < length; place += bytes) std::memcpy(row + place, pixel, bytes);
        }
    }
}

void vitrail_blend(
    VitrailPictureFormat format, VitrailPart part, const uint8_t *coverage, ptrdiff_t coverageBytesPerRow,
    const float *color) {
    const int bytes = BytesPerPixel(format);
    for (int y = part.y0; y < part.y1; y++) {
        uint8_t *to = part.pixels + (y - part.y0) * part.bytesPerRow;
        const uint8_t *shares = coverage ? coverage + y * coverageBytesPerRow : nullptr;
        for (int x = part.x0; x < part.x1; x++, to += bytes) {
            const float share = shares ? static_cast<float>(shares[x]) / 255 : 1;
            if (share == 0) continue;
            const float alpha = color[3] * share;
            float pixel[3];
            Read(format, to, pixel);
            for (int i = 0; i < 3; i++) pixel[i] = color[i] * alpha + pixel[i] * (1 - alpha);
            Write(format, to, pixel);
        }
    }
}

void vitrail_convert(
    VitrailPictureFormat format, const uint8_t *from, VitrailPictureFormat toFormat, uint8_t *to, int32_t count) {
    const int bytes = BytesPerPixel(format), toBytes = BytesPerPixel(toFormat);
    for (int32_t i = 0; i < count; i++, from += bytes, to += toBytes) {
        float color[3];
        Read(format, from, color);
        Write(toFormat, to, color);
    }
}
