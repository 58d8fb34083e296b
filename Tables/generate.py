"""Writes the table of llama.cpp builds as Swift, from Tables/llama.cpp.json; scripts/generate-runtime-tables runs it.

The JSON file holds, for each name that llama.cpp knows, the first build whose source has it (`min`) and the
first one that no longer has it (`below`).
"""
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
table = root / "Tables/llama.cpp.json"
output = root / "Sources/ModelFormats/Runtimes/LlamaCppTable.swift"


def taken(path):
    """The facts of a table that names are collected in, as our own table has them."""
    facts = json.loads(pathlib.Path(path).read_text())

    def builds(entry):
        if isinstance(entry, int):
            return {"min": entry}
        known = {"min": entry.get("min", entry.get("minBuild"))}
        if "removedIn" in entry:
            known["below"] = entry["removedIn"]
        return known

    kinds = {
        "versions": {name.removeprefix("v"): builds(entry) for name, entry in facts["gguf"].items()},
        "tensorTypes": {
            number: {"name": entry["name"], **builds(entry)}
            | {key: entry[key] for key in ("block", "bytes") if key in entry}
            for number, entry in facts["ggmlTypes"].items()
        },
    }
    for ours, theirs in [
        ("architectures", "architectures"),
        ("tokenizers", "tokenizerModel"),
        ("preTokenizers", "tokenizerPre"),
        ("projectors", "clipProjector"),
    ]:
        kinds[ours] = {name: builds(entry) for name, entry in sorted(facts[theirs].items())}
    # Recorded with a wrong build: the name was there earlier, in code that was renamed.
    kinds["tokenizers"].pop("no_vocab", None)
    features = facts["features"]
    kinds["features"] = {"split": {"min": features["split"]}, "adapter": {"min": features["loraGguf"]}}
    kinds["source"] = facts["source"]
    return kinds


def take(path):
    """Carries over the facts of another table."""
    kinds = taken(path)
    table.parent.mkdir(exist_ok=True)
    lines = ",\n".join(
        f'  "{kind}": ' + (
            json.dumps(entries) if isinstance(entries, str)
            else "{\n" + ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in entries.items()) + "\n  }"
        )
        for kind, entries in kinds.items()
    )
    table.write_text("{\n" + lines + "\n}\n")


def differences(own, other):
    """What two tables say differently, one line each."""
    for kind in sorted(own.keys() | other.keys()):
        left, right = own.get(kind, {}), other.get(kind, {})
        if isinstance(left, str) or isinstance(right, str):
            if left != right:
                yield f"{kind}: {left} / {right}"
            continue
        for name in sorted(left.keys() | right.keys()):
            if left.get(name) != right.get(name):
                yield f"{kind} {name}: {left.get(name)} / {right.get(name)}"


def faults(facts):
    """What no history can be: names without builds, types without a size, an end that is not after the start."""
    for kind, entries in facts.items():
        if kind == "source":
            continue
        for name, entry in entries.items():
            first, below = entry.get("min"), entry.get("below")
            if not name or type(first) is not int or not 0 < first < 10**9:
                yield f"{kind} {name}: no first build"
            # Two types were gone before the format came, so that they are in no file.
            elif below is not None and below <= first and (kind, name) not in {("tensorTypes", "4"), ("tensorTypes", "5")}:
                yield f"{kind} {name}: dropped in b{below}, before it came in b{first}"
            if kind == "tensorTypes" and ("below" in entry) == ("block" in entry and "bytes" in entry):
                yield f"{kind} {name}: a size and an end, or neither"
    names = [entry["name"] for entry in facts["tensorTypes"].values()]
    yield from (f"tensorTypes: {name} twice" for name in sorted(set(names)) if names.count(name) > 1)


def builds(entry):
    below = f", below: {entry['below']}" if "below" in entry else ""
    return f"BuildRange({entry['min']}{below})"


def dictionary(name, comment, key, value, entries):
    rows = "".join(f"    {k}: {v},\n" for k, v in entries)
    return f"  /// {comment}\n  static let {name}: [{key}: {value}] = [\n{rows}  ]\n"


def text(facts):
    parts = []
    named = [
        ("architectures", "By `general.architecture`."),
        ("tokenizers", "By `tokenizer.ggml.model`."),
        ("preTokenizers", "By `tokenizer.ggml.pre`."),
        ("projectors", "By the type of a projector."),
    ]
    parts.append(
        dictionary(
            "versions",
            "By the version of the format.",
            "UInt32",
            "BuildRange",
            [(n, builds(e)) for n, e in sorted(facts["versions"].items(), key=lambda item: int(item[0]))],
        )
    )
    types = []
    for number, entry in sorted(facts["tensorTypes"].items(), key=lambda item: int(item[0])):
        size = f", block: {entry['block']}, bytes: {entry['bytes']}" if "block" in entry else ""
        types.append((number, f'TensorType("{entry["name"]}", {builds(entry)}{size})'))
    parts.append(dictionary("tensorTypes", "By the number of the type.", "Int32", "TensorType", types))
    for name, comment in named:
        rows = [(json.dumps(n), builds(e)) for n, e in sorted(facts[name].items())]
        parts.append(dictionary(name, comment, "String", "BuildRange", rows))
    features = facts["features"]
    parts.append(
        "  /// Models in several files.\n"
        f"  static let split = {builds(features['split'])}\n\n"
        "  /// LoRA adapters in this format.\n"
        f"  static let adapter = {builds(features['adapter'])}\n"
    )
    return (
        "// Written by scripts/generate-runtime-tables from Tables/llama.cpp.json; do not edit.\n\n"
        "/// The builds of llama.cpp that know a name, from its history.\n///\n"
        "/// Lower bounds: a build that knows a name may still have it wrong.\n"
        "enum LlamaCppTable {\n" + "\n".join(parts) + "}\n"
    )


def stop(*lines):
    sys.exit("\n".join(f"generate-runtime-tables: error: {line}" for line in lines))


arguments = sys.argv[1:]
if arguments[:1] == ["--take"] and len(arguments) == 2:
    take(arguments[1])
    arguments = []
facts = json.loads(table.read_text())
if found := list(faults(facts)):
    stop(*found)
wanted = text(facts)
if arguments[:1] == ["--check"] and len(arguments) <= 2:
    if output.read_text() != wanted:
        stop(f"{output} is not what {table} says; run this script")
    if found := [line for path in arguments[1:] for line in differences(facts, taken(path))]:
        stop(*found[:50])
elif arguments:
    sys.exit("usage: scripts/generate-runtime-tables [--check [FILE] | --take FILE]")
else:
    output.write_text(wanted)
