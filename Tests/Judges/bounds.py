"""Memory and time stay small, whatever a header claims and however large a file is."""
import os
import pickle
import random
import struct
import subprocess
import sys

from hostile import gguf, text
from report import cache


# A program begins with the peak of the one that starts it, so a small one starts and measures it.
MEASURE = """
import os, sys, time
start = time.monotonic()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                     file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                                   (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), time.monotonic() - start, usage.ru_maxrss / 1024)
"""


def measure(report, path, seconds, name):
    """Runs `inspect`, and compares its peak memory and its time with what is promised."""
    run = subprocess.run(
        [sys.executable, "-S", "-c", MEASURE, report.tool, "inspect", "--json", str(path)],
        capture_output=True, text=True, check=True,
    )
    code, taken, peak = int(run.stdout.split()[0]), *map(float, run.stdout.split()[1:])
    print(f"{name:40} exit {code}  {taken:6.2f} s  {peak:6.1f} MiB", flush=True)
    report.check(code in (0, 9), f"{name}: exit code {code}")
    report.check(peak <= 64, f"{name}: {peak:.1f} MiB")
    report.check(taken <= seconds, f"{name}: {taken:.2f} s")


def sparse(path, start, size):
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(size)


def wide_header(path):
    """A safetensors file whose header has 90 MB, of 800,000 tensors."""
    names = 800_000
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", 0))
        file.write(b"{")
        for index in range(names):
            entry = b'%s"model.layers.%07d.self_attn.q_proj.weight__%d":' % (b"," if index else b"", index, index % 10)
            file.write(entry + b'{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}' % (index, index + 1))
        file.write(b"}")
        length = file.tell() - 8
        file.write(b" " * (90_000_000 - length))
        length = file.tell() - 8
        file.write(b"\0" * names)
        file.seek(0)
        file.write(struct.pack("<Q", length))


def many_names(path):
    """A safetensors file with five million names beside its tensors."""
    entries = b",".join(b'"%d":""' % index for index in range(5_000_000))
    header = b'{"__metadata__":{' + entries + b'},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0")


def compare(report):
    cache.mkdir(parents=True, exist_ok=True)
    arch = (b"general.architecture", 8, text(b"llama"))
    path = cache / "large.gguf"
    size = 100 << 30
    count = size // 4 // 8 * 8 - 1_000
    sparse(path, gguf(keys=[arch], tensors=[(b"a", [count], 0, 0, 0)]), size)
    measure(report, path, 1, "GGUF of 100 GiB with one tensor")
    sparse(path, gguf(keys=[arch, (b"k", 9, struct.pack("<IQ", 8, 1 << 30))], tensors=[]), size)
    measure(report, path, 5, "GGUF of 100 GiB with 2^30 texts")
    sparse(path, gguf(keys=[arch], tensors=[], counts=(1 << 20, 1)), size)
    measure(report, path, 5, "GGUF of 100 GiB with 2^20 tensors")
    sparse(path, b"GGUF" + struct.pack("<IQQ", 3, 1 << 40, 1 << 40), 1 << 30)
    measure(report, path, 1, "GGUF of 1 GiB with a hostile header")
    path.unlink()
    path = cache / "wide.safetensors"
    wide_header(path)
    measure(report, path, 20, "safetensors with a header of 90 MB")
    path.unlink()
    path = cache / "names.safetensors"
    many_names(path)
    measure(report, path, 20, "safetensors with 5,000,000 names more")
    path.unlink()
    path = cache / "memory.pkl"
    for protocol in (2, 4):
        path.write_bytes(pickle.dumps({f"token {index}": index for index in range(4_000_000)}, protocol))
        measure(report, path, 20, f"pickle of 4,000,000 names, protocol {protocol}")
        report.check(report.code(path) is None, f"a pickle of protocol {protocol} is refused")
    path.unlink()
    generator = random.Random(1)
    starts = {".gguf": b"GGUF" + struct.pack("<IQQ", 3, 1_000, 1_000), ".safetensors": struct.pack("<Q", 1 << 20) + b"{",
              ".onnx": b"\x08\x08\x3a", ".tflite": struct.pack("<I", 64) + b"TFL3", ".mlmodel": b"\x08\x08\x12"}
    for suffix, start in starts.items():
        for filling in ("random", "repeated"):
            path = cache / f"garbage{suffix}"
            body = generator.randbytes(1 << 20) if filling == "random" else bytes(range(16)) * (1 << 16)
            path.write_bytes((start + body)[:1 << 20])
            measure(report, path, 1, f"1 MiB of {filling} bytes as {suffix}")
            path.unlink()
