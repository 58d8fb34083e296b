"""Measures the commands that read and change a store."""
import os
import shutil

from measure import Case, median, series
from report import milliseconds, peak
from words import MIB, call, size_text
from workshop import Workshop

PARTS = ["models", "changes", "damage"]
# What a start of any program costs here.
NOTHING = "true"


def main(options, report):
    for part in options.parts(PARTS):
        with Workshop(options) as shop:
            {"models": models, "changes": changes, "damage": damage}[part](shop, report)


class Model:
    """A model with two versions of three files, of which the second is active."""

    def __init__(self, shop, name, size):
        self.shop = shop
        self.name = f"bench/{name}"
        self.manifests = {}
        for index, version in enumerate(("1.0.0", "1.1.0")):
            folder = shop.path("releases", name, version)
            lengths = {"weights.bin": size, "tokenizer.bin": 4096, "notes.bin": 512}
            for place, (file, length) in enumerate(lengths.items()):
                shop.make_file(os.path.join(folder, file), length, f"{index * 8 + place:032x}")
            mirror = f"file://{folder}"
            self.manifests[version] = shop.manifest(folder, name, [mirror], version=version)
            self.install(version)

    def install(self, version, *options):
        call(self.shop.install(self.manifests[version], *options))

    def client(self, *words):
        return self.shop.client(*words)

    def activate(self, version):
        call(self.client("activate", f"{self.name}@{version}", "--allow-downgrade"))

    def files(self, version):
        """The folder of the files of a version."""
        folder = self.shop.path("store", "models", self.name.replace("/", "+"), "versions")
        found = next(entry for entry in os.listdir(folder) if entry.startswith(f"{version}-"))
        return os.path.join(folder, found, "files")

    def damage(self, version):
        """Changes one bit of the weights, whose stamp then no longer proves them."""
        path = os.path.join(self.files(version), "weights.bin")
        os.chmod(path, 0o644)
        with open(path, "r+b") as file:
            file.seek(4096)
            byte = file.read(1)
            file.seek(4096)
            file.write(bytes([byte[0] ^ 1]))
        os.chmod(path, 0o444)


def measured(shop, cases, repeats=10):
    """Short commands: many times each, with nothing between them; the first that fails ends it all."""
    if shop.options.quick:
        repeats = max(1, repeats // 4)
    return series(cases, shop.options.rounds, shop.options.seed, repeats=repeats)


def show(report, key, title, results):
    rows = [
        [f"`{name}`", milliseconds(runs, "wall"), milliseconds(runs, "cpu"), f"{peak(runs):.1f}"]
        for name, runs in results.items()
    ]
    report.table(key, title, ["", "ms", "processor ms", "peak MiB"], rows, results)


def models(shop, report):
    """What is asked of a store often, with 1, 20 and 100 models in it."""
    counts = [1, 20] if shop.options.quick else [1, 20, 100]
    results, made = {}, []
    for count in counts:
        while len(made) < count:
            made.append(Model(shop, f"m{len(made)}", 64 << 10))
        first = made[0]
        cases = [
            Case("sealift status", first.client("status"), settles=False),
            Case("sealift list", first.client("list"), settles=False),
            Case("sealift status MODEL", first.client("status", first.name), settles=False),
            Case("sealift path MODEL", first.client("path", first.name), settles=False),
            Case("sealift exec MODEL -- true", first.client("exec", first.name, "--", "true"), settles=False),
            Case("sealift doctor", first.client("doctor"), settles=False),
            Case("sealift gc --dry-run", first.client("gc", "--dry-run"), settles=False),
            Case(NOTHING, ["true"], settles=False),
        ]
        results[count] = measured(shop, cases)
    names = list(results[counts[0]])
    rows = [
        [f"`{name}`"]
        + [milliseconds(results[count][name], "wall") for count in counts]
        + [f"{median(results[counts[-1]][name], 'cpu') * 1e3:.1f}", f"{peak(results[counts[-1]][name]):.1f}"]
        for name in names
    ]
    many = f"with {counts[-1]}"
    report.table(
        "models",
        "Stores of several numbers of models, of two versions each: milliseconds on the wall, medians (minima).",
        [""] + [f"{count} model" + ("s" if count > 1 else "") for count in counts]
        + [f"processor ms {many}", f"peak MiB {many}"],
        rows,
        {str(count): results[count] for count in counts},
    )
    report.target("sealift status, ms with 20 models", median(results[20]["sealift status"], "wall") * 1e3, 30)
    report.say("")


def changes(shop, report):
    """Changes of the active version, of a small model and of a large one, and of the store."""
    size = shop.options.size // 8
    small, large = Model(shop, "small", 64 << 10), Model(shop, "large", size)
    cases = []
    for label, model in (("64 KiB", small), (size_text(size), large)):
        old = f"{model.name}@1.0.0"
        cases += [
            Case(
                f"sealift activate, {label}",
                model.client("activate", old, "--allow-downgrade"),
                prepare=lambda model=model: with_old(model),
                settles=False,
            ),
            Case(
                f"sealift rollback, {label}",
                model.client("rollback", model.name),
                prepare=lambda model=model: (with_old(model), model.activate("1.0.0"), model.activate("1.1.0")),
                settles=False,
            ),
            Case(
                f"sealift remove, {label}",
                model.client("remove", old),
                prepare=lambda model=model: with_old(model),
                settles=False,
            ),
        ]
    cases.append(
        Case(
            f"sealift gc, of {label} in the trash",
            large.client("gc"),
            prepare=lambda: (with_old(large), call(large.client("remove", f"{large.name}@1.0.0"))),
            settles=False,
        )
    )
    results = measured(shop, cases, repeats=4)
    title = "Changes, each durable when the command ends; activation reads what its stamp does not prove."
    show(report, "changes", title, results)


def with_old(model):
    """Sees to it that the first version is there beside the second, which is active."""
    model.install("1.0.0", "--no-activate")
    model.activate("1.1.0")


def damage(shop, report):
    """A model whose active version was damaged, among others."""
    size = shop.options.size // 8
    for index in range(5 if shop.options.quick else 20):
        Model(shop, f"m{index}", 64 << 10)
    hurt = Model(shop, "hurt", size)

    def prepare():
        hurt.install("1.0.0", "--no-activate")
        hurt.install("1.1.0", "--no-activate")
        hurt.activate("1.0.0")
        hurt.activate("1.1.0")
        hurt.damage("1.1.0")

    def check():
        wanted = os.path.realpath(hurt.files("1.0.0"))
        found = call(hurt.client("path", hurt.name)).decode().strip()
        assert os.path.realpath(found) == wanted, "the version before the damaged one is active"

    # The damaged version stays, as the one before the active one now, and 10 says so.
    repair = hurt.client("doctor", "--fix")
    reference = os.path.join(hurt.files("1.0.0"), "weights.bin")
    results = measured(
        shop,
        [
            Case("sealift doctor --fix", repair, prepare=prepare, check=check, settles=False, expected=10),
            Case("openssl dgst -sha256", ["openssl", "dgst", "-sha256", reference], settles=False),
        ],
        repeats=2,
    )
    shutil.rmtree(shop.path("releases"))
    title = (
        f"A bit of the active version of {size_text(size)} is wrong: the version before it is read byte for byte and made "
        "active; the damaged one stays, and is told. openssl hashes one of the two."
    )
    show(report, "damage", title, results)
    report.target("doctor --fix: MiB resident", max(run["memory"] for run in results["sealift doctor --fix"]) / MIB, 64)
    report.say("")
