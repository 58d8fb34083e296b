"""The table of the README, from what was measured."""
from measure import median
from words import MIB, fail, size_text

BEGIN = "<!-- figures: scripts/benchmark all --readme README.md writes what follows -->"
END = "<!-- end of the figures -->"


def table(data):
    """One line for each work and its peers; empty if none of it was measured."""
    rows = []
    if "peers" in data.get("hash", {}):
        rows += hashing(data["hash"])
    if "peers" in data.get("transfer", {}):
        rows += transfers(data["transfer"])
    if "programs" in data.get("startup", {}):
        rows += starts(data["startup"])
    if not rows:
        return ""
    sections = data.values()
    rounds = min(section["rounds"] for section in sections)
    load = max(section["load"] for section in sections)
    lines = [
        f"Medians of {rounds} interleaved rounds or more, {next(iter(sections))['machine']}, load at most {load:.1f} when "
        "a section began:",
        "",
        "| work | program | wall | processor | peak memory | wall ratio | processor ratio |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def lines(work, results, names, reference, figure):
    """The rows of one work, the first of which is what the others are compared with."""
    for index, name in enumerate(name for name in names if name in results):
        runs = results[name]
        yield [
            work if index == 0 else "",
            f"`{name}`" if not name.startswith("an ") else name,
            figure(median(runs, "wall")),
            figure(median(runs, "cpu")),
            f"{median(runs, 'memory') / MIB:.0f} MiB",
            f"{median(runs, 'wall') / median(results[reference], 'wall'):.2f}",
            f"{median(runs, 'cpu') / median(results[reference], 'cpu'):.2f}",
        ]


def long(value):
    return f"{value:.2f} s"


def short(value):
    return f"{value * 1e3:.1f} ms"


def hashing(section):
    results, size = section["peers"], size_text(section["size"])
    sealing = ["openssl dgst -sha256", "sealift-publish build", "model_signing sign"]
    checking = ["sealift verify", "model_signing verify", "sha256sum", "b3sum"]
    reference = sealing[0]
    yield from lines(f"hash or seal {size}", results, sealing, reference, long)
    yield from lines(f"check {size}", results, checking, reference, long)


def transfers(section):
    results, size = section["peers"]["results"], size_text(section["size"])
    best = min((name for name in results if "aria2c" in name), key=lambda name: median(results[name], "wall"))
    names = [best] + [name for name in results if "aria2c" not in name and name != "openssl dgst -sha256"]
    yield from lines(f"install {size} from three mirrors, durable", results, names, best, long)


def starts(section):
    results = section["programs"]
    names = [
        "an empty Swift program", "sealift --help", "sealift status, 20 models", "sealift-publish --help",
        "openssl version", "curl --version", "python3 -c pass",
    ]
    yield from lines("start", results, names, names[0], short)


def prepend(path, text):
    """Puts the table before the others of a Markdown file."""
    with open(path, encoding="utf-8") as file:
        rest = file.read()
    with open(path, "w", encoding="utf-8") as output:
        output.write(f"## summary\n\n{text}\n\n{rest}")


def replace(path, text):
    """Puts the table between the marks of a page."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        fail(f"{path} has no place for figures")
    with open(path, "w", encoding="utf-8") as output:
        output.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
