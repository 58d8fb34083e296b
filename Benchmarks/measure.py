"""Runs of commands that are measured."""
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from words import call, fail, note


class Launcher:
    """Runs commands by way of a small C program that is compiled here; to be used with `with`."""

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="sealift-launch-")
        self.program = os.path.join(self.holder.name, "launch")
        compile_c(os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.c"), self.program)
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def run(self, command, expected=0):
        """Runs a command that must end so; returns its wall and processor seconds and its peak memory in bytes."""
        outcome = subprocess.run(
            [self.program, *command], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if outcome.returncode != expected:
            sys.stderr.buffer.write(outcome.stderr)
            fail(f"{' '.join(command[:3])} ended with {outcome.returncode}")
        wall, cpu, memory = (int(word) for word in outcome.stdout.split())
        return {"wall": wall / 1e9, "cpu": cpu / 1e9, "memory": memory * 1024}


def compile_c(source, program, *options):
    compiler = shutil.which("clang") or shutil.which("cc") or fail("there is no C compiler")
    call([compiler, "-O2", "-o", program, source, *options])


class Case:
    """One command of a series.

    `prepare` makes the state that the command is to find, `clear` forgets what it made, `check` compares what it made,
    and `output` names what the command leaves in the page cache alone: syncing it counts as the command's time.
    `settles` says whether all that is not written yet is written before, and the machine left alone for a moment.
    """

    # The seconds of that moment.
    pause = 0.5

    def __init__(self, name, command, clear=None, check=None, output=None, prepare=None, settles=True, expected=0):
        self.name = name
        self.command = command
        self.clear = clear or (lambda: None)
        self.check = check or (lambda: None)
        self.prepare = prepare or (lambda: None)
        self.output = output
        self.settles = settles
        self.expected = expected

    def measure(self, launcher, server):
        self.clear()
        self.prepare()
        if self.settles:
            os.sync()
            time.sleep(self.pause)
        before = server.processor_seconds() if server else 0
        figures = launcher.run(self.command, self.expected)
        if self.output:
            start = time.monotonic()
            make_durable(self.output)
            figures["wall"] += time.monotonic() - start
        if server:
            figures["server"] = server.processor_seconds() - before
        return figures


def series(cases, rounds, seed=1, server=None, repeats=1):
    """Runs each case once a round, in shuffled order; the first round checks the results and does not count.

    With `repeats`, each round does that so many times.
    """
    order = random.Random(seed)
    results = {case.name: [] for case in cases}
    with Launcher() as launcher:
        for number in range(rounds + 1):
            for _ in range(repeats if number else 1):
                for case in order.sample(cases, len(cases)):
                    if repeats == 1:
                        note(f"{f'round {number} of {rounds}' if number else 'warm-up'}: {case.name}")
                    figures = case.measure(launcher, server)
                    if number:
                        results[case.name].append(figures)
                    else:
                        case.check()
                    case.clear()
    return results


def median(runs, what):
    return statistics.median(run[what] for run in runs)


def least(runs, what):
    return min(run[what] for run in runs)


def make_durable(path):
    """Syncs a file, or all files of a folder, and the folder that holds them."""
    files = [path]
    if os.path.isdir(path):
        files = [os.path.join(path, name) for name in os.listdir(path)] + [path]
    for name in files + [os.path.dirname(path)]:
        descriptor = os.open(name, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


def read_pages(path):
    """Brings a file's bytes into the page cache."""
    block = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(block):
            pass


def forget_pages(path):
    """Takes a file's bytes out of the page cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def same_digest(path, other):
    """Fails unless two files have the same bytes."""
    if subprocess.run(["cmp", "-s", path, other], check=False).returncode:
        fail(f"{path} is not {other}")
