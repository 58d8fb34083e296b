"""Measures build, verify and audit beside programs that hash or sign files."""
import os
import shutil
import tempfile

from measure import Case, forget_pages, median, read_pages, series
from report import peak, processor, seconds
from words import GIB, MIB, call, note, size_text
from workshop import Workshop

PARTS = ["peers", "cold", "audit", "sizes", "files"]
MIRROR = ["https://example.com"]
OPENSSL = "openssl dgst -sha256"
BUILD = "sealift-publish build"
VERIFY = "sealift verify"
AUDIT = "sealift audit"
SIGN = "model_signing sign"
PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".cache", "peers", "bin")


def main(options, report):
    with Workshop(options) as shop:
        for part in options.parts(PARTS):
            {"peers": peers, "cold": cold, "audit": audit, "sizes": sizes, "files": files}[part](shop, report)


def is_there(path):
    """Whether a program is there and starts."""
    try:
        call([path, "--version"])
    except (FileNotFoundError, SystemExit):
        note(f"notice: {os.path.basename(path)} does not start, so it is left out")
        return False
    return True


def on_one_core(case):
    """The same on a single core."""
    core = str(min(os.sched_getaffinity(0)))
    return Case(f"{case.name}, one core", ["taskset", "-c", core, *case.command], case.clear)


def removal(path):
    return lambda: os.path.exists(path) and os.remove(path)


class Subject:
    """A file, or a folder with files, and the ways to hash it."""

    def __init__(self, shop, name, path):
        self.shop = shop
        self.path = path
        self.name = name
        self.built = shop.path(f"{name}-built.json")
        self.files = [path]
        if os.path.isdir(path):
            self.files = [os.path.join(path, entry) for entry in sorted(os.listdir(path))]
        self.signed = shop.manifest(path, name, MIRROR)

    def openssl(self, label=OPENSSL):
        return Case(label, ["openssl", "dgst", "-sha256", *self.files])

    def build(self, label=BUILD):
        command = self.shop.build(self.path, self.name, MIRROR, self.built)
        return Case(label, command, removal(self.built))

    def verify(self, label=VERIFY):
        return Case(label, self.shop.client("verify", self.path, "--manifest", self.signed))

    def audit(self, label=AUDIT, *options):
        words = ["audit", "--directory", self.path, "--manifest", self.signed, *options]
        return Case(label, self.shop.client(*words))

    def model_signing(self):
        """Signing and verifying with a key on a curve, which is what model_signing has, and what it signs for."""
        program = os.path.join(PEERS, "model_signing")
        if not is_there(program):
            return []
        key, public, signature, kept = (
            self.shop.path(f"model-signing.{end}") for end in ("key", "pub", "sig", "kept")
        )
        call(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key])
        call(["openssl", "ec", "-in", key, "-pubout", "-out", public])
        sign = [program, "sign", "key", self.path, "--private_key", key, "--signature"]
        call([*sign, kept])
        verify = [program, "verify", "key", self.path, "--public_key", public, "--signature", kept]
        return [
            Case(SIGN, [*sign, signature], removal(signature)),
            Case("model_signing verify", verify),
        ]


def peers(shop, report):
    """The table of the README: one large file, every program, on all cores and on one."""
    folder = shop.path("peers")
    shop.make_file(os.path.join(folder, "weights.bin"), shop.options.size)
    subject = Subject(shop, "peers", folder)
    file = subject.files[0]
    hashes = [subject.openssl(), subject.build(), subject.verify()]
    cases = hashes + [on_one_core(case) for case in hashes] + subject.model_signing()
    cases.append(Case("sha256sum", ["sha256sum", file]))
    if is_there("b3sum"):
        cases.append(Case("b3sum", ["b3sum", file]))
        cases.append(on_one_core(cases[-1]))
    results = series(cases, shop.options.rounds, shop.options.seed)
    shutil.rmtree(folder)
    size = shop.options.size
    table(
        report,
        "peers",
        f"A file of {size_text(size)} in the page cache: medians (minima) of {shop.options.rounds} interleaved rounds. "
        "b3sum computes BLAKE3, all others SHA-256. `build` computes the digest of the file and those of its chunks, "
        "`verify` those of the chunks. model_signing signs with ECDSA.",
        results,
        size,
    )
    judge(report, results)


def judge(report, results):
    """States the targets: on the wall, and, since a loaded machine delays, in processor time for what is serial."""
    reference = results[OPENSSL]
    _, has = processor()
    limit = 0.35 if "AVX-512" in has else 0.55
    report.target(f"{BUILD}: wall time of openssl", median(results[BUILD], "wall") / median(reference, "wall"), 1.1)
    lanes = "with AVX-512" if "AVX-512" in has else "without AVX-512"
    report.target(
        f"{VERIFY} {lanes}: wall time of openssl",
        median(results[VERIFY], "wall") / median(reference, "wall"),
        limit,
    )
    for name in (BUILD, VERIFY):
        report.target(f"{name}: MiB resident", peak(results[name]), 64)
    for name in (OPENSSL, BUILD, VERIFY):
        alone = results[f"{name}, one core"]
        report.say(f"- {name}, from one core to two: {median(alone, 'wall') / median(results[name], 'wall'):.2f} × as fast")
    report.say("")


def cold(shop, report):
    """The same with a file that must come from the disk."""
    folder = shop.path("cold")
    shop.make_file(os.path.join(folder, "weights.bin"), shop.options.size)
    subject = Subject(shop, "cold", folder)
    cases = [subject.openssl(), subject.build(), subject.verify()]
    for case in cases:
        case.prepare = lambda: forget_pages(subject.files[0])
    results = series(cases, shop.options.rounds, shop.options.seed)
    shutil.rmtree(folder)
    title = (
        f"The same file of {size_text(shop.options.size)}, whose pages were dropped before each run: what is measured "
        "is also the disk."
    )
    table(report, "cold", title, results, shop.options.size)


def audit(shop, report):
    """An audit, which lets go of the pages that it reads: in memory, where they stay, and from the disk."""
    size = shop.options.size
    if shutil.disk_usage("/dev/shm").free > size + size // 10:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
            folder = os.path.join(memory, "audit")
            shop.make_file(os.path.join(folder, "weights.bin"), size)
            subject = Subject(shop, "audit-memory", folder)
            results = series([subject.openssl(), subject.audit()], shop.options.rounds, shop.options.seed)
        table(report, "audit", f"A folder of {size_text(size)} in memory, audited beside openssl.", results, size)
        ratio = median(results[AUDIT], "wall") / median(results[OPENSSL], "wall")
        report.target(f"{AUDIT}: wall time of openssl", ratio, 0.6)
        report.target(f"{AUDIT}: MiB resident", peak(results[AUDIT]), 64)
    else:
        note("notice: /dev/shm has no room, so no audit from memory is measured")
    folder = shop.path("audit")
    shop.make_file(os.path.join(folder, "weights.bin"), size)
    subject = Subject(shop, "audit-disk", folder)
    cases = [subject.openssl(), subject.audit(), subject.audit(f"{AUDIT} --direct", "--direct")]
    for case in cases:
        case.prepare = lambda: forget_pages(subject.files[0])
    results = series(cases, shop.options.rounds, shop.options.seed)
    title = "The same on the disk, its pages dropped before each run."
    table(report, "audit cold", title, results, size)
    forget_pages(subject.files[0])
    call(subject.audit().command)
    report.target(f"{AUDIT}: MiB left in the page cache", cached(subject.files[0]) / MIB, 1)
    report.say("")
    shutil.rmtree(folder)


def cached(path):
    """The bytes of a file that lie in the page cache."""
    return int(call(["fincore", "--bytes", "--noheadings", "--output", "RES", path]).strip())


def table(report, key, title, results, size):
    reference = results[OPENSSL]
    rows = [
        [
            f"`{name}`",
            seconds(runs, "wall"),
            seconds(runs, "cpu"),
            f"{peak(runs):.0f}",
            f"{size / GIB / median(runs, 'wall'):.2f}",
            f"{median(runs, 'wall') / median(reference, 'wall'):.2f}",
            f"{median(runs, 'cpu') / median(reference, 'cpu'):.2f}",
        ]
        for name, runs in results.items()
    ]
    heads = ["", "wall s", "processor s", "peak MiB", "GiB/s", "wall / openssl", "processor / openssl"]
    report.table(key, title, heads, rows, results)


def sizes(shop, report):
    """Files from a 32nd of --size to its eightfold: 64 MiB to 16 GiB, the last of them sparse."""
    factors = [(1, 32), (1, 8), (1, 2)] if shop.options.quick else [(1, 32), (1, 8), (1, 2), (2, 1), (8, 1)]
    cases, counts = [], {}
    for many, parts in factors:
        size = shop.options.size * many // parts
        name = size_text(size)
        path = shop.path("sizes", f"{size}.bin")
        is_sparse = many > 2
        if not shop.has_room(0 if is_sparse else size):
            note(f"notice: there is no room for a file of {name}, so it is left out")
            continue
        (shop.make_sparse_file if is_sparse else shop.make_file)(path, size)
        subject = Subject(shop, f"size-{size}", path)
        add(cases, counts, subject, name, size)
        # The largest leaves little of the others in memory, and what stays of it is chance.
        for case in cases[-3:]:
            case.prepare = (lambda path=path: forget_pages(path)) if is_sparse else (lambda path=path: read_pages(path))
    results = series(cases, shop.options.rounds, shop.options.seed)
    shutil.rmtree(shop.path("sizes"))
    title = "Files of several sizes in the page cache: the cost for each GiB."
    if not shop.options.quick:
        title += " The largest is mostly a hole, and not in the page cache."
    flat(report, "sizes", title, "file", results, counts)


def files(shop, report):
    """A quarter of --size in 1 to 2,000 files."""
    size = shop.options.size // 4
    cases, counts = [], {}
    for count in [1, 20, 200] if shop.options.quick else [1, 10, 100, 2000]:
        folder = shop.path("files", str(count))
        for index in range(count):
            length = size // count + (index < size % count)
            shop.make_file(os.path.join(folder, f"{index:04}.bin"), length, f"{index:032x}")
        name = f"{count:,} file" + ("s" if count > 1 else "")
        add(cases, counts, Subject(shop, f"files-{count}", folder), name, size)
    results = series(cases, shop.options.rounds, shop.options.seed)
    shutil.rmtree(shop.path("files"))
    flat(report, "files", f"{size_text(size)} in several numbers of files.", "files", results, counts)


def add(cases, counts, subject, name, size):
    """Adds the three ways to hash a subject, and remembers how large it is."""
    for tool, case in ((OPENSSL, subject.openssl()), (BUILD, subject.build()), (VERIFY, subject.verify())):
        case.name = f"{tool}: {name}"
        cases.append(case)
    counts[name] = size


def flat(report, key, title, unit, results, counts):
    """Shows the costs for each GiB, and states that they are flat."""
    tools = [OPENSSL, BUILD, VERIFY]
    rows, costs = [], {}
    for name, size in counts.items():
        row = [name]
        for tool in tools:
            runs = results[f"{tool}: {name}"]
            costs[tool, name] = median(runs, "cpu") / size * GIB
            row += [f"{median(runs, 'wall') / size * GIB:.2f}", f"{costs[tool, name]:.2f}"]
        row.append(f"{max(peak(results[f'{tool}: {name}']) for tool in tools[1:]):.0f}")
        rows.append(row)
    heads = [unit] + [f"`{tool}` {what} s/GiB" for tool in tools for what in ("wall", "processor")] + ["peak MiB"]
    figures = [
        {"name": name, "size": size, "tools": {tool: results[f"{tool}: {name}"] for tool in tools}}
        for name, size in counts.items()
    ]
    report.table(key, title, heads, rows, figures)
    names = list(counts)
    for tool in tools[1:]:
        own = [costs[tool, name] for name in names]
        report.target(f"{tool}: processor s/GiB, {names[-1]} to {names[0]}", own[-1] / own[0], 1.15)
        memory = max(peak(results[f"{tool}: {name}"]) for name in names)
        report.target(f"{tool}: MiB resident, {unit} of every kind", memory, 64)
    report.say("")
