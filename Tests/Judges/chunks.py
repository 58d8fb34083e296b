"""A longer chat template leaves the chunks of the tensors as they are."""
import base64
import json
import struct
import subprocess

from hostile import gguf, text
from report import cache

size = 500 << 20


def write(path, template):
    """A GGUF file of 500 MB in tensors of uneven sizes."""
    keys = [(b"general.architecture", 8, text(b"llama")), (b"tokenizer.chat_template", 8, text(template))]
    tensors, offset = [], 0
    sizes = [4_096 * 4_096 // 2, 4_096 * 11_008 // 2, 4_096 * 4, 128_256 * 64]
    while offset < size:
        count = sizes[len(tensors) % len(sizes)] // 32 * 8
        tensors.append((b"blk.%d.w" % len(tensors), [count], 0, offset, 0))
        offset += count * 4
    with open(path, "wb") as file:
        file.write(gguf(keys=keys, tensors=tensors))
        for index, tensor in enumerate(tensors):
            file.write(struct.pack("<Q", index * 2_654_435_761 % 2**64) * (tensor[1][0] * 4 // 8))


def chunks(report, path):
    output = path.with_suffix(".json")
    output.unlink(missing_ok=True)
    subprocess.run(
        [report.tool, "build", path, "--model", "m", "--version", "1.0.0", "--output", output, "--quiet"],
        check=True, capture_output=True,
    )
    payload = json.loads(base64.b64decode(json.loads(output.read_text())["payload"]))
    table = base64.b64decode(payload["predicate"]["files"][path.name]["chunks"])
    return [(int.from_bytes(table[at:at + 4], "big"), table[at + 4:at + 36]) for at in range(0, len(table), 36)]


def compare(report):
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / "template.gguf"
    template = b"{{ messages }}" * 100
    write(path, template)
    before = chunks(report, path)
    data = report.inspect(path)[2]["format"]["dataOffset"]
    write(path, template + b"x" * 500)
    after = chunks(report, path)
    path.unlink()
    known = {digest for _, digest in before}
    shared = sum(length for length, digest in after if digest in known)
    total = sum(length for length, _ in after)
    again = [length for length, digest in after if digest not in known]
    print(f"{len(before)} chunks before, {len(after)} after; {shared} of {total} bytes shared")
    report.check(sum(again) < data + 1_000, f"{sum(again)} bytes would be fetched again, and the header has {data}")
