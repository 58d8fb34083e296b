#!/usr/bin/env python3
"""Draws plots from what was measured.

plots.py JSON FOLDER draws them from a file that scripts/benchmark --json has written.
"""
import json
import os
import sys

from measure import median
from svg import Chart
from words import GIB, size_text


def draw(data, folder):
    """Writes a plot for each part that was measured and has one; returns the paths."""
    os.makedirs(folder, exist_ok=True)
    paths = []
    for section, part, name, make in PLOTS:
        if part not in data.get(section, {}):
            continue
        path = os.path.join(folder, f"{name}.svg")
        with open(path, "w", encoding="utf-8") as output:
            output.write(make(data[section]).text())
        paths.append(path)
    return paths


def throughput(rows, place_of):
    """GiB/s on the wall of each tool."""
    return {
        tool: [(place_of(row), row["size"] / GIB / median(row["tools"][tool], "wall")) for row in rows]
        for tool in rows[0]["tools"]
    }


def by_size(section):
    rows = section["sizes"]
    return Chart(
        "Hashing, by the size of the file",
        section["machine"],
        "size of the file, logarithmic",
        "GiB a second",
        [(row["size"], size_text(row["size"])) for row in rows],
        throughput(rows, lambda row: row["size"]),
    )


def by_files(section):
    rows = section["files"]
    counts = {row["name"]: int(row["name"].split()[0].replace(",", "")) for row in rows}
    return Chart(
        f"Hashing {size_text(rows[0]['size'])}, by the number of files",
        section["machine"],
        "files, logarithmic",
        "GiB a second",
        [(count, f"{count:,}") for count in counts.values()],
        throughput(rows, lambda row: counts[row["name"]]),
    )


def by_models(section):
    rows = section["models"]
    counts = sorted(int(count) for count in rows)
    names = [name for name in rows[str(counts[0])] if name != "sealift list"]
    return Chart(
        "Commands, by the number of models in the store",
        section["machine"],
        "models of two versions each, logarithmic",
        "milliseconds",
        [(count, str(count)) for count in counts],
        {
            name: [(count, median(rows[str(count)][name], "wall") * 1e3) for count in counts]
            for name in names
            if name not in ("sealift path MODEL", "true")
        },
    )


def transfers_by_size(section):
    results = section["sizes"]
    sizes = {label: float(label.split()[0]) for label in results}
    return Chart(
        "Installing from three mirrors, by the size of the file",
        section["machine"],
        "size of the file, logarithmic",
        "GiB a second, verified and durable",
        [(size, label) for label, size in sizes.items()],
        {"sealift install": [(size, size / median(results[label], "wall")) for label, size in sizes.items()]},
    )


PLOTS = [
    ("hash", "sizes", "hash-by-size", by_size),
    ("hash", "files", "hash-by-files", by_files),
    ("store", "models", "store-by-models", by_models),
    ("transfer", "sizes", "transfer-by-size", transfers_by_size),
]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as text:
        print("\n".join(draw(json.load(text), sys.argv[2])))
