#include "hash_lanes.h"

#if defined(__x86_64__)
#include <string.h>

#include "constants.h"

#define LANES 8
#define NAME hash_lanes_avx2
#define TARGET __attribute__((target("avx2")))

typedef uint32_t vector __attribute__((vector_size(32)));
typedef uint8_t bytes __attribute__((vector_size(32)));

int hash_lanes_has_avx2(void) { return __builtin_cpu_supports("avx2"); }

// Swaps the bytes of each word.
TARGET static inline vector swapped(vector x) {
  return (vector)__builtin_shufflevector(
      (bytes)x, (bytes)x,  //
      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12,  //
      19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28);
}

#define LOW_WORDS(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_WORDS(x, y) __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(x, y) __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(x, y) __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15)
#define LOW_HALVES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH_HALVES(x, y) __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15)

#include "quarters.h"

// Transposes 8 x 8 words twice: in quarters of 4 x 4, then the quarters.
TARGET static inline void load_transposed(
    vector *words, const uint8_t *const *lanes, size_t offset) {
  for (int half = 0; half < 2; half++) {
    vector q[8];
    load_quarters(q, lanes, offset + 32 * half);
    for (int i = 0; i < 4; i++) {
      words[8 * half + i] = LOW_HALVES(q[i], q[i + 4]);
      words[8 * half + i + 4] = HIGH_HALVES(q[i], q[i + 4]);
    }
  }
}

#include "vectors.h"

#else

int hash_lanes_has_avx2(void) { return 0; }
void hash_lanes_avx2(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
  (void)state, (void)lanes, (void)blocks;
  __builtin_trap();
}

#endif
