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

/// The index of the first of 16 bytes that needs an escape in a JSON string of printable ASCII: a quote, a
/// backslash, a control character, or a byte from 0x7F on. 16 if none does.
static inline int64_t cmarks_first_special_of_16(const void *_Nonnull place) {
#if defined(__SSE2__)
  __m128i chunk = _mm_loadu_si128((const __m128i *)place);
  // Bytes from 0x80 on are negative.
  __m128i hits = _mm_or_si128(
      _mm_or_si128(_mm_cmplt_epi8(chunk, _mm_set1_epi8(0x20)),
                   _mm_cmpeq_epi8(chunk, _mm_set1_epi8(0x7F))),
      _mm_or_si128(_mm_cmpeq_epi8(chunk, _mm_set1_epi8('"')),
                   _mm_cmpeq_epi8(chunk, _mm_set1_epi8('\\'))));
  return __builtin_ctz((uint32_t)_mm_movemask_epi8(hits) | 0x10000u);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint8x16_t chunk = vld1q_u8((const uint8_t *)place);
  uint8x16_t hits = vorrq_u8(
      vorrq_u8(vcltq_u8(chunk, vdupq_n_u8(0x20)), vcgeq_u8(chunk, vdupq_n_u8(0x7F))),
      vorrq_u8(vceqq_u8(chunk, vdupq_n_u8('"')), vceqq_u8(chunk, vdupq_n_u8('\\'))));
  uint64_t bits = vget_lane_u64(
      vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits), 4)), 0);
  return bits == 0 ? 16 : __builtin_ctzll(bits) >> 2;
#else
  const uint8_t *bytes = (const uint8_t *)place;
  int64_t at = 0;
  while (at < 16 && bytes[at] >= 0x20 && bytes[at] < 0x7F && bytes[at] != '"' && bytes[at] != '\\') at++;
  return at;
#endif
}

/// Where a JSON string ends.
struct cmarks_string {
  /// The place behind the closing quote, or `~` of the place that is wrong, which is negative.
  int64_t end;
  /// Not 0 when there is a backslash in it.
  int64_t escaped;
};

/// Steps over the rest of a JSON string and checks its escapes; `at` is behind the opening quote or
/// anywhere later in it, but not within an escape. Reads `base[at]` to `base[count - 1]` at most.
///
/// 64 bytes at a time, with AVX2 where the processor has it: texts of kilobytes are most of what comes.
struct cmarks_string cmarks_string_end(const uint8_t *_Nonnull base, int64_t count, int64_t at);

/// The same with what every processor of the architecture has, so that tests see it everywhere.
struct cmarks_string cmarks_string_end_plain(const uint8_t *_Nonnull base, int64_t count, int64_t at);

#endif
