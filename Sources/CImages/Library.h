// Functions of a library that is loaded when they are needed.

#ifndef CIMAGES_LIBRARY_H
#define CIMAGES_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "CImages.h"

// The library stays loaded: a second call finds it again without the disk. NULL where it is not installed.
static inline void *cimages_load(const char *const *names) {
  for (; *names; names++) {
    void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

// POSIX lets a pointer to data from dlsym hold one to a function.
static inline bool cimages_find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  *(void **)function = found;
  return found != NULL;
}

// Averages rows of RGBA over squares of `factor` pixels, weighted by their alpha.
typedef struct {
  uint8_t *pixels;
  uint32_t width, height, factor;
  uint32_t out_width, out_height;
  // Of the squares in work: red, green and blue times alpha, and alpha.
  uint32_t *sums;
  uint32_t rows;
  uint32_t y;
} cimages_reduction;

// False without memory. `pixels` is then the caller's, all transparent.
bool cimages_reduction_begin(
    cimages_reduction *reduction, uint32_t width, uint32_t height, uint32_t side);
void cimages_reduction_add(cimages_reduction *reduction, const uint8_t *row);
// Writes the squares that lack rows.
void cimages_reduction_end(cimages_reduction *reduction);
void cimages_take(const cimages_reduction *reduction, cimages_picture *picture);

// Whether a size may be decoded.
static inline bool cimages_is_decodable(uint32_t width, uint32_t height, uint32_t pixels) {
  return width > 0 && height > 0 && width <= CIMAGES_MAX_SIDE && height <= CIMAGES_MAX_SIDE &&
         (uint64_t)width * height <= pixels;
}

#endif
