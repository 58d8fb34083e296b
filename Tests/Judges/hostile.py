"""Files that were made wrong on purpose: never accept what a runtime rejects as corrupt."""
import json
import struct

import judges
from report import cache


def gguf(version=3, keys=None, tensors=((b"a", [8], 0, 0, 32),), alignment=32, end=b"", counts=None):
    keys = [(b"general.architecture", 8, text(b"llama"))] if keys is None else keys
    out = b"GGUF" + struct.pack("<IQQ", version, *(counts or (len(tensors), len(keys))))
    for name, kind, value in keys:
        out += text(name) + struct.pack("<I", kind & 0xFFFFFFFF) + value
    for name, dims, kind, offset, _ in tensors:
        out += text(name) + struct.pack("<I", len(dims)) + b"".join(struct.pack("<Q", d & (2**64 - 1)) for d in dims)
        out += struct.pack("<IQ", kind & 0xFFFFFFFF, offset & (2**64 - 1))
    out += b"\0" * (-len(out) % alignment)
    for *_, size in tensors:
        out += b"\x07" * size + b"\0" * (-size % alignment)
    return out + end


def text(data):
    return struct.pack("<Q", len(data)) + data


def array(kind, count, data=b""):
    return struct.pack("<IQ", kind, count) + data


def gguf_cases():
    """Headers alone, which llama.cpp refuses before it asks for the tensors of a model."""
    arch = (b"general.architecture", 8, text(b"llama"))
    def key(kind, value, name=b"k"):
        return gguf(keys=[arch, (name, kind, value)])
    def tensor(name=b"a", dims=(8,), kind=0, offset=0):
        return gguf(tensors=[(name, list(dims), kind, offset, 32)])
    yield "2^62 tensors", gguf(counts=(2**62, 1))
    yield "2^62 keys", gguf(counts=(1, 2**62))
    yield "string 2^40", key(8, struct.pack("<Q", 2**40))
    yield "array 2^61", key(9, array(10, 2**61))
    yield "array of arrays", key(9, array(9, 0))
    yield "type 13", key(13, b"")
    yield "empty key", key(0, b"\1", b"")
    yield "same key", gguf(keys=[arch, arch])
    for alignment in (0, 3, 2**31):
        yield f"alignment {alignment}", key(4, struct.pack("<I", alignment), b"general.alignment")
    yield "alignment i32", key(5, struct.pack("<i", 32), b"general.alignment")
    yield "name of 64", tensor(b"x" * 64)
    yield "same tensor", gguf(tensors=[(b"a", [8], 0, 0, 32), (b"a", [8], 0, 32, 32)])
    yield "5 dims", tensor(dims=(8, 1, 1, 1, 1))
    yield "dim -1", tensor(dims=(-1,))
    yield "2^32 x 2^32", tensor(dims=(2**32, 2**32))
    for kind in (4, 31, 36, -1):
        yield f"tensor type {kind}", tensor(kind=kind)
    yield "ne0 31", tensor(dims=(31,), kind=2)
    for offset in (32, -32):
        yield f"offset {offset}", tensor(offset=offset)
    yield "no architecture", gguf(keys=[])
    yield "cut data", gguf()[:-1]
    for version in (0, 1):
        yield f"version {version}", gguf(version=version)


def safetensors(header, data=b"\0" * 8, pad=b" "):
    header = header if isinstance(header, bytes) else json.dumps(header).encode()
    header += pad * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data


def safetensors_cases():
    def entry(dtype="F32", shape=(2,), offsets=(0, 8), **more):
        return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets), **more}
    one = safetensors({"a": entry()})
    yield "right", one
    for size in (1, 4, 8, 20, len(one) - 9, len(one) - 8, len(one) - 1):
        yield f"cut at {size}", one[:size]
    yield "one byte more", one + b"\0"
    yield "leading space", safetensors(b' {"a":' + json.dumps(entry()).encode() + b"}")
    field = json.dumps(entry())
    yield "tensor twice", safetensors(f'{{"a":{field},"a":{field}}}'.encode())
    yield "hole", safetensors({"a": entry(), "b": entry(offsets=(16, 24))}, b"\0" * 24)
    yield "not at 0", safetensors({"a": entry(offsets=(8, 16))}, b"\0" * 16)
    yield "overlap", safetensors({"a": entry(), "b": entry(offsets=(4, 12))}, b"\0" * 12)
    yield "shape", safetensors({"a": entry(shape=(3,))})
    yield "2^32 x 2^32", safetensors({"a": entry(shape=(2**32, 2**32))})
    yield "dtype", safetensors({"a": entry("Q4_0")})
    yield "field", safetensors({"a": entry(x=1)})
    yield "metadata number", safetensors({"__metadata__": {"a": 1}, "b": entry()})
    yield "N 2^63", struct.pack("<Q", 2**63) + b"{}"
    yield "scalar", safetensors({"a": entry("F64", (), (0, 8))})
    yield "not aligned", struct.pack("<Q", len(field) + 7) + f'{{"a": {field}}}'.encode() + b"\0" * 8
    yield "deep", safetensors(b'{"__metadata__":{"a":' + b"[" * 200)
    yield "newlines", safetensors({"a": entry()}, pad=b"\n")
    yield "empty", safetensors(b"{}", b"")
    yield "shape 2.0", safetensors({"a": entry(shape=(2.0,))})
    yield "shape -2", safetensors({"a": entry(shape=(-2,))})
    for dtype in ("F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "BOOL", "C64"):
        yield dtype, safetensors({"a": entry(dtype, (1 if dtype == "C64" else 8,))})


def compare(report):
    groups = [("safetensors", ".safetensors", safetensors_cases(), True), ("llama.cpp", ".gguf", gguf_cases(), False)]
    for runtime, suffix, cases, loads_right_ones in groups:
        if not judges.exists(runtime):
            print(f"notice: {runtime} is not here and judges nothing")
            continue
        for name, data in cases:
            path = cache / f"hostile{suffix}"
            path.write_bytes(data)
            code = report.code(path)
            is_loaded, words = judges.load(runtime, path)
            if is_loaded and code:
                report.stricter_than(runtime, name, code)
            # llama.cpp refuses these headers for want of a whole model too, so that only ours counts.
            holds = code is not None if not loads_right_ones else is_loaded or code is not None
            report.check(holds, f"{name} is accepted, and {runtime} says: {words}")
            print(f"{runtime:12} {name:20} {code or 'accepted':18} {'loaded' if is_loaded else 'refused'}", flush=True)
        path.unlink()
