#include <stdlib.h>

#include "Library.h"

// TurboJPEG, as turbojpeg.h declares it since version 2; the header is not needed for a build.
typedef struct {
  int numerator, denominator;
} scaling_factor;

enum { FORMAT_RGBA = 7, COLOR_CMYK = 3, FLAG_FAST_DCT = 2048, FLAG_LIMIT_SCANS = 32768, ERROR_WARNING = 0 };

typedef struct {
  void *(*begin)(void);
  int (*end)(void *);
  int (*read_header)(
      void *, const uint8_t *, unsigned long, int *width, int *height, int *sampling, int *color);
  int (*decompress)(
      void *, const uint8_t *, unsigned long, uint8_t *, int width, int pitch, int height, int format,
      int flags);
  int (*get_error_code)(void *);
} jpeg_functions;

static const char *const names[] = {
    "libturbojpeg.so.0",
    "libturbojpeg.0.dylib",
    "/opt/homebrew/opt/jpeg-turbo/lib/libturbojpeg.0.dylib",
    "/usr/local/opt/jpeg-turbo/lib/libturbojpeg.0.dylib",
    NULL,
};

// The size at one of the scales that every version has.
static uint32_t scaled(uint32_t length, uint32_t denominator) {
  return (length + denominator - 1) / denominator;
}

static cimages_status read_jpeg(
    const jpeg_functions *jpeg, void *decoder, const uint8_t *bytes, size_t count, uint32_t side,
    cimages_picture *picture) {
  int width = 0, height = 0, sampling = 0, color = 0;
  if (jpeg->read_header(decoder, bytes, (unsigned long)count, &width, &height, &sampling, &color) != 0)
    return CIMAGES_BROKEN;
  if (width <= 0 || height <= 0) return CIMAGES_BROKEN;
  if (!cimages_is_decodable((uint32_t)width, (uint32_t)height, CIMAGES_MAX_PIXELS))
    return CIMAGES_TOO_LARGE;
  // Inks: a picture for print.
  if (color >= COLOR_CMYK) return CIMAGES_UNSUPPORTED;
  uint32_t longer = (uint32_t)(width > height ? width : height);
  uint32_t denominator = 8;
  while (denominator > 1 && scaled(longer, denominator) < side) denominator /= 2;
  uint32_t out_width = scaled((uint32_t)width, denominator);
  uint32_t out_height = scaled((uint32_t)height, denominator);
  if (!cimages_is_decodable(out_width, out_height, CIMAGES_MAX_WHOLE_PIXELS)) return CIMAGES_TOO_LARGE;
  uint8_t *pixels = calloc((size_t)out_width * out_height, 4);
  if (!pixels) return CIMAGES_NO_MEMORY;
  int flags = FLAG_FAST_DCT | FLAG_LIMIT_SCANS;
  if (jpeg->decompress(
          decoder, bytes, (unsigned long)count, pixels, (int)out_width, 0, (int)out_height, FORMAT_RGBA,
          flags) != 0) {
    // A warning leaves a picture: the file ended early, or a part of it is damaged.
    if (jpeg->get_error_code(decoder) != ERROR_WARNING) {
      free(pixels);
      return CIMAGES_BROKEN;
    }
    picture->is_cut = true;
  }
  cimages_reduction reduction;
  if (!cimages_reduction_begin(&reduction, out_width, out_height, side)) {
    free(pixels);
    return CIMAGES_NO_MEMORY;
  }
  for (uint32_t y = 0; y < out_height; y++)
    cimages_reduction_add(&reduction, pixels + (size_t)y * out_width * 4);
  cimages_reduction_end(&reduction);
  free(pixels);
  cimages_take(&reduction, picture);
  picture->source_width = (uint32_t)width;
  picture->source_height = (uint32_t)height;
  return CIMAGES_DONE;
}

cimages_status cimages_read_jpeg(
    const uint8_t *bytes, size_t count, uint32_t side, cimages_picture *picture) {
  jpeg_functions jpeg;
  void *library = cimages_load(names);
  if (!library || !cimages_find(library, "tjInitDecompress", &jpeg.begin) ||
      !cimages_find(library, "tjDestroy", &jpeg.end) ||
      !cimages_find(library, "tjDecompressHeader3", &jpeg.read_header) ||
      !cimages_find(library, "tjDecompress2", &jpeg.decompress) ||
      !cimages_find(library, "tjGetErrorCode", &jpeg.get_error_code))
    return CIMAGES_NO_LIBRARY;
  void *decoder = jpeg.begin();
  if (!decoder) return CIMAGES_NO_MEMORY;
  cimages_status status = read_jpeg(&jpeg, decoder, bytes, count, side, picture);
  jpeg.end(decoder);
  return status;
}
