#!/usr/bin/env python3
"""Measures the tools in one folder beside `openssl dgst -sha256`; scripts/measure says how."""
import argparse
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

MEMORY_LIMIT = 64 << 20
BUILD_RATIO = 1.3


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="sealift-measure-", dir=options.work) as folder:
        os.chmod(folder, 0o755)
        sys.exit(measure(options, Bench(folder, options.tools, options.size)))


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=2 << 30, help="bytes of the file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tools", required=True, help="a folder with sealift and sealift-publish")
    parser.add_argument("--work", help="where the temporary folder is made")
    return parser.parse_args()


class Bench:
    """A file, a key that is trusted, and nginx serving the file."""

    def __init__(self, folder, tools, size):
        self.folder = folder
        self.publish = os.path.join(tools, "sealift-publish")
        self.sealift = os.path.join(tools, "sealift")
        self.size = size
        self.served = os.path.join(folder, "served")
        self.file = os.path.join(self.served, "weights.bin")
        self.manifest = os.path.join(folder, "1.0.0.json")
        self.store = os.path.join(folder, "store")
        self.places = ["--store", self.store, "--config", os.path.join(folder, "config")]
        os.mkdir(self.served)
        self.make_file()
        self.make_key()

    def make_file(self):
        """Writes the key stream of a cipher: pseudo-random, the same each time, and fast."""
        with open(self.file, "wb") as output:
            cipher = ["openssl", "enc", "-aes-128-ctr", "-nosalt", "-K", "0" * 32, "-iv", "0" * 32]
            with subprocess.Popen(
                cipher, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.DEVNULL
            ) as process:
                zeros, left = bytes(1 << 20), self.size
                while left > 0:
                    process.stdin.write(zeros[:left])
                    left -= len(zeros)
                process.stdin.close()
            if process.returncode or os.path.getsize(self.file) != self.size:
                sys.exit("measure: error: openssl did not make the file")

    def make_key(self):
        keys = os.path.join(self.folder, "keys")
        run([self.publish, "key", "new", "bench", "--dir", keys, "--no-passphrase"])
        self.key = os.path.join(keys, "bench")
        run([self.sealift, "trust", "add", self.key + ".pub", "--models", "bench/*"] + self.places)

    def commands(self):
        """The name and the command line of each thing that is measured."""
        return [
            ("openssl dgst -sha256", ["openssl", "dgst", "-sha256", self.file]),
            (
                "sealift-publish build",
                [self.publish, "build", self.file, "--model", "bench/large", "--version", "1.0.0"]
                + ["--mirror", f"http://127.0.0.1:{self.port}/{{name}}", "--output", self.manifest],
            ),
            ("sealift install", [self.sealift, "install", self.manifest] + self.places),
        ]

    def sign(self):
        run([self.publish, "sign", self.manifest, "--key", self.key + ".key"])

    def clear(self):
        """Forgets what was built and installed."""
        if os.path.exists(self.manifest):
            os.remove(self.manifest)
        if os.path.exists(self.store):
            run(["chmod", "-R", "u+w", self.store])
            shutil.rmtree(self.store)

    def serve(self):
        """Starts nginx on a free port and returns the process."""
        own = os.path.join(self.folder, "nginx")
        os.makedirs(own, exist_ok=True)
        for _ in range(5):
            self.port = free_port()
            with open(os.path.join(own, "nginx.conf"), "w", encoding="utf-8") as text:
                text.write(configuration(own, self.served, self.port))
            process = subprocess.Popen(
                [nginx(), "-p", own, "-c", os.path.join(own, "nginx.conf"), "-e", os.path.join(own, "error.log")]
            )
            pid_file = os.path.join(own, "nginx.pid")
            while process.poll() is None:
                if os.path.exists(pid_file) and os.path.getsize(pid_file):
                    return process
                time.sleep(0.01)
        sys.exit("measure: error: nginx does not start")


def nginx():
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    return found or sys.exit("measure: error: nginx is not installed")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def configuration(own, root, port):
    temporary = "\n".join(
        f"  {name}_temp_path {own}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""daemon off;
master_process off;
pid {own}/nginx.pid;
error_log {own}/error.log warn;
events {{ worker_connections 64; }}
http {{
  access_log off;
{temporary}
  sendfile on;
  sendfile_max_chunk 2m;
  tcp_nopush on;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def run(command):
    """Runs a command that must succeed and returns its wall and processor seconds and its peak memory."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    process.stderr.close()
    if process.returncode:
        sys.stderr.buffer.write(errors)
        sys.exit(f"measure: error: {command[0]} ended with {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def measure(options, bench):
    server = bench.serve()
    results = {}
    try:
        for number in range(options.rounds):
            bench.clear()
            for name, command in bench.commands():
                print(f"round {number + 1}: {name}", file=sys.stderr, flush=True)
                results.setdefault(name, []).append(run(command))
                if "build" in name:
                    bench.sign()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        bench.clear()
    return report(options, results)


def report(options, results):
    """Prints the table; returns 1 if a target is missed."""
    medians = {
        name: [statistics.median(run[column] for run in runs) for column in range(3)]
        for name, runs in results.items()
    }
    reference = medians["openssl dgst -sha256"]
    print(f"A file of {options.size / (1 << 30):g} GiB, medians of {options.rounds} interleaved rounds.\n")
    print("| | wall s | processor s | peak MiB | wall / openssl |")
    print("|---|---:|---:|---:|---:|")
    missed = []
    for name, (wall, processor, memory) in medians.items():
        ratio = wall / reference[0]
        print(f"| `{name}` | {wall:.2f} | {processor:.2f} | {memory / (1 << 20):.1f} | {ratio:.2f} |")
        if memory >= MEMORY_LIMIT:
            missed.append(f"{name} needs {memory / (1 << 20):.1f} MiB, not less than 64")
        if "build" in name and ratio > BUILD_RATIO:
            missed.append(f"{name} takes {ratio:.2f} times as long as openssl, more than {BUILD_RATIO}")
    for line in missed:
        print(f"measure: missed: {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    main()
