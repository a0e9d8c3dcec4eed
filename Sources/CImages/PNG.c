#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "Library.h"

// libpng 1.6, as png.h declares it; the header is not needed for a build.
typedef struct png_struct png_struct;
typedef struct png_info png_info;

typedef struct {
  void *library;
  png_struct *(*create)(const char *version, void *error, void (*fail)(png_struct *, const char *),
                        void (*warn)(png_struct *, const char *));
  png_info *(*create_info)(png_struct *);
  void (*destroy)(png_struct **, png_info **, png_info **);
  void (*set_read)(png_struct *, void *io, void (*read)(png_struct *, uint8_t *, size_t));
  void (*set_limits)(png_struct *, uint32_t width, uint32_t height);
  void (*set_chunk_limit)(png_struct *, size_t bytes);
  void (*read_info)(png_struct *, png_info *);
  uint32_t (*get_width)(const png_struct *, const png_info *);
  uint32_t (*get_height)(const png_struct *, const png_info *);
  void (*expand)(png_struct *);
  void (*strip_16)(png_struct *);
  void (*gray_to_rgb)(png_struct *);
  void (*add_alpha)(png_struct *, uint32_t filler, int place);
  int (*set_interlace)(png_struct *);
  void (*update_info)(png_struct *, png_info *);
  size_t (*get_row_bytes)(const png_struct *, const png_info *);
  void (*read_row)(png_struct *, uint8_t *row, uint8_t *display);
} png_functions;

// What belongs to one read; it outlives the jump out of libpng, so nothing of it is in registers.
typedef struct {
  jmp_buf failed;
  const uint8_t *bytes;
  size_t count, place;
  const png_functions *png;
  png_struct *reader;
  png_info *info;
  uint8_t *rows;
  cimages_reduction reduction;
  bool has_reduction;
  uint32_t rows_read;
  cimages_status status;
} png_read;

static const char *const names[] = {
    "libpng16.so.16",
    "libpng16.16.dylib",
    "/opt/homebrew/lib/libpng16.16.dylib",
    "/usr/local/lib/libpng16.16.dylib",
    NULL,
};

static bool find_reading(png_functions *png) {
  void *library = png->library;
  return cimages_find(library, "png_create_read_struct", &png->create) &&
         cimages_find(library, "png_create_info_struct", &png->create_info) &&
         cimages_find(library, "png_destroy_read_struct", &png->destroy) &&
         cimages_find(library, "png_set_read_fn", &png->set_read) &&
         cimages_find(library, "png_set_user_limits", &png->set_limits) &&
         cimages_find(library, "png_set_chunk_malloc_max", &png->set_chunk_limit) &&
         cimages_find(library, "png_read_info", &png->read_info) &&
         cimages_find(library, "png_get_image_width", &png->get_width) &&
         cimages_find(library, "png_get_image_height", &png->get_height) &&
         cimages_find(library, "png_set_expand", &png->expand) &&
         cimages_find(library, "png_set_strip_16", &png->strip_16) &&
         cimages_find(library, "png_set_gray_to_rgb", &png->gray_to_rgb) &&
         cimages_find(library, "png_set_add_alpha", &png->add_alpha) &&
         cimages_find(library, "png_set_interlace_handling", &png->set_interlace) &&
         cimages_find(library, "png_read_update_info", &png->update_info) &&
         cimages_find(library, "png_get_rowbytes", &png->get_row_bytes) &&
         cimages_find(library, "png_read_row", &png->read_row);
}

// The read of this thread: what libpng calls gets at its context only through functions of libpng.
static _Thread_local png_read *current;

static void fail(png_struct *reader, const char *message) {
  (void)reader;
  (void)message;
  longjmp(current->failed, 1);
}

static void warn(png_struct *reader, const char *message) {
  (void)reader;
  (void)message;
}

static void give(png_struct *reader, uint8_t *bytes, size_t count) {
  if (count > current->count - current->place) fail(reader, "");
  memcpy(bytes, current->bytes + current->place, count);
  current->place += count;
}

// Reads until the end, or leaves by a jump.
static void read_rows(png_read *read, uint32_t side) {
  const png_functions *png = read->png;
  png->set_read(read->reader, NULL, give);
  png->set_limits(read->reader, CIMAGES_MAX_SIDE, CIMAGES_MAX_SIDE);
  png->set_chunk_limit(read->reader, 4 << 20);
  png->read_info(read->reader, read->info);
  uint32_t width = png->get_width(read->reader, read->info);
  uint32_t height = png->get_height(read->reader, read->info);
  png->expand(read->reader);
  png->strip_16(read->reader);
  png->gray_to_rgb(read->reader);
  png->add_alpha(read->reader, 0xFF, 1);
  int passes = png->set_interlace(read->reader);
  if (!cimages_is_decodable(
          width, height, passes > 1 ? CIMAGES_MAX_WHOLE_PIXELS : CIMAGES_MAX_PIXELS)) {
    read->status = CIMAGES_TOO_LARGE;
    return;
  }
  png->update_info(read->reader, read->info);
  size_t length = (size_t)width * 4;
  if (png->get_row_bytes(read->reader, read->info) != length) return;
  read->rows = calloc(passes > 1 ? height : 1, length);
  if (!read->rows || !cimages_reduction_begin(&read->reduction, width, height, side)) {
    read->status = CIMAGES_NO_MEMORY;
    return;
  }
  read->has_reduction = true;
  if (passes > 1) {
    // Each pass adds to the rows of the one before.
    for (int pass = 0; pass < passes; pass++) {
      for (uint32_t y = 0; y < height; y++) {
        png->read_row(read->reader, read->rows + y * length, NULL);
        read->rows_read = pass == 0 ? y + 1 : height;
      }
    }
  } else {
    for (uint32_t y = 0; y < height; y++) {
      png->read_row(read->reader, read->rows, NULL);
      cimages_reduction_add(&read->reduction, read->rows);
      read->rows_read = y + 1;
    }
  }
  read->status = CIMAGES_DONE;
}

cimages_status cimages_read_png(
    const uint8_t *bytes, size_t count, uint32_t side, cimages_picture *picture) {
  png_functions png = {.library = cimages_load(names)};
  if (!png.library || !find_reading(&png)) return CIMAGES_NO_LIBRARY;
  // On the heap, so that it is whole after a jump.
  png_read *read = calloc(1, sizeof(png_read));
  if (!read) return CIMAGES_NO_MEMORY;
  read->bytes = bytes;
  read->count = count;
  read->png = &png;
  read->status = CIMAGES_BROKEN;
  png_read *outer = current;
  current = read;
  if (setjmp(read->failed) == 0) {
    read->reader = png.create("1.6.0", NULL, fail, warn);
    if (read->reader) read->info = png.create_info(read->reader);
    if (read->info) read_rows(read, side);
  }
  // After a jump nothing of this function but `read` and what it points to is used.
  const png_functions *functions = read->png;
  if (read->reader) functions->destroy(&read->reader, &read->info, NULL);
  current = outer;
  cimages_status status = read->status;
  if (read->has_reduction) {
    if (status == CIMAGES_BROKEN && read->rows_read > 0) {
      picture->is_cut = true;
      status = CIMAGES_DONE;
    }
    // The rows of an image in passes are averaged at the end, as far as they came.
    if (read->rows_read > 0 && read->reduction.y == 0 && read->reduction.rows == 0) {
      size_t length = (size_t)read->reduction.width * 4;
      for (uint32_t y = 0; y < read->reduction.height; y++)
        cimages_reduction_add(&read->reduction, read->rows + y * length);
    }
    cimages_reduction_end(&read->reduction);
    if (status == CIMAGES_DONE) cimages_take(&read->reduction, picture);
    else free(read->reduction.pixels);
  }
  free(read->rows);
  free(read);
  return status;
}

// MARK: Writing

// `png_image` of the simplified interface, version 1.
typedef struct {
  void *opaque;
  uint32_t version, width, height, format, flags, colormap_entries, warning_or_error;
  char message[64];
} png_image;

cimages_status cimages_write_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **bytes, size_t *count) {
  if (!cimages_is_decodable(width, height, CIMAGES_MAX_WHOLE_PIXELS)) return CIMAGES_TOO_LARGE;
  int (*write)(png_image *, void *, size_t *, int, const void *, int32_t, const void *);
  void *library = cimages_load(names);
  if (!library || !cimages_find(library, "png_image_write_to_memory", &write))
    return CIMAGES_NO_LIBRARY;
  // RGBA; the bound of the library's own macro: the rows, a byte each, and what zlib and chunks add.
  uint64_t raw = ((uint64_t)width * 4 + 1) * height;
  size_t room = (size_t)(raw + (raw >> 12) + (raw >> 14) + (raw >> 25) + 13 + 12 * (raw >> 12) + 200);
  uint8_t *out = malloc(room);
  if (!out) return CIMAGES_NO_MEMORY;
  png_image image = {.version = 1, .width = width, .height = height, .format = 3};
  if (!write(&image, out, &room, 0, pixels, (int32_t)(width * 4), NULL)) {
    free(out);
    return CIMAGES_BROKEN;
  }
  *bytes = out;
  *count = room;
  return CIMAGES_DONE;
}
