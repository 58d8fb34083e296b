#include "hash_lanes.h"

#if defined(__x86_64__)
#include <string.h>

#include "constants.h"

#define LANES 16
#define NAME hash_lanes_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

typedef uint32_t vector __attribute__((vector_size(64)));
typedef uint8_t bytes __attribute__((vector_size(64)));

int hash_lanes_has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
         && __builtin_cpu_supports("avx512vl");
}

// Swaps the bytes of each word.
TARGET static inline vector swapped(vector x) {
  return (vector)__builtin_shufflevector(
      (bytes)x, (bytes)x,  //
      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,  //
      19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28,  //
      35, 34, 33, 32, 39, 38, 37, 36, 43, 42, 41, 40, 47, 46, 45, 44,  //
      51, 50, 49, 48, 55, 54, 53, 52, 59, 58, 57, 56, 63, 62, 61, 60);
}

#define LOW_WORDS(x, y) \
  __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH_WORDS(x, y) \
  __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define LOW_PAIRS(x, y) \
  __builtin_shufflevector(x, y, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HIGH_PAIRS(x, y) \
  __builtin_shufflevector(x, y, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define EVEN_QUARTERS(x, y) \
  __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD_QUARTERS(x, y) \
  __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)

#include "quarters.h"

// Transposes 16 x 16 words: in quarters of 4 x 4, then the quarters.
TARGET static inline void load_transposed(
    vector *words, const uint8_t *const *lanes, size_t offset) {
  vector q[16];
  load_quarters(q, lanes, offset);
  for (int i = 0; i < 4; i++) {
    vector even_low = EVEN_QUARTERS(q[i], q[i + 4]);
    vector odd_low = ODD_QUARTERS(q[i], q[i + 4]);
    vector even_high = EVEN_QUARTERS(q[i + 8], q[i + 12]);
    vector odd_high = ODD_QUARTERS(q[i + 8], q[i + 12]);
    words[i] = EVEN_QUARTERS(even_low, even_high);
    words[i + 8] = ODD_QUARTERS(even_low, even_high);
    words[i + 4] = EVEN_QUARTERS(odd_low, odd_high);
    words[i + 12] = ODD_QUARTERS(odd_low, odd_high);
  }
}

#include "vectors.h"

#else

int hash_lanes_has_avx512(void) { return 0; }
void hash_lanes_avx512(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
  (void)state, (void)lanes, (void)blocks;
  __builtin_trap();
}

#endif
