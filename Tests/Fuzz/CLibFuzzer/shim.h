#pragma once
#include <stddef.h>
#include <stdint.h>
// libFuzzer as a library: `-sanitize=fuzzer` links it, and no installed header declares it.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));
