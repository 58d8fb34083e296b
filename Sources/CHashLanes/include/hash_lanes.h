#pragma once
#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) of several messages side by side, one in each lane of the processor's vectors.
//
// A state holds the eight words of each lane, word by word: state[word * lanes + lane]. Each function takes `blocks`
// blocks of 64 bytes from every lane, whatever the alignment, and leaves the padding to the caller.

/// The lanes of hash_lanes_avx512.
static const int hash_lanes_avx512_count = 16;
/// The lanes of hash_lanes_avx2.
static const int hash_lanes_avx2_count = 8;
/// The lanes of hash_lanes_sha.
static const int hash_lanes_sha_count = 2;

/// Whether this processor and system can run the function of the same name; not 0 means yes.
int hash_lanes_has_avx512(void);
int hash_lanes_has_avx2(void);
int hash_lanes_has_sha(void);

/// Needs hash_lanes_has_avx512, and so on.
void hash_lanes_avx512(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void hash_lanes_avx2(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
void hash_lanes_sha(uint32_t *state, const uint8_t *const *lanes, size_t blocks);
