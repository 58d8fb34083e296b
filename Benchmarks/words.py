"""What the benchmarks say besides their tables, and how sizes are read and written."""
import subprocess
import sys

MIB = 1 << 20
GIB = 1 << 30


def fail(message):
    sys.exit(f"benchmark: error: {message}")


def note(message):
    print(f"benchmark: {message}", file=sys.stderr, flush=True)


def byte_count(text):
    """Reads 268435456, 256M or 2G."""
    units = {"K": 1 << 10, "M": MIB, "G": GIB}
    unit = units.get(text[-1:].upper(), 1)
    return int(float(text[:-1] if unit > 1 else text) * unit)


def size_text(count):
    """Writes 64 MiB or 2 GiB."""
    return f"{count / GIB:g} GiB" if count >= GIB else f"{count / MIB:g} MiB"


def call(command):
    """Runs a command that must succeed and is not measured; returns what it wrote."""
    outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if outcome.returncode:
        sys.stderr.buffer.write(outcome.stderr)
        fail(f"{' '.join(command[:3])} ended with {outcome.returncode}")
    return outcome.stdout
