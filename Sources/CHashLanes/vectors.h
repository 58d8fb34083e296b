// The body of a many-lane function, for vectors of LANES words of 32 bits.
//
// The file that includes this defines LANES, NAME, TARGET (the function's processor features) and
// load_transposed(words, lanes, block), which fills words[i] with the i-th big-endian word of that block of each lane.

#define ROTATED(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define BIG_SIGMA_0(x) (ROTATED(x, 2) ^ ROTATED(x, 13) ^ ROTATED(x, 22))
#define BIG_SIGMA_1(x) (ROTATED(x, 6) ^ ROTATED(x, 11) ^ ROTATED(x, 25))
#define SMALL_SIGMA_0(x) (ROTATED(x, 7) ^ ROTATED(x, 18) ^ ((x) >> 3))
#define SMALL_SIGMA_1(x) (ROTATED(x, 17) ^ ROTATED(x, 19) ^ ((x) >> 10))
#define CHOICE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJORITY(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

// One round; the caller renames the eight words instead of moving them.
#define ROUND(a, b, c, d, e, f, g, h, word, constant)                        \
  do {                                                                       \
    vector sum = h + BIG_SIGMA_1(e) + CHOICE(e, f, g) + (word) + (constant); \
    d += sum;                                                                \
    h = sum + BIG_SIGMA_0(a) + MAJORITY(a, b, c);                            \
  } while (0)

#define EIGHT_ROUNDS(i)                                                     \
  do {                                                                      \
    ROUND(a, b, c, d, e, f, g, h, w[(i) + 0], round_constants[t + (i) + 0]); \
    ROUND(h, a, b, c, d, e, f, g, w[(i) + 1], round_constants[t + (i) + 1]); \
    ROUND(g, h, a, b, c, d, e, f, w[(i) + 2], round_constants[t + (i) + 2]); \
    ROUND(f, g, h, a, b, c, d, e, w[(i) + 3], round_constants[t + (i) + 3]); \
    ROUND(e, f, g, h, a, b, c, d, w[(i) + 4], round_constants[t + (i) + 4]); \
    ROUND(d, e, f, g, h, a, b, c, w[(i) + 5], round_constants[t + (i) + 5]); \
    ROUND(c, d, e, f, g, h, a, b, w[(i) + 6], round_constants[t + (i) + 6]); \
    ROUND(b, c, d, e, f, g, h, a, w[(i) + 7], round_constants[t + (i) + 7]); \
  } while (0)

// The word sixteen rounds later takes the place of w[i].
#define NEXT_WORD(i)                                          \
  w[i] += SMALL_SIGMA_0(w[((i) + 1) & 15]) + w[((i) + 9) & 15] \
          + SMALL_SIGMA_1(w[((i) + 14) & 15])

TARGET void NAME(uint32_t *state, const uint8_t *const *lanes, size_t blocks) {
  vector now[8];
  for (int i = 0; i < 8; i++) memcpy(&now[i], state + i * LANES, sizeof(vector));
  for (size_t block = 0; block < blocks; block++) {
    vector w[16];
    load_transposed(w, lanes, block * 64);
    vector a = now[0], b = now[1], c = now[2], d = now[3];
    vector e = now[4], f = now[5], g = now[6], h = now[7];
    int t = 0;
    EIGHT_ROUNDS(0);
    EIGHT_ROUNDS(8);
    for (t = 16; t < 64; t += 16) {
      for (int i = 0; i < 16; i++) NEXT_WORD(i);
      EIGHT_ROUNDS(0);
      EIGHT_ROUNDS(8);
    }
    now[0] += a, now[1] += b, now[2] += c, now[3] += d;
    now[4] += e, now[5] += f, now[6] += g, now[7] += h;
  }
  for (int i = 0; i < 8; i++) memcpy(state + i * LANES, &now[i], sizeof(vector));
}
