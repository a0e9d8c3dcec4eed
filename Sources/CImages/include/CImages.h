// Decoding images, and writing PNG, through libraries that are loaded at their first use: a run that shows no image
// pays nothing for them, and one on a machine without them says so.

#ifndef CIMAGES_H
#define CIMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  CIMAGES_DONE = 0,
  // The library is not installed.
  CIMAGES_NO_LIBRARY,
  // Not an image of this format, or torn before its first row.
  CIMAGES_BROKEN,
  // More pixels than are decoded.
  CIMAGES_TOO_LARGE,
  // A variant that is not decoded: an animation, or colours for print.
  CIMAGES_UNSUPPORTED,
  CIMAGES_NO_MEMORY,
} cimages_status;

typedef struct {
  // RGBA, 8 bits each, not premultiplied, rows from the top. Freed by `cimages_free`.
  uint8_t *pixels;
  uint32_t width, height;
  // As the file says it.
  uint32_t source_width, source_height;
  // Whether the file ended early: rows that it lacks are transparent.
  bool is_cut;
} cimages_picture;

// The most pixels of an image that is decoded row by row, and of one that has to be in memory as a whole.
#define CIMAGES_MAX_PIXELS (40u * 1000 * 1000)
#define CIMAGES_MAX_WHOLE_PIXELS (16u * 1000 * 1000)
// The most pixels along one side.
#define CIMAGES_MAX_SIDE 32767u

// Each checks the size in the header before it allocates. A picture whose longer side has `2 * side` pixels or more is
// averaged down while it is decoded, so that the result has fewer; `side` is at least 1.
cimages_status cimages_read_png(
    const uint8_t *bytes, size_t count, uint32_t side, cimages_picture *picture);
cimages_status cimages_read_jpeg(
    const uint8_t *bytes, size_t count, uint32_t side, cimages_picture *picture);
cimages_status cimages_read_webp(
    const uint8_t *bytes, size_t count, uint32_t side, cimages_picture *picture);

// RGBA as a PNG file, freed by `cimages_free`. At most CIMAGES_MAX_WHOLE_PIXELS.
cimages_status cimages_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes, size_t *count);

void cimages_free(void *memory);

#endif
