"""What the benchmarks share: files, keys, manifests, nginx, measured runs and tables."""
import argparse
import base64
import hashlib
import json
import os
import platform
import random
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

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


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--size", type=byte_count, default=2 * GIB, help="bytes of the file")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="for the order of the cases")
    parser.add_argument("--tools", required=True, help="a folder with sealift and sealift-publish")
    parser.add_argument("--work", help="where the temporary folder is made")
    parser.add_argument("--json", help="a file for what was measured")
    parser.add_argument("--part", action="append", default=[], help="a part of the benchmark")
    return parser.parse_args()


class Workshop:
    """A temporary folder, a key that is trusted, and the tools; to be used with `with`."""

    def __init__(self, options):
        self.options = options
        self.publish = os.path.join(options.tools, "sealift-publish")
        self.sealift = os.path.join(options.tools, "sealift")
        self.servers = []

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="sealift-benchmark-", dir=self.options.work)
        self.folder = self.holder.name
        os.chmod(self.folder, 0o755)
        self.store = self.path("store")
        self.places = ["--store", self.store, "--config", self.path("config")]
        call([self.publish, "key", "new", "bench", "--dir", self.path("keys"), "--no-passphrase"])
        key = self.path("keys", "bench.pub")
        call([self.sealift, "trust", "add", key, "--models", "bench/*"] + self.places)
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()
        self.clear_store()
        self.holder.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def clear_store(self):
        """Forgets what was installed; what the client trusts stays."""
        if os.path.exists(self.store):
            call(["chmod", "-R", "u+w", self.store])
            shutil.rmtree(self.store)

    def make_file(self, path, size, key="0" * 32):
        """Writes the key stream of a cipher: pseudo-random, the same each time, and fast."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        cipher = ["openssl", "enc", "-aes-128-ctr", "-nosalt", "-K", key, "-iv", "0" * 32]
        with open(path, "wb") as output, subprocess.Popen(
            cipher, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.DEVNULL
        ) as process:
            zeros, left = bytes(MIB), size
            while left > 0:
                process.stdin.write(zeros[:left])
                left -= len(zeros)
            process.stdin.close()
        if process.returncode or os.path.getsize(path) != size:
            fail("openssl did not make the file")

    def manifest(self, path, name, mirrors, chunk=None):
        """Builds and signs a manifest of a file or a folder; with `chunk`, its files are cut so."""
        output = self.path(f"{name}.json")
        call(
            [self.publish, "build", path, "--model", f"bench/{name}", "--version", "1.0.0"]
            + [word for mirror in mirrors for word in ("--mirror", mirror + "/{name}")]
            + ["--output", output]
        )
        if chunk:
            cut(output, os.path.dirname(path) if os.path.isfile(path) else path, chunk)
        call([self.publish, "sign", output, "--key", self.path("keys", "bench.key")])
        return output

    def install(self, manifest, *options):
        return [self.sealift, "install", manifest, *options] + self.places

    def serve(self, root, addresses, extra="", log=False):
        server = Nginx(self.path(f"nginx-{len(self.servers)}"), root, addresses, extra, log)
        self.servers.append(server)
        return server


def cut(manifest, folder, length):
    """Gives the files of an unsigned manifest chunks of another length."""
    with open(manifest, encoding="utf-8") as text:
        envelope = json.load(text)
    payload = json.loads(base64.b64decode(envelope["payload"]))
    for name, entry in payload["predicate"]["files"].items():
        table = bytearray()
        with open(os.path.join(folder, name), "rb") as file:
            while chunk := file.read(length):
                table += struct.pack(">I", len(chunk)) + hashlib.sha256(chunk).digest()
        entry["chunks"] = base64.b64encode(bytes(table)).decode()
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    envelope["payload"] = base64.b64encode(text.encode()).decode()
    envelope["signatures"] = []
    with open(manifest, "w", encoding="utf-8") as output:
        json.dump(envelope, output)


class Nginx:
    """nginx of our own on loopback addresses: two workers, no log, files from one folder."""

    def __init__(self, own, root, addresses, extra, log):
        os.makedirs(own)
        self.log = os.path.join(own, "access.log")
        found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        program = found or fail("nginx is not installed")
        for _ in range(5):
            self.port = free_port()
            with open(os.path.join(own, "nginx.conf"), "w", encoding="utf-8") as text:
                text.write(configuration(own, root, addresses, self.port, extra, log))
            command = [program, "-p", own, "-c", os.path.join(own, "nginx.conf"), "-e", os.path.join(own, "error.log")]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
            self.urls = [f"http://{address}:{self.port}" for address in addresses]
            while self.process.poll() is None:
                if all(takes_connections(address, self.port) for address in addresses):
                    return
                time.sleep(0.01)
        fail("nginx does not start")

    def processor_seconds(self):
        """The processor time of nginx and its workers so far."""
        ticks = 0
        for process in [self.process.pid] + children(self.process.pid):
            try:
                with open(f"/proc/{process}/stat", encoding="utf-8") as text:
                    fields = text.read().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
            except FileNotFoundError:
                pass
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()


def children(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as text:
        return [int(word) for word in text.read().split()]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def takes_connections(address, port):
    with socket.socket() as probe:
        return probe.connect_ex((address, port)) == 0


def configuration(own, root, addresses, port, extra, log):
    temporary = "\n".join(
        f"  {name}_temp_path {own}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    servers = "\n".join(
        f"  server {{ listen {address}:{port}; root {root}; {extra} }}" for address in addresses
    )
    access = f'"{own}/access.log" shares' if log else "off"
    return f"""daemon off;
{user}
worker_processes 2;
pid {own}/nginx.pid;
error_log {own}/error.log warn;
events {{ worker_connections 512; }}
http {{
  log_format shares '$server_addr $body_bytes_sent';
  access_log {access};
  default_type application/octet-stream;
{temporary}
  sendfile on;
  sendfile_max_chunk 2m;
  tcp_nopush on;
  keepalive_requests 10000;
{servers}
}}
"""


def call(command):
    """Runs a command that must succeed and is not measured."""
    outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if outcome.returncode:
        sys.stderr.buffer.write(outcome.stderr)
        fail(f"{' '.join(command[:3])} ended with {outcome.returncode}")
    return outcome.stdout


def run(command):
    """Runs a command that must succeed; returns its wall and processor seconds and its peak memory."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    watch = MemoryWatch(process.pid)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    memory = watch.finish() or usage.ru_maxrss * 1024
    process.stderr.close()
    if process.returncode:
        sys.stderr.buffer.write(errors)
        fail(f"{' '.join(command[:3])} ended with {process.returncode}")
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "memory": memory}


class MemoryWatch(threading.Thread):
    """Looks every 10 ms at the most memory that a process or a child of it ever had resident.

    What the kernel notes at their end is no less than what Python itself holds, so it says too much of small tools.
    """

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process = process
        self.peak = 0
        self.over = threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.01):
            try:
                for process in [self.process] + children(self.process):
                    self.peak = max(self.peak, peak_of(process))
            except (FileNotFoundError, ProcessLookupError):
                pass

    def finish(self):
        self.over.set()
        self.join()
        return self.peak


def peak_of(process):
    """The bytes of VmHWM; 0 for a process that became another program only now, or has ended."""
    with open(f"/proc/{process}/status", encoding="utf-8") as text:
        lines = [line.split() for line in text if line.startswith("VmHWM:")]
    with open(f"/proc/{process}/comm", encoding="utf-8") as text:
        is_python = text.read().startswith("python3")
    return int(lines[0][1]) * 1024 if lines and not is_python else 0


def make_durable(path):
    """Syncs a file, or all files of a folder, and the folder that holds them."""
    files = [path]
    if os.path.isdir(path):
        files = [os.path.join(path, name) for name in os.listdir(path)] + [path]
    for name in files + [os.path.dirname(path)]:
        descriptor = os.open(name, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


class Case:
    """One command of a series.

    `clear` forgets what it made, `check` compares what it made, and `output` names what the command leaves in the page
    cache alone: syncing it counts as the command's time.
    """

    def __init__(self, name, command, clear=None, check=None, output=None):
        self.name = name
        self.command = command
        self.clear = clear or (lambda: None)
        self.check = check or (lambda: None)
        self.output = output

    def measure(self, server):
        self.clear()
        os.sync()
        time.sleep(0.5)
        before = server.processor_seconds() if server else 0
        figures = run(self.command)
        if self.output:
            start = time.monotonic()
            make_durable(self.output)
            figures["wall"] += time.monotonic() - start
        figures["server"] = server.processor_seconds() - before if server else 0
        return figures


def series(cases, rounds, seed=1, server=None):
    """Runs each case once a round, in shuffled order; the first round checks the results and does not count."""
    order = random.Random(seed)
    results = {case.name: [] for case in cases}
    for number in range(rounds + 1):
        for case in order.sample(cases, len(cases)):
            note(f"{f'round {number} of {rounds}' if number else 'warm-up'}: {case.name}")
            figures = case.measure(server)
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


def same_digest(path, other):
    """Fails unless two files have the same bytes."""
    if subprocess.run(["cmp", "-s", path, other], check=False).returncode:
        fail(f"{path} is not {other}")


def installed_file(store, name):
    """The path of the only installed file of this name."""
    for folder, _, files in os.walk(store):
        if name in files and "/versions/" in folder:
            return os.path.join(folder, name)
    return fail(f"{name} is not installed")


def machine():
    """A line that says where the figures come from."""
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        lines = text.read().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    flags = next((line for line in lines if line.startswith("flags")), "")
    extras = " with SHA instructions" if " sha_ni" in flags else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIB
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} × {names[0] if names else model}{extras}, {memory:.0f} GiB, Linux "
        f"{platform.release()}, load {load:.1f} at the start"
    )


class Report:
    """The tables, the figures as JSON, and the targets that were missed."""

    def __init__(self, name, options):
        self.options = options
        self.data = {"benchmark": name, "machine": machine(), "size": options.size, "rounds": options.rounds}
        self.missed = []
        print(f"## {name}\n\n{self.data['machine']}.\n", flush=True)

    def table(self, key, title, heads, rows, figures):
        print(f"{title}\n")
        print("| " + " | ".join(heads) + " |")
        print("|---|" + "---:|" * (len(heads) - 1))
        for row in rows:
            print("| " + " | ".join(row) + " |")
        print(flush=True)
        self.data[key] = figures

    def target(self, text, value, limit):
        """States a target, and whether `value` is within `limit`."""
        is_met = value <= limit
        if not is_met:
            self.missed.append(text)
        print(f"- {text}: {value:.2f}, at most {limit:g}: {'met' if is_met else '**missed**'}", flush=True)
        self.data.setdefault("targets", []).append(
            {"target": text, "value": value, "limit": limit, "met": is_met}
        )

    def finish(self):
        print(flush=True)
        if self.options.json:
            known = {}
            if os.path.exists(self.options.json):
                with open(self.options.json, encoding="utf-8") as text:
                    known = json.load(text)
            known[self.data["benchmark"]] = self.data
            with open(self.options.json, "w", encoding="utf-8") as output:
                json.dump(known, output, indent=1)
                output.write("\n")
        for text in self.missed:
            note(f"missed: {text}")
        return 1 if self.missed else 0
