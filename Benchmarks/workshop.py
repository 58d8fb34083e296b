"""Files, keys, manifests and a store to measure with."""
import base64
import hashlib
import json
import os
import shutil
import struct
import subprocess
import tempfile

from nginx import Nginx
from words import MIB, call, fail


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

    def has_room(self, size):
        """Whether that many bytes, and a tenth more, may be written."""
        return shutil.disk_usage(self.folder).free > size + size // 10

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

    def make_sparse_file(self, path, size):
        """Writes a file that is random at its ends and a hole between them."""
        self.make_file(path, min(64 * MIB, size // 8))
        with open(path, "r+b") as file:
            tail = file.read(MIB)
            file.truncate(size)
            file.seek(size - len(tail))
            file.write(tail)

    def build(self, path, name, mirrors, output, version="1.0.0"):
        """The command that builds the manifest of a file or a folder."""
        return (
            [self.publish, "build", path, "--model", f"bench/{name}", "--version", version]
            + [word for mirror in mirrors for word in ("--mirror", mirror + "/{name}")]
            + ["--output", output]
        )

    def manifest(self, path, name, mirrors, chunk=None, version="1.0.0"):
        """Builds and signs a manifest of a file or a folder; with `chunk`, its files are cut so."""
        output = self.path(f"{name}-{version}.json")
        call(self.build(path, name, mirrors, output, version))
        if chunk:
            cut(output, os.path.dirname(path) if os.path.isfile(path) else path, chunk)
        call([self.publish, "sign", output, "--key", self.path("keys", "bench.key")])
        return output

    def client(self, *words):
        """A command of the client with the store and the configuration of this workshop."""
        return [self.sealift, *self.places, *words]

    def install(self, manifest, *options):
        return self.client("install", manifest, *options)

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


def installed_file(store, name):
    """The path of the only installed file of this name."""
    for folder, _, files in os.walk(store):
        if name in files and "/versions/" in folder:
            return os.path.join(folder, name)
    return fail(f"{name} is not installed")
