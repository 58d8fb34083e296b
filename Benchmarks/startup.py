"""Measures what a start of the tools costs beside that of other programs."""
import os
import shutil
import subprocess

from measure import Case, compile_c, median, series
from report import milliseconds, peak
from stores import Model
from words import MIB, call, fail
from workshop import Workshop

PARTS = ["programs", "binaries"]
HELP = "sealift --help"
STATUS = "sealift status, 20 models"
EMPTY_SWIFT = "an empty Swift program"


def main(options, report):
    with Workshop(options) as shop:
        for part in options.parts(PARTS):
            {"programs": programs, "binaries": binaries}[part](shop, report)


def empty_programs(shop):
    """Programs in C and Swift that do nothing; the one in Swift is linked like the tools."""
    c, swift = shop.path("empty.c"), shop.path("empty.swift")
    with open(c, "w", encoding="utf-8") as text:
        text.write("int main(void) { return 0; }\n")
    with open(swift, "w", encoding="utf-8") as text:
        text.write("@main struct Main { static func main() {} }\n")
    curl = shop.path("empty-curl")
    compile_c(c, shop.path("empty-c"))
    compile_c(c, curl, "-Wl,--no-as-needed", "-lcurl")
    compiler = shutil.which("swiftc") or fail("swiftc is not on the PATH")
    call([compiler, "-O", "-static-stdlib", "-parse-as-library", swift, "-o", shop.path("empty-swift")])
    return shop.path("empty-c"), curl, shop.path("empty-swift")


def programs(shop, report):
    c, curl, swift = empty_programs(shop)
    models = [Model(shop, f"m{index}", 64 << 10) for index in range(20)]
    commands = {
        "an empty C program": [c],
        "an empty C program with libcurl": [curl],
        EMPTY_SWIFT: [swift],
        "openssl version": ["openssl", "version"],
        "curl --version": ["curl", "--version"],
        "python3 -c pass": ["python3", "-c", "pass"],
        "sealift --version": [shop.sealift, "--version"],
        HELP: [shop.sealift, "--help"],
        STATUS: models[0].client("status"),
        "sealift path": models[0].client("path", models[0].name),
        "sealift-publish --help": [shop.publish, "--help"],
    }
    cases = [Case(name, command, settles=False) for name, command in commands.items()]
    repeats = 8 if shop.options.quick else 40
    results = series(cases, shop.options.rounds, shop.options.seed, repeats=repeats)
    rows = [
        [
            f"`{name}`" if not name.startswith("an ") else name,
            milliseconds(runs, "wall"),
            milliseconds(runs, "cpu"),
            f"{peak(runs):.1f}",
            f"{median(runs, 'wall') / median(results[EMPTY_SWIFT], 'wall'):.1f}",
        ]
        for name, runs in results.items()
    ]
    title = (
        f"Starts with warm caches: medians (minima) of {shop.options.rounds * repeats} runs each, in turns. "
        "The empty Swift program has the Swift runtime inside, as the tools have."
    )
    report.table("programs", title, ["", "ms", "processor ms", "peak MiB", "times empty Swift"], rows, results)
    for name in (HELP, STATUS):
        report.target(f"{name}, ms", median(results[name], "wall") * 1e3, 15)
    report.say("")


def binaries(shop, report):
    """How large the tools are, and what the loader brings in with them."""
    rows, figures = [], {}
    for tool in (shop.sealift, shop.publish):
        name, stripped = os.path.basename(tool), shop.path("stripped")
        call(["strip", "-o", stripped, tool])
        libraries = [line for line in call(["ldd", tool]).decode().splitlines() if "=>" in line]
        needed = subprocess.run(["readelf", "-d", tool], capture_output=True, check=True).stdout.decode()
        figures[name] = {
            "bytes": os.path.getsize(tool),
            "stripped": os.path.getsize(stripped),
            "libraries": len(libraries),
            "needed": [line.partition("[")[2].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line],
        }
        facts = figures[name]
        rows.append(
            [
                f"`{name}`",
                f"{facts['bytes'] / MIB:.1f}",
                f"{facts['stripped'] / MIB:.1f}",
                str(facts["libraries"]),
                ", ".join(facts["needed"]),
            ]
        )
    report.table("binaries", "The tools.", ["", "MiB", "stripped MiB", "libraries loaded", "libraries needed"], rows, figures)
