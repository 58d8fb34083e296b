"""Measures install from mirrors on loopback beside other tools."""
import hashlib
import os
import shutil
import subprocess

from measure import Case, least, median, same_digest, series
from report import peak, processor, seconds
from words import GIB, MIB, call, fail, note
from workshop import Workshop, installed_file

# Three host names, so that no tool takes them for one mirror.
MIRRORS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
PARTS = ["peers", "sizes", "chunks", "small", "sparse"]
PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".cache", "peers", "bin", "python")


def main(options, report):
    with Workshop(options) as shop:
        for part in options.parts(PARTS, quick=["peers"]):
            {"peers": peers, "sizes": sizes, "chunks": chunks, "small": small, "sparse": sparse}[part](
                shop, report
            )


class Delivery:
    """A file that nginx serves on three addresses, and the ways to get it."""

    def __init__(self, shop, size, name="large"):
        self.shop = shop
        self.size = size
        self.name = name
        self.root = shop.path(f"served-{name}")
        self.file = os.path.join(self.root, "weights.bin")
        self.output = shop.path(f"output-{name}", "weights.bin")
        os.makedirs(os.path.dirname(self.output), exist_ok=True)
        shop.make_file(self.file, size)
        self.server = shop.serve(self.root, MIRRORS)
        self.urls = [f"{url}/weights.bin" for url in self.server.urls]

    def close(self):
        self.server.stop()
        shutil.rmtree(self.root)
        shutil.rmtree(os.path.dirname(self.output))

    def install(self, label, chunk=None):
        """Installs the file, cut into chunks of this length or as build cuts it."""
        name = f"{self.name}-{chunk or 0}"
        manifest = self.shop.manifest(self.file, name, self.server.urls, chunk)
        return Case(
            label,
            self.shop.install(manifest),
            clear=self.shop.clear_store,
            check=lambda: same_digest(installed_file(self.shop.store, "weights.bin"), self.file),
        )

    def peer(self, label, command):
        """A tool that writes the output file and leaves it to the kernel."""
        return Case(label, command, self.clear, lambda: same_digest(self.output, self.file), self.output)

    def clear(self):
        folder = os.path.dirname(self.output)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))

    def metalink(self):
        """A Metalink with all mirrors at one priority and pieces of 1 MiB (RFC 5854)."""
        pieces, whole = [], hashlib.sha256()
        with open(self.file, "rb") as file:
            while piece := file.read(MIB):
                whole.update(piece)
                pieces.append(f"<hash>{hashlib.sha256(piece).hexdigest()}</hash>")
        path = self.shop.path(f"{self.name}.meta4")
        urls = "".join(f'<url priority="1">{url}</url>' for url in self.urls)
        with open(path, "w", encoding="utf-8") as text:
            text.write(
                '<?xml version="1.0" encoding="UTF-8"?><metalink xmlns="urn:ietf:params:xml:ns:metalink">'
                f'<file name="weights.bin"><size>{self.size}</size>'
                f'<hash type="sha-256">{whole.hexdigest()}</hash>'
                f'<pieces length="{MIB}" type="sha-256">{"".join(pieces)}</pieces>{urls}</file></metalink>'
            )
        return path


def aria2(delivery, metalink, *options):
    command = (
        "aria2c -q --no-conf --allow-overwrite=true --auto-file-renaming=false --file-allocation=none "
        "--min-split-size=1M"
    ).split()
    folder = os.path.dirname(delivery.output)
    return command + ["-d", folder, *options, "-M", metalink]


def peers(shop, report):
    """The table of the README: one large file, three mirrors, every tool."""
    delivery = Delivery(shop, shop.options.size)
    meta4 = delivery.metalink()
    check_shares(delivery, meta4)
    file, output, url = delivery.file, delivery.output, delivery.urls[0]
    hash_too = 'set -e; "$@"; openssl dgst -sha256 "$0" >/dev/null'
    cases = [
        delivery.install("sealift install, 1 MiB chunks", MIB),
        delivery.install("sealift install, 16 MiB chunks", 16 * MIB),
        delivery.peer("aria2c, Metalink, -x2 -s6", aria2(delivery, meta4, "-x2", "-s6")),
        delivery.peer("aria2c, Metalink, -x4 -s12", aria2(delivery, meta4, "-x4", "-s12")),
        delivery.peer("curl -o", ["curl", "-sf", "-o", output, url]),
        delivery.peer(
            "curl -o; openssl dgst", ["sh", "-c", hash_too, output, "curl", "-sf", "-o", output, url]
        ),
    ]
    if shutil.which("wget2"):
        cases.append(delivery.peer("wget2", ["wget2", "-q", "--no-config", "-O", output, url]))
    if has_hf_transfer():
        script = "import sys, hf_transfer; hf_transfer.download(sys.argv[1], sys.argv[2], 8, 10485760)"
        fetch = [PEERS, "-c", script, url, output]
        cases.append(
            delivery.peer("hf_transfer; openssl dgst", ["sh", "-c", hash_too, output] + fetch)
        )
    cases.append(Case("openssl dgst -sha256", ["openssl", "dgst", "-sha256", file]))
    options = shop.options
    results = series(cases, options.rounds, options.seed, delivery.server)
    delivery.close()

    best = min((name for name in results if "aria2c" in name), key=lambda name: median(results[name], "wall"))
    rows = [
        [
            f"`{name}`",
            seconds(runs, "wall"),
            seconds(runs, "cpu"),
            f"{median(runs, 'server'):.2f}",
            f"{peak(runs):.0f}",
            f"{median(runs, 'wall') / median(results[best], 'wall'):.2f}",
            f"{median(runs, 'cpu') / median(results[best], 'cpu'):.2f}",
        ]
        for name, runs in results.items()
    ]
    report.table(
        "peers",
        f"A file of {options.size / GIB:g} GiB from nginx on three loopback addresses to a synced file: medians "
        f"(minima) of {options.rounds} interleaved rounds. Processor seconds are those of the whole client; `{best}` is "
        "the better of the two. sealift verifies each chunk as it comes and again as it lies on disk.",
        ["", "durable s", "processor s", "nginx s", "peak MiB", "wall / aria2", "processor / aria2"],
        rows,
        {"versions": versions(), "results": results},
    )
    _, has = processor()
    limit = 0.6 if "AVX2" in has or "AVX-512" in has else 0.8
    for name in results:
        if "sealift" not in name:
            continue
        runs = results[name]
        wall, cpu = median(runs, "wall"), median(runs, "cpu")
        report.target(f"{name}: wall time of aria2c", wall / median(results[best], "wall"), 0.5)
        report.target(f"{name}: processor time of aria2c", cpu / median(results[best], "cpu"), limit)
        report.target(f"{name}: wall time of curl", wall / median(results["curl -o"], "wall"), 0.8)
        report.target(f"{name}: MiB resident", peak(runs), 64)


def check_shares(delivery, metalink):
    """Fails unless aria2 really uses all three mirrors: what it did not would be no fair peer."""
    server = delivery.shop.serve(delivery.root, MIRRORS, log=True)
    with open(metalink, encoding="utf-8") as text:
        moved = text.read().replace(f":{delivery.server.port}/", f":{server.port}/")
    path = metalink + ".check"
    with open(path, "w", encoding="utf-8") as output:
        output.write(moved)
    call(aria2(delivery, path, "-x4", "-s12"))
    delivery.clear()
    server.stop()
    shares = dict.fromkeys(MIRRORS, 0)
    with open(server.log, encoding="utf-8") as log:
        for line in log:
            address, count = line.split()
            shares[address] += int(count)
    total = sum(shares.values())
    note("aria2c takes " + ", ".join(f"{share / total:.0%} from {name}" for name, share in shares.items()))
    if delivery.size >= 256 * MIB and min(shares.values()) < 0.05 * total:
        fail("aria2c does not use all three mirrors")


def has_hf_transfer():
    if not os.path.exists(PEERS):
        return False
    return subprocess.run([PEERS, "-c", "import hf_transfer"], check=False, capture_output=True).returncode == 0


def versions():
    """The first lines in which the peers tell their versions."""
    found = {}
    for name in ("aria2c", "curl", "wget2", "openssl"):
        if shutil.which(name):
            flag = "version" if name == "openssl" else "--version"
            found[name] = call([name, flag]).decode().splitlines()[0]
    if has_hf_transfer():
        script = "import importlib.metadata as m; print(m.version('hf_transfer'))"
        found["hf_transfer"] = call([PEERS, "-c", script]).decode().strip()
    return found


def compare(shop, report, key, title, unit, labelled):
    """Installs several deliveries in turn, and states that the costs for each GiB are flat."""
    cases, sizes_of = [], {}
    for label, delivery, chunk in labelled:
        case = delivery.install(label, chunk)
        cases.append(case)
        sizes_of[label] = delivery.size
    results = series(cases, shop.options.rounds, shop.options.seed)
    rows, costs = [], {}
    for label, runs in results.items():
        size = sizes_of[label] / GIB
        costs[label] = (median(runs, "wall") / size, median(runs, "cpu") / size)
        rows.append(
            [
                label,
                f"{size / (median(runs, 'wall')) * 1024:.0f}",
                f"{costs[label][1]:.2f} ({least(runs, 'cpu') / size:.2f})",
                f"{peak(runs):.0f}",
            ]
        )
    report.table(key, title, [unit, "MiB/s, durable", "processor s/GiB", "peak MiB"], rows, results)
    walls, cpus = [cost[0] for cost in costs.values()], [cost[1] for cost in costs.values()]
    labels = list(costs)
    report.target(f"processor s/GiB, {labels[-1]} to {labels[0]}", cpus[-1] / cpus[0], 1.15)
    report.target(f"wall s/GiB, {labels[-1]} to {labels[0]}", walls[-1] / walls[0], 1.15)
    for label, runs in results.items():
        report.target(f"{label}: MiB resident", peak(runs), 64)


def sizes(shop, report):
    """Files of an eighth, a half and the double of --size: 0.25, 1 and 4 GiB."""
    deliveries = [
        (f"{size / GIB:g} GiB", Delivery(shop, size, f"size-{index}"), MIB)
        for index, size in enumerate(shop.options.size * factor // 8 for factor in (1, 4, 16))
    ]
    title = "Files of several sizes in chunks of 1 MiB: the costs for each GiB do not grow."
    compare(shop, report, "sizes", title, "file", deliveries)
    for _, delivery, _ in deliveries:
        delivery.close()


def chunks(shop, report):
    """One file of half of --size in few and in many chunks."""
    delivery = Delivery(shop, shop.options.size // 2, "chunks")
    cuts = [16 * MIB, MIB, 64 << 10]
    labelled = [(f"{-(-delivery.size // cut):,} chunks", delivery, cut) for cut in cuts]
    title = f"A file of {delivery.size / GIB:g} GiB in several numbers of chunks."
    compare(shop, report, "chunks", title, "chunks", labelled)
    delivery.close()


def small(shop, report, count=2000):
    """Many small files beside curl --parallel."""
    root, output = shop.path("served-small"), shop.path("output-small")
    os.makedirs(output)
    whole = shop.path("small.bin")
    shop.make_file(whole, count * 4096)
    os.makedirs(root)
    with open(whole, "rb") as bytes_of_all:
        for index in range(count):
            with open(os.path.join(root, f"{index:04}.bin"), "wb") as file:
                file.write(bytes_of_all.read(2048 + index % 2048))
    server = shop.serve(root, MIRRORS)
    manifest = shop.manifest(root, "small", server.urls)
    listing = shop.path("small.curl")
    with open(listing, "w", encoding="utf-8") as text:
        for index in range(count):
            url = server.urls[index % len(server.urls)]
            text.write(f'url = "{url}/{index:04}.bin"\noutput = "{output}/{index:04}.bin"\n')

    def clear():
        for name in os.listdir(output):
            os.remove(os.path.join(output, name))

    def check():
        files = os.path.dirname(installed_file(shop.store, "0000.bin"))
        call(["diff", "-rq", files, root])

    results = series(
        [
            Case("sealift install", shop.install(manifest), shop.clear_store, check),
            Case(
                "curl --parallel",
                ["curl", "-sf", "--parallel", "--parallel-max", "8", "-K", listing],
                clear,
                lambda: call(["diff", "-rq", output, root]),
                output,
            ),
        ],
        shop.options.rounds,
        shop.options.seed,
    )
    rows = [
        [
            f"`{name}`",
            seconds(runs, "wall"),
            f"{count / median(runs, 'wall'):.0f}",
            f"{median(runs, 'cpu'):.2f}",
            f"{peak(runs):.0f}",
        ]
        for name, runs in results.items()
    ]
    title = f"{count:,} files of 2 to 4 KiB; sealift verifies and syncs each, curl's are synced after it."
    report.table("small", title, ["", "durable s", "files/s", "processor s", "peak MiB"], rows, results)
    report.target("small files: MiB resident", peak(results["sealift install"]), 64)


def sparse(shop, report):
    """A file of four times --size that is mostly holes: 8 GiB."""
    size = shop.options.size * 4
    root = shop.path("served-sparse")
    file = os.path.join(root, "weights.bin")
    shop.make_sparse_file(file, size)
    server = shop.serve(root, MIRRORS)
    manifest = shop.manifest(file, "sparse", server.urls)
    case = Case(
        "sealift install",
        shop.install(manifest),
        shop.clear_store,
        lambda: same_digest(installed_file(shop.store, "weights.bin"), file),
    )
    runs = series([case], 1, shop.options.seed)[case.name]
    row = [f"{median(runs, 'wall'):.1f}", f"{median(runs, 'cpu'):.1f}", f"{peak(runs):.0f}"]
    title = f"One file of {size / GIB:g} GiB that is mostly zeros."
    report.table("sparse", title, ["durable s", "processor s", "peak MiB"], [row], runs)
    report.target("sparse file: MiB resident", peak(runs), 64)
