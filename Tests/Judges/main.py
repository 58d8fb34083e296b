"""Compares `sealift-publish inspect` with real files and real runtimes; scripts/test-formats runs it."""
import sys

import bounds
import chunks
import hostile
import others
import samples
import toy_llama
from report import Report

tool, parts = sys.argv[1], sys.argv[2:]
every = {
    "samples": samples.compare,
    "oracle": samples.compare_vocabularies,
    "cuts": samples.compare_cuts,
    "hostile": hostile.compare,
    "toy": toy_llama.compare,
    "others": others.compare,
    "chunks": chunks.compare,
    "bounds": bounds.compare,
}
report = Report(tool)
for part in parts or every:
    if part not in every:
        sys.exit(f"test-formats: no part is named {part}; there are {', '.join(every)}")
    print(f"== {part}", flush=True)
    every[part](report)
report.finish()
