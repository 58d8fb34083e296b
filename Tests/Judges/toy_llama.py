"""A small model that llama.cpp really loads, whole, cut, split and with a wrong vocabulary."""
import pathlib
import shutil

import judges
from report import cache

TOKENS, ROWS, WIDTH = 300, 300, 32
CUTS = 200
# What our verdict must be, and whether llama.cpp loads the file; None where builds differ.
CASES = {
    "whole": (None, True),
    "scores of bytes": ("badType", False),
    "5 scores": ("tokenizerMismatch", False),
    "9000 scores": (None, True),
    "a first token beyond the last": (None, True),
    "no tokens for bytes": (None, True),
    "200 tokens, 300 rows": ("tokenizerMismatch", False),
    "tokenizer zzz": ("unverified", False),
    "tokenizer gpt2 without merges": ("missingKey", False),
}


def tokens(count, has_bytes):
    names = ["<unk>", "<s>", "</s>"] + ([f"<0x{byte:02X}>" for byte in range(256)] if has_bytes else [])
    kinds = [2, 3, 3] + ([6] * 256 if has_bytes else [])
    names += [f"\u2581t{index}" for index in range(count - len(names))]
    return names[:count], (kinds + [1] * count)[:count]


def write(path, case="whole", seed=0, **options):
    """Writes a llama of one layer; `options` go to the writer, such as how to split."""
    import gguf
    import numpy as np
    writer = gguf.GGUFWriter(str(path), "llama", **options)
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(2 * WIDTH)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // 4)
    model = {"tokenizer zzz": "zzz", "tokenizer gpt2 without merges": "gpt2"}.get(case, "llama")
    names, kinds = tokens(200 if case.startswith("200") else TOKENS, case != "no tokens for bytes")
    writer.add_tokenizer_model(model)
    writer.add_token_list(names)
    count = {"5 scores": 5, "9000 scores": 9_000}.get(case, len(names))
    scores = [-float(index) for index in range(count)]
    if case == "scores of bytes":
        writer.add_key_value("tokenizer.ggml.scores", [1] * count, gguf.GGUFValueType.ARRAY, gguf.GGUFValueType.UINT8)
    else:
        writer.add_token_scores(scores)
    writer.add_token_types(kinds)
    writer.add_bos_token_id(99_999 if case.startswith("a first") else 1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    random = np.random.default_rng(seed)
    shapes = {"token_embd": (ROWS, WIDTH), "blk.0.attn_norm": (WIDTH,), "blk.0.ffn_norm": (WIDTH,)}
    shapes |= {f"blk.0.attn_{part}": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
    shapes |= {f"blk.0.ffn_{part}": (2 * WIDTH, WIDTH) for part in ("gate", "up")}
    shapes |= {"blk.0.ffn_down": (WIDTH, 2 * WIDTH), "output_norm": (WIDTH,), "output": (ROWS, WIDTH)}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.standard_normal(shape, dtype=np.float32) / 8)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def verdict(report, path):
    """The code of the refusal, `unverified` where not all could be checked, None for what is accepted."""
    code, summary, file = report.inspect(path)
    if code == 9:
        return summary["problems"][0]["code"]
    return "unverified" if file.get("unverified") else None


def show(name, ours, is_loaded):
    print(f"llama.cpp    {name:32} {ours or 'accepted':18} {'loaded' if is_loaded else 'refused'}", flush=True)


def compare_vocabularies(report, folder):
    for case, (expected, loads) in CASES.items():
        path = folder / "toy.gguf"
        write(path, case)
        ours, (is_loaded, words) = verdict(report, path), judges.load("llama.cpp", path)
        show(case, ours, is_loaded)
        report.check(ours == expected, f"toy model, {case}: {ours}, not {expected}")
        report.check(is_loaded == loads, f"toy model, {case}: llama.cpp {'loads' if is_loaded else words}")


def compare_cuts(report, folder):
    """At each of 200 points a cut is refused; of each tenth llama.cpp is asked too, and of what is longer."""
    path = folder / "toy.gguf"
    write(path)
    data, accepted = path.read_bytes(), []
    for step in range(CUTS):
        path.write_bytes(data[:len(data) * step // CUTS])
        if verdict(report, path) is None:
            accepted.append(path.stat().st_size)
        if step % 10 == 9:
            report.check(not judges.load("llama.cpp", path)[0], f"toy model, cut at {path.stat().st_size}: it loads")
    report.check(not accepted, f"toy model: accepted when it is cut at {accepted[:5]}")
    print(f"toy model: {CUTS - len(accepted)} of {CUTS} cuts refused", flush=True)
    for more in (1, 4_096):
        path.write_bytes(data + bytes(more))
        ours, (is_loaded, words) = verdict(report, path), judges.load("llama.cpp", path)
        show(f"{more} bytes more", ours, is_loaded)
        report.check(ours is None and is_loaded, f"toy model, {more} bytes more: {ours}, {words}")


def compare_shards(report, folder):
    """A set is accepted whole alone; what llama.cpp cannot tell, shards of another model, only digests do."""
    def make(name, seed):
        place = folder / name
        place.mkdir()
        write(place / "toy.gguf", seed=seed, split_max_tensors=4)
        return sorted(place.glob("*.gguf"))
    whole, other = make("whole", 0), make("other", 1)
    last = whole[-1].read_bytes()

    def check(name, expected, loads):
        code, summary, _ = report.inspect(folder / "whole")
        ours = summary["problems"][0]["code"] if code == 9 else None
        first = sorted((folder / "whole").glob("*.gguf"))[0]
        is_loaded, words = judges.load("llama.cpp", first)
        show(f"{len(whole)} shards, {name}", ours, is_loaded)
        report.check(ours == expected, f"shards, {name}: {ours}, not {expected}")
        report.check(is_loaded == loads, f"shards, {name}: llama.cpp {'loads' if is_loaded else words}")

    check("whole", None, True)
    whole[-1].write_bytes(last[:-40])
    check("the last one cut", "truncated", False)
    whole[-1].write_bytes(other[-1].read_bytes())
    check("one of another model", None, True)
    whole[-1].unlink()
    check("without the last one", "shardMismatch", False)
    whole[-1].write_bytes(last)
    for index, path in enumerate(whole):
        path.rename(path.with_name(f"renamed{index}.gguf"))
    check("renamed", "shardMismatch", False)


def compare(report):
    if not judges.exists("llama.cpp"):
        print("notice: llama.cpp is not here and judges no toy model")
        return
    folder = pathlib.Path(cache / "toy")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compare_vocabularies(report, folder)
    compare_cuts(report, folder)
    compare_shards(report, folder)
    shutil.rmtree(folder)
