#include "CByteMarks.h"

#include <stdbool.h>

// Wide instructions are used where the processor turns out to have them; elsewhere than on Linux what
// all processors of the architecture have will do. The C library has asked the processor at the start of
// the process, which takes its time in a virtual machine; older ones do not tell, and the compiler's own
// test asks again.
#if defined(__x86_64__) && defined(__linux__)
#define WITH_AVX2 1
#include <immintrin.h>
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_AVX2() (CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1))
#else
#define HAS_AVX2() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
#endif
#endif

#define QUOTE '"'
#define BACKSLASH '\\'
#define ALWAYS static inline __attribute__((always_inline))

/// A bit for each of the 64 bytes at an address, the lowest for the first: set where it is a quote or a
/// backslash.
ALWAYS uint64_t marks_64(const uint8_t *place) {
#if defined(__SSE2__)
  __m128i quote = _mm_set1_epi8(QUOTE), backslash = _mm_set1_epi8(BACKSLASH);
  uint64_t bits = 0;
  for (int part = 0; part < 4; part++) {
    __m128i chunk = _mm_loadu_si128((const __m128i *)place + part);
    __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(chunk, quote), _mm_cmpeq_epi8(chunk, backslash));
    bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(hits) << (16 * part);
  }
  return bits;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint8x16_t quote = vdupq_n_u8(QUOTE), backslash = vdupq_n_u8(BACKSLASH);
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t hits[4];
  for (int part = 0; part < 4; part++) {
    uint8x16_t chunk = vld1q_u8(place + 16 * part);
    hits[part] = vandq_u8(vorrq_u8(vceqq_u8(chunk, quote), vceqq_u8(chunk, backslash)), weights);
  }
  // Neighbours are added until each byte has the bits of eight.
  uint8x16_t sums = vpaddq_u8(vpaddq_u8(hits[0], hits[1]), vpaddq_u8(hits[2], hits[3]));
  sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
#else
  uint64_t bits = 0;
  for (int at = 0; at < 64; at++)
    bits |= (uint64_t)(place[at] == QUOTE || place[at] == BACKSLASH) << at;
  return bits;
#endif
}

ALWAYS int is_hex(uint8_t byte) {
  return (uint8_t)(byte - '0') < 10 || (uint8_t)((byte | 0x20) - 'a') < 6;
}

/// The place behind the escape whose backslash is at `at`, or `~at`.
ALWAYS int64_t escape_end(const uint8_t *base, int64_t count, int64_t at) {
  if (at + 1 >= count) return ~at;
  uint8_t letter = base[at + 1];
  // One bit for each of 64 bytes: quote and slash, and backslash, b, f, n, r and t.
  uint64_t set = letter < 0x40 ? 0x0000800400000000u : 0x0014404410000000u;
  if (letter < 0x80 && (set >> (letter & 0x3F) & 1) != 0) return at + 2;
  if (letter != 'u' || at + 6 > count) return ~at;
  for (int64_t digit = at + 2; digit < at + 6; digit++)
    if (!is_hex(base[digit])) return ~at;
  return at + 6;
}

/// - `marks`: `marks_64` or what gives the same; known where this is compiled into its callers.
ALWAYS struct cmarks_string string_end(const uint8_t *base, int64_t count, int64_t at,
                                       uint64_t (*marks)(const uint8_t *)) {
  struct cmarks_string result = {0, 0};
  // All 64 bytes are below `count`.
  while (at + 64 <= count) {
    uint64_t bits = marks(base + at);
    int64_t next = at + 64;
    while (bits != 0) {
      int64_t mark = at + __builtin_ctzll(bits);
      if (base[mark] == QUOTE) {
        result.end = mark + 1;
        return result;
      }
      result.escaped = 1;
      int64_t end = escape_end(base, count, mark);
      if (end < 0) {
        result.end = end;
        return result;
      }
      // What belongs to the escape is no mark of its own; it may reach into the next bytes.
      if (end >= next) {
        next = end;
        break;
      }
      bits &= UINT64_MAX << (end - at);
    }
    at = next;
  }
  // The last bytes of the text.
  while (at < count) {
    if (at + 16 <= count) {
      int64_t first = cmarks_first_of_16(base + at, QUOTE, BACKSLASH);
      at += first;
      if (first == 16) continue;
    }
    if (base[at] == QUOTE) {
      result.end = at + 1;
      return result;
    }
    if (base[at] != BACKSLASH) {
      at++;
      continue;
    }
    result.escaped = 1;
    at = escape_end(base, count, at);
    if (at < 0) {
      result.end = at;
      return result;
    }
  }
  result.end = ~count;
  return result;
}

#if WITH_AVX2
__attribute__((target("avx2,bmi"))) static uint64_t marks_64_avx2(const uint8_t *place) {
  __m256i quote = _mm256_set1_epi8(QUOTE), backslash = _mm256_set1_epi8(BACKSLASH);
  __m256i left = _mm256_loadu_si256((const __m256i *)place);
  __m256i right = _mm256_loadu_si256((const __m256i *)place + 1);
  left = _mm256_or_si256(_mm256_cmpeq_epi8(left, quote), _mm256_cmpeq_epi8(left, backslash));
  right = _mm256_or_si256(_mm256_cmpeq_epi8(right, quote), _mm256_cmpeq_epi8(right, backslash));
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(left) |
         (uint64_t)(uint32_t)_mm256_movemask_epi8(right) << 32;
}

__attribute__((target("avx2,bmi"))) static struct cmarks_string
string_end_avx2(const uint8_t *base, int64_t count, int64_t at) {
  return string_end(base, count, at, marks_64_avx2);
}

static bool has_avx2 = false;

// Before any thread there may be: nobody writes it later.
__attribute__((constructor)) static void look_at_processor(void) { has_avx2 = HAS_AVX2(); }
#endif

struct cmarks_string cmarks_string_end_plain(const uint8_t *base, int64_t count, int64_t at) {
  return string_end(base, count, at, marks_64);
}

struct cmarks_string cmarks_string_end(const uint8_t *base, int64_t count, int64_t at) {
#if WITH_AVX2
  if (has_avx2) return string_end_avx2(base, count, at);
#endif
  return cmarks_string_end_plain(base, count, at);
}
