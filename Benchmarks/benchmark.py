#!/usr/bin/env python3
"""Runs the benchmarks that scripts/benchmark names."""
import argparse
import os
import sys

import hashing
import plots
import startup
import stores
import summary
import transfers
from measure import Case
from report import Report, known_figures
from words import GIB, MIB, byte_count, fail, note

SECTIONS = {"hash": hashing, "transfer": transfers, "store": stores, "startup": startup}


class Options(argparse.Namespace):
    """What the command line asks for."""

    def parts(self, known, quick=None):
        """The parts to run: those that were named, or else all, of which `quick` are enough for a quick run."""
        named = [part for part in self.part if part in known]
        if named:
            return named
        return quick if self.quick and quick else known


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("section", nargs="*", choices=[*SECTIONS, []], help="what to measure")
    parser.add_argument("--size", type=byte_count, help="bytes of the large file")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seed", type=int, default=1, help="for the order of the cases")
    parser.add_argument("--quick", action="store_true", help="small and few")
    parser.add_argument("--part", action="append", default=[], help="a part of a section")
    parser.add_argument("--tools", required=True, help="a folder with sealift and sealift-publish")
    parser.add_argument("--work", help="where the temporary folder is made")
    parser.add_argument("--json", help="a file for what was measured; what it has of other sections and parts stays")
    parser.add_argument("--markdown", help="a file for the tables")
    parser.add_argument("--plots", help="a folder for plots")
    parser.add_argument("--readme", help="a file whose table of figures is replaced")
    options = parser.parse_args(namespace=Options())
    options.size = options.size or (256 * MIB if options.quick else 2 * GIB)
    options.rounds = options.rounds or (2 if options.quick else 5)
    known = {part for name in options.section for part in SECTIONS[name].PARTS}
    for part in set(options.part) - known:
        fail(f"no part is called {part}; they are {', '.join(sorted(known))}")
    return options


def main():
    options = arguments()
    if options.quick:
        Case.pause = 0.1
    if options.markdown and os.path.exists(options.markdown):
        os.remove(options.markdown)
    is_met, data = True, {}
    for name in options.section:
        module = SECTIONS[name]
        if options.part and not set(options.part) & set(module.PARTS):
            continue
        report = Report(name, options)
        module.main(options, report)
        is_met = report.finish() and is_met
        data[name] = report.data
    data = known_figures(options.json) or data
    if options.plots:
        for path in plots.draw(data, options.plots):
            note(f"wrote {path}")
    text = summary.table(data)
    if text and options.markdown:
        summary.prepend(options.markdown, text)
    if text and options.readme:
        summary.replace(options.readme, text)
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
