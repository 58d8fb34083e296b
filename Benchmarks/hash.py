#!/usr/bin/env python3
"""Measures build and verify beside `openssl dgst -sha256`; scripts/benchmark says how."""
import os
import sys

from workshop import GIB, MIB, Case, Report, Workshop, arguments, least, median, series


def main():
    options = arguments(__doc__)
    report = Report("hash", options)
    with Workshop(options) as shop:
        file = shop.path("served", "weights.bin")
        shop.make_file(file, options.size)
        signed = shop.manifest(file, "large", ["https://example.com"])
        built = shop.path("built.json")
        cases = [
            Case("openssl dgst -sha256", ["openssl", "dgst", "-sha256", file]),
            Case(
                "sealift-publish build",
                [shop.publish, "build", file, "--model", "bench/large", "--version", "1.0.0"]
                + ["--mirror", "https://example.com/{name}", "--output", built],
                clear=lambda: os.path.exists(built) and os.remove(built),
            ),
            Case(
                "sealift verify",
                [shop.sealift, "verify", file, "--manifest", signed] + shop.places,
            ),
        ]
        results = series(cases, options.rounds, options.seed)
    reference = median(results["openssl dgst -sha256"], "wall")
    rows = [
        [
            f"`{name}`",
            f"{median(runs, 'wall'):.2f} ({least(runs, 'wall'):.2f})",
            f"{median(runs, 'cpu'):.2f}",
            f"{median(runs, 'memory') / MIB:.1f}",
            f"{median(runs, 'wall') / reference:.2f}",
        ]
        for name, runs in results.items()
    ]
    report.table(
        "results",
        f"A file of {options.size / GIB:g} GiB in the page cache, medians (minima) of {options.rounds} rounds.",
        ["", "wall s", "processor s", "peak MiB", "wall / openssl"],
        rows,
        results,
    )
    build, verify = results["sealift-publish build"], results["sealift verify"]
    report.target("build, wall time of openssl", median(build, "wall") / reference, 1.1)
    report.target("verify, wall time of openssl", median(verify, "wall") / reference, 0.55)
    for name, runs in (("build", build), ("verify", verify)):
        report.target(f"{name}, MiB resident", median(runs, "memory") / MIB, 64)
    sys.exit(report.finish())


if __name__ == "__main__":
    main()
