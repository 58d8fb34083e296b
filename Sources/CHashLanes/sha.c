#include "hash_lanes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include "constants.h"

// Two messages take turns, so that the latency of one hides behind the other.
#define LANES 2
#define TARGET __attribute__((target("sha,sse4.1,ssse3")))

int hash_lanes_has_sha(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  return (b & bit_SHA) != 0 && __builtin_cpu_supports("sse4.1");
}

// Four rounds of each lane with the words w.
#define FOUR_ROUNDS(i, w)                                                            \
  do {                                                                               \
    __m128i constant = _mm_loadu_si128((const __m128i *)(round_constants + 4 * (i))); \
    for (int lane = 0; lane < LANES; lane++) {                                       \
      __m128i sum = _mm_add_epi32(w[lane], constant);                                \
      cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], sum);               \
      sum = _mm_shuffle_epi32(sum, 0x0e);                                            \
      abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], sum);               \
    }                                                                                \
  } while (0)

// Puts the four words sixteen rounds later in the place of w0.
#define NEXT_WORDS(w0, w1, w2, w3)                                           \
  for (int lane = 0; lane < LANES; lane++) {                                 \
    __m128i sum = _mm_sha256msg1_epu32(w0[lane], w1[lane]);                  \
    sum = _mm_add_epi32(sum, _mm_alignr_epi8(w3[lane], w2[lane], 4));        \
    w0[lane] = _mm_sha256msg2_epu32(sum, w3[lane]);                          \
  }

TARGET static inline __m128i loaded(const uint8_t *bytes) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes), order);
}

TARGET void hash_lanes_sha(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
  __m128i abef[LANES], cdgh[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    const uint32_t *s = state + lane;
    abef[lane] = _mm_set_epi32(
        (int)s[0 * LANES], (int)s[1 * LANES], (int)s[4 * LANES], (int)s[5 * LANES]);
    cdgh[lane] = _mm_set_epi32(
        (int)s[2 * LANES], (int)s[3 * LANES], (int)s[6 * LANES], (int)s[7 * LANES]);
  }
  for (size_t block = 0; block < blocks; block++) {
    __m128i w0[LANES], w1[LANES], w2[LANES], w3[LANES];
    __m128i abef_before[LANES], cdgh_before[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      const uint8_t *bytes = lanes[lane] + 64 * block;
      w0[lane] = loaded(bytes);
      w1[lane] = loaded(bytes + 16);
      w2[lane] = loaded(bytes + 32);
      w3[lane] = loaded(bytes + 48);
      abef_before[lane] = abef[lane];
      cdgh_before[lane] = cdgh[lane];
    }
    FOUR_ROUNDS(0, w0);
    FOUR_ROUNDS(1, w1);
    FOUR_ROUNDS(2, w2);
    FOUR_ROUNDS(3, w3);
    for (int i = 4; i < 16; i += 4) {
      NEXT_WORDS(w0, w1, w2, w3);
      FOUR_ROUNDS(i, w0);
      NEXT_WORDS(w1, w2, w3, w0);
      FOUR_ROUNDS(i + 1, w1);
      NEXT_WORDS(w2, w3, w0, w1);
      FOUR_ROUNDS(i + 2, w2);
      NEXT_WORDS(w3, w0, w1, w2);
      FOUR_ROUNDS(i + 3, w3);
    }
    for (int lane = 0; lane < LANES; lane++) {
      abef[lane] = _mm_add_epi32(abef[lane], abef_before[lane]);
      cdgh[lane] = _mm_add_epi32(cdgh[lane], cdgh_before[lane]);
    }
  }
  for (int lane = 0; lane < LANES; lane++) {
    uint32_t *s = state + lane;
    s[0 * LANES] = (uint32_t)_mm_extract_epi32(abef[lane], 3);
    s[1 * LANES] = (uint32_t)_mm_extract_epi32(abef[lane], 2);
    s[4 * LANES] = (uint32_t)_mm_extract_epi32(abef[lane], 1);
    s[5 * LANES] = (uint32_t)_mm_extract_epi32(abef[lane], 0);
    s[2 * LANES] = (uint32_t)_mm_extract_epi32(cdgh[lane], 3);
    s[3 * LANES] = (uint32_t)_mm_extract_epi32(cdgh[lane], 2);
    s[6 * LANES] = (uint32_t)_mm_extract_epi32(cdgh[lane], 1);
    s[7 * LANES] = (uint32_t)_mm_extract_epi32(cdgh[lane], 0);
  }
}

#else

int hash_lanes_has_sha(void) { return 0; }
void hash_lanes_sha(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
  (void)state, (void)lanes, (void)blocks;
  __builtin_trap();
}

#endif
