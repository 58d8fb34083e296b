"""Memory and time stay small, whatever a header claims and however large a file is."""
import os
import random
import resource
import struct
import subprocess
import time

from hostile import gguf, text
from report import cache


def measure(report, path, seconds, name):
    """Runs `inspect`, and compares its peak memory and its time with what is promised."""
    pid = os.posix_spawn(
        report.tool, [report.tool, "inspect", "--json", str(path)], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                      (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)],
    )
    start = time.monotonic()
    _, status, usage = os.wait4(pid, 0)
    taken, peak = time.monotonic() - start, usage.ru_maxrss / 1024
    print(f"{name:40} exit {os.waitstatus_to_exitcode(status)}  {taken:6.2f} s  {peak:6.1f} MiB", flush=True)
    report.check(os.waitstatus_to_exitcode(status) in (0, 9), f"{name}: status {status}")
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
