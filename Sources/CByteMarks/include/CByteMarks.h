#ifndef CBYTEMARKS_H
#define CBYTEMARKS_H

// Where a byte occurs among the next ones, as bits. Swift has vectors but no way to say "one bit per
// lane" (x86-64: pmovmskb); without it every hit costs three times as many instructions.

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

/// Where one of two bytes first occurs among the 16 at an address: 0 to 15, or 16 for nowhere.
static inline int64_t cmarks_first_of_16(const void *_Nonnull place, uint8_t one, uint8_t other) {
#if defined(__SSE2__)
  __m128i chunk = _mm_loadu_si128((const __m128i *)place);
  __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(chunk, _mm_set1_epi8((char)one)),
                              _mm_cmpeq_epi8(chunk, _mm_set1_epi8((char)other)));
  return __builtin_ctz((uint32_t)_mm_movemask_epi8(hits) | 0x10000u);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint8x16_t chunk = vld1q_u8((const uint8_t *)place);
  uint8x16_t hits = vorrq_u8(vceqq_u8(chunk, vdupq_n_u8(one)), vceqq_u8(chunk, vdupq_n_u8(other)));
  // Four bits for each byte.
  uint64_t bits = vget_lane_u64(
      vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits), 4)), 0);
  return bits == 0 ? 16 : __builtin_ctzll(bits) >> 2;
#else
  const uint8_t *bytes = (const uint8_t *)place;
  int64_t at = 0;
  while (at < 16 && bytes[at] != one && bytes[at] != other) at++;
  return at;
#endif
}

/// A bit for each of the 32 bytes at an address, the lowest for the first: set where it is one of two.
static inline uint64_t cmarks_32(const void *_Nonnull place, uint8_t one, uint8_t other) {
#if defined(__SSE2__)
  const __m128i *chunks = (const __m128i *)place;
  __m128i left = _mm_loadu_si128(chunks), right = _mm_loadu_si128(chunks + 1);
  __m128i first = _mm_set1_epi8((char)one), second = _mm_set1_epi8((char)other);
  left = _mm_or_si128(_mm_cmpeq_epi8(left, first), _mm_cmpeq_epi8(left, second));
  right = _mm_or_si128(_mm_cmpeq_epi8(right, first), _mm_cmpeq_epi8(right, second));
  return (uint64_t)(uint32_t)_mm_movemask_epi8(left) |
         (uint64_t)(uint32_t)_mm_movemask_epi8(right) << 16;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint8_t *bytes = (const uint8_t *)place;
  uint8x16_t left = vld1q_u8(bytes), right = vld1q_u8(bytes + 16);
  uint8x16_t first = vdupq_n_u8(one), second = vdupq_n_u8(other);
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  left = vandq_u8(vorrq_u8(vceqq_u8(left, first), vceqq_u8(left, second)), weights);
  right = vandq_u8(vorrq_u8(vceqq_u8(right, first), vceqq_u8(right, second)), weights);
  uint8x16_t sums = vpaddq_u8(left, right);
  sums = vpaddq_u8(sums, sums);
  sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
#else
  const uint8_t *bytes = (const uint8_t *)place;
  uint64_t bits = 0;
  for (int at = 0; at < 32; at++)
    bits |= (uint64_t)(bytes[at] == one || bytes[at] == other) << at;
  return bits;
#endif
}

#endif
