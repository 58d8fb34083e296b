"""Tables as Markdown, figures as JSON, and the targets that were missed."""
import json
import os
import platform

from measure import least, median
from words import GIB, MIB, note


def processor():
    """The name of the processor, and which of the instructions it has that matter for hashing."""
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        lines = text.read().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    flags = next((line for line in lines if line.startswith("flags")), "").split()
    known = {"sha_ni": "SHA", "avx2": "AVX2", "avx512f": "AVX-512"}
    has = [name for flag, name in known.items() if flag in flags]
    return names[0] if names else platform.machine(), has


def machine():
    """A line that says where the figures come from."""
    name, has = processor()
    extras = f" with {', '.join(has)}" if has else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB
    return f"{os.cpu_count()} × {name}{extras}, {memory:.0f} GiB, Linux {platform.release()}"


def seconds(runs, what):
    """The median, and the minimum in brackets."""
    return f"{median(runs, what):.2f} ({least(runs, what):.2f})"


def milliseconds(runs, what):
    return f"{median(runs, what) * 1e3:.1f} ({least(runs, what) * 1e3:.1f})"


def peak(runs):
    """The median of the most MiB that were resident."""
    return median(runs, "memory") / MIB


class Report:
    """What one benchmark tells: on standard output, in a Markdown file, and for the JSON file."""

    def __init__(self, name, options):
        self.options = options
        self.name = name
        self.data = {
            "machine": machine(),
            "load": os.getloadavg()[0],
            "size": options.size,
            "rounds": options.rounds,
        }
        self.missed = []
        self.lines = []
        self.say(f"## {name}\n\n{self.data['machine']}; load {self.data['load']:.1f} at the start.\n")

    def say(self, text):
        print(text, flush=True)
        self.lines.append(text)

    def table(self, key, title, heads, rows, figures):
        """Shows a table, and keeps the figures it was made of."""
        lines = [f"| {' | '.join(cells)} |" for cells in [heads, *rows]]
        lines.insert(1, "|---" + "|---:" * (len(heads) - 1) + "|")
        self.say(f"{title}\n\n" + "\n".join(lines) + "\n")
        self.data[key] = figures

    def target(self, text, value, limit):
        """States a target, and whether `value` is within `limit`."""
        is_met = value <= limit
        if not is_met:
            self.missed.append(text)
        self.say(f"- {text}: {value:.2f}, at most {limit:g}: {'met' if is_met else '**missed**'}")
        self.data.setdefault("targets", []).append(
            {"target": text, "value": value, "limit": limit, "met": is_met}
        )

    def finish(self):
        """Writes the files that were asked for; returns whether all targets were met."""
        self.say("")
        if self.options.json:
            merge(self.options.json, {self.name: self.data})
        if self.options.markdown:
            with open(self.options.markdown, "a", encoding="utf-8") as output:
                output.write("\n".join(self.lines) + "\n")
        for text in self.missed:
            note(f"missed: {self.name}: {text}")
        return not self.missed


def known_figures(path):
    """What a JSON file has already."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def merge(path, data):
    """Adds to what a JSON file has already; of a section that it has, other parts stay."""
    known = known_figures(path)
    for section, parts in data.items():
        known[section] = known.get(section, {}) | parts
    with open(path, "w", encoding="utf-8") as output:
        json.dump(known, output, indent=1)
        output.write("\n")
