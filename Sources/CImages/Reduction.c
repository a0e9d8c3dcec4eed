#include <stdlib.h>
#include <string.h>

#include "Library.h"

bool cimages_reduction_begin(
    cimages_reduction *reduction, uint32_t width, uint32_t height, uint32_t side) {
  uint32_t longer = width > height ? width : height;
  uint32_t factor = side > 0 && longer / side > 1 ? longer / side : 1;
  // A sum has room for 255 * 255 * 256 * 256.
  if (factor > 256) factor = 256;
  *reduction = (cimages_reduction){.width = width, .height = height, .factor = factor};
  reduction->out_width = (width + factor - 1) / factor;
  reduction->out_height = (height + factor - 1) / factor;
  reduction->pixels = calloc((size_t)reduction->out_width * reduction->out_height, 4);
  reduction->sums = calloc(reduction->out_width, 4 * sizeof(uint32_t));
  if (reduction->pixels && reduction->sums) return true;
  free(reduction->pixels);
  free(reduction->sums);
  return false;
}

static void finish_squares(cimages_reduction *reduction) {
  uint8_t *out = reduction->pixels + (size_t)reduction->y * reduction->out_width * 4;
  for (uint32_t x = 0; x < reduction->out_width; x++, out += 4) {
    const uint32_t *sum = reduction->sums + 4 * (size_t)x;
    uint32_t first = x * reduction->factor;
    uint32_t columns = reduction->width - first;
    if (columns > reduction->factor) columns = reduction->factor;
    uint32_t alpha = sum[3], count = columns * reduction->rows;
    for (int i = 0; i < 3; i++) out[i] = alpha ? (uint8_t)((sum[i] + alpha / 2) / alpha) : 0;
    out[3] = (uint8_t)((alpha + count / 2) / count);
  }
  memset(reduction->sums, 0, (size_t)reduction->out_width * 4 * sizeof(uint32_t));
  reduction->rows = 0;
  reduction->y++;
}

void cimages_reduction_add(cimages_reduction *reduction, const uint8_t *row) {
  if (reduction->y >= reduction->out_height) return;
  if (reduction->factor == 1) {
    size_t count = (size_t)reduction->width * 4;
    memcpy(reduction->pixels + reduction->y * count, row, count);
    reduction->y++;
    return;
  }
  uint32_t x = 0;
  for (uint32_t square = 0; square < reduction->out_width; square++) {
    uint32_t *sum = reduction->sums + 4 * (size_t)square;
    uint32_t end = x + reduction->factor < reduction->width ? x + reduction->factor : reduction->width;
    for (; x < end; x++, row += 4) {
      uint32_t alpha = row[3];
      sum[0] += row[0] * alpha;
      sum[1] += row[1] * alpha;
      sum[2] += row[2] * alpha;
      sum[3] += alpha;
    }
  }
  reduction->rows++;
  if (reduction->rows == reduction->factor) finish_squares(reduction);
}

void cimages_reduction_end(cimages_reduction *reduction) {
  if (reduction->rows > 0 && reduction->y < reduction->out_height) finish_squares(reduction);
  free(reduction->sums);
  reduction->sums = NULL;
}

void cimages_take(const cimages_reduction *reduction, cimages_picture *picture) {
  picture->pixels = reduction->pixels;
  picture->width = reduction->out_width;
  picture->height = reduction->out_height;
  picture->source_width = reduction->width;
  picture->source_height = reduction->height;
}

void cimages_free(void *memory) { free(memory); }
