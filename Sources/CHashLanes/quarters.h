// The first half of a transposition: LANES rows of LANES words, transposed in quarters of 4 x 4 words.
//
// The file that includes this defines LANES, TARGET, the type vector, swapped(row), and the shuffles LOW_WORDS, HIGH_WORDS,
// LOW_PAIRS and HIGH_PAIRS, which work in each 128 bits alike.

// Loads the row at `offset` of each lane, with the bytes of its words swapped.
TARGET static inline void load_quarters(
    vector *quarters, const uint8_t *const *lanes, size_t offset) {
  for (int i = 0; i < LANES; i += 4) {
    vector r[4], s[4];
    for (int j = 0; j < 4; j++) {
      vector row;
      memcpy(&row, lanes[i + j] + offset, sizeof row);
      r[j] = swapped(row);
    }
    s[0] = LOW_WORDS(r[0], r[1]);
    s[1] = HIGH_WORDS(r[0], r[1]);
    s[2] = LOW_WORDS(r[2], r[3]);
    s[3] = HIGH_WORDS(r[2], r[3]);
    quarters[i + 0] = LOW_PAIRS(s[0], s[2]);
    quarters[i + 1] = HIGH_PAIRS(s[0], s[2]);
    quarters[i + 2] = LOW_PAIRS(s[1], s[3]);
    quarters[i + 3] = HIGH_PAIRS(s[1], s[3]);
  }
}
