#include <stdlib.h>

#include "Library.h"

static const char *const names[] = {
    "libwebp.so.7",
    "libwebp.7.dylib",
    "/opt/homebrew/lib/libwebp.7.dylib",
    "/usr/local/lib/libwebp.7.dylib",
    NULL,
};

// The flag of the extended header that says that the file is an animation.
static bool is_animation(const uint8_t *bytes, size_t count) {
  return count > 20 && bytes[12] == 'V' && bytes[13] == 'P' && bytes[14] == '8' && bytes[15] == 'X' &&
         (bytes[20] & 2);
}

cimages_status cimages_read_webp(
    const uint8_t *bytes, size_t count, uint32_t side, cimages_picture *picture) {
  // As webp/decode.h declares them.
  int (*read_header)(const uint8_t *, size_t, int *width, int *height);
  uint8_t *(*decode)(const uint8_t *, size_t, uint8_t *, size_t room, int stride);
  void *library = cimages_load(names);
  if (!library || !cimages_find(library, "WebPGetInfo", &read_header) ||
      !cimages_find(library, "WebPDecodeRGBAInto", &decode))
    return CIMAGES_NO_LIBRARY;
  int width = 0, height = 0;
  if (!read_header(bytes, count, &width, &height) || width <= 0 || height <= 0) return CIMAGES_BROKEN;
  if (!cimages_is_decodable((uint32_t)width, (uint32_t)height, CIMAGES_MAX_WHOLE_PIXELS))
    return CIMAGES_TOO_LARGE;
  if (is_animation(bytes, count)) return CIMAGES_UNSUPPORTED;
  size_t length = (size_t)width * 4;
  uint8_t *pixels = calloc((size_t)height, length);
  if (!pixels) return CIMAGES_NO_MEMORY;
  if (!decode(bytes, count, pixels, length * (size_t)height, (int)length)) {
    free(pixels);
    return CIMAGES_BROKEN;
  }
  cimages_reduction reduction;
  if (!cimages_reduction_begin(&reduction, (uint32_t)width, (uint32_t)height, side)) {
    free(pixels);
    return CIMAGES_NO_MEMORY;
  }
  for (int y = 0; y < height; y++) cimages_reduction_add(&reduction, pixels + (size_t)y * length);
  cimages_reduction_end(&reduction);
  free(pixels);
  cimages_take(&reduction, picture);
  return CIMAGES_DONE;
}
