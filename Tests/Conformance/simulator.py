"""A repository in memory, made with python-tuf's own API, and the server that clients ask."""
import datetime
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

from securesystemslib.formats import encode_canonical
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    SuccinctRoles,
    TargetFile,
    Targets,
    Timestamp,
)

TOP = ("root", "timestamp", "snapshot", "targets")
MAKERS = {
    "ecdsa": CryptoSigner.generate_ecdsa,
    "ed25519": CryptoSigner.generate_ed25519,
    "rsa": CryptoSigner.generate_rsa,
}
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
LATER = NOW + datetime.timedelta(days=30)


class Repository:
    """What its owner has (`docs`, `signers`) and what clients are served (`published`, `files`, `instead`)."""

    def __init__(self, keytype="ecdsa", consistent=True, hashes=(), listed=False):
        self.keytype, self.listed = keytype, listed
        # The algorithms of the digests of targets.
        self.algorithms = list(hashes) or ["sha256"]
        self.signers, self.published, self.files = {}, {}, {}
        # Answers in place of the right ones: bytes, a status, or a function that writes to the handler.
        self.instead = {}
        self.requests = []
        self.docs = {
            "targets": Metadata(Targets(expires=LATER)),
            "snapshot": Metadata(Snapshot(expires=LATER)),
            "timestamp": Metadata(Timestamp(expires=LATER)),
            "root": Metadata(Root(expires=LATER, consistent_snapshot=consistent)),
        }
        for role in TOP:
            self.add_key(role)
        self.publish("targets", "snapshot", "timestamp", "root", bump=False)

    def __getattr__(self, role):
        if role in TOP:
            return self.docs[role].signed
        raise AttributeError(role)

    def signed(self, role):
        return self.docs[role].signed

    # Keys.

    def new_signer(self, keytype=None):
        return MAKERS[keytype or self.keytype]()

    def add_key(self, role, keytype=None, delegator="root"):
        signer = self.new_signer(keytype)
        self.signed(delegator).add_key(signer.public_key, role)
        self.signers.setdefault(role, []).append(signer)
        return signer

    def rotate(self, role, count=1, keytype=None):
        """Replaces all keys of a top-level role; for root, the caller signs with the old ones too."""
        for keyid in list(self.root.roles[role].keyids):
            self.root.revoke_key(keyid, role)
        old, self.signers[role] = self.signers[role], []
        for _ in range(count):
            self.add_key(role, keytype)
        return old

    # Publishing.

    def sign(self, role, extra=()):
        doc = self.docs[role]
        doc.signatures.clear()
        for signer in [*self.signers[role], *extra]:
            doc.sign(signer, append=True)
        return doc.to_bytes()

    def facts(self, role, data):
        version = self.signed(role).version
        return MetaFile.from_data(version, data, ["sha256"]) if self.listed else MetaFile(version)

    def publish(self, *roles, bump=True, extra=()):
        """Makes new versions of the roles, in this order, and lists them where they belong."""
        for role in roles:
            if bump and self.published.get(role):
                self.signed(role).version += 1
            data = self.sign(role, extra)
            self.put(role, data)
            if role == "snapshot":
                self.timestamp.snapshot_meta = self.facts(role, data)
            elif role not in TOP or role == "targets":
                self.snapshot.meta[f"{role}.json"] = self.facts(role, data)

    def put(self, role, data, version=None):
        self.published.setdefault(role, {})[version or self.signed(role).version] = data

    def release(self, *roles):
        """Publishes roles with all that lists them."""
        self.publish(*roles, "snapshot", "timestamp")

    def change(self, role, edit, resign=True):
        """Publishes what no API makes: edits the JSON of the newest file of a role in place."""
        version = self.signed(role).version
        value = json.loads(self.published[role][version])
        edit(value)
        data = json.dumps(value).encode()
        if resign:
            data = raw_sign(value, self.signers[role])
        self.put(role, data, version)
        return data

    # Targets and delegations.

    def add_target(self, path, data, role="targets", custom=None):
        info = TargetFile.from_data(path, data, self.algorithms)
        if custom is not None:
            info.unrecognized_fields["custom"] = custom
        self.signed(role).targets[path] = info
        self.files[path] = data

    def delegate(self, name, paths=("*",), delegator="targets", terminating=False, prefixes=None, keys=1, threshold=1):
        owner = self.signed(delegator)
        if owner.delegations is None:
            owner.delegations = Delegations({}, {})
        owner.delegations.roles[name] = DelegatedRole(
            name, [], threshold, terminating, None if prefixes else list(paths), prefixes
        )
        for _ in range(keys):
            self.add_key(name, delegator=delegator)
        if name not in self.docs:
            self.docs[name] = Metadata(Targets(expires=LATER))
        return self.docs[name].signed

    def delegate_bins(self, bits, prefix="bin"):
        signer = self.new_signer()
        bins = SuccinctRoles([], 1, bits, prefix)
        self.targets.delegations = Delegations({}, None, bins)
        self.targets.add_key(signer.public_key)
        for name in bins.get_roles():
            self.docs[name] = Metadata(Targets(expires=LATER))
            self.signers[name] = [signer]
        return bins

    # What is served.

    def metadata(self, name):
        if name == "timestamp.json":
            return self.newest("timestamp")
        stem = name.removesuffix(".json")
        version, dot, role = stem.partition(".")
        if dot and version.isdigit() and (self.root.consistent_snapshot or role == "root"):
            return self.published.get(unquote(role), {}).get(int(version))
        return self.newest(unquote(stem)) if not self.root.consistent_snapshot else None

    def newest(self, role):
        versions = self.published.get(role, {})
        return versions[max(versions)] if versions else None

    def target(self, raw):
        folder, slash, name = raw.rpartition("/")
        digest = None
        if self.root.consistent_snapshot:
            digest, _, name = name.partition(".")
        path = unquote(folder + slash + name)
        data = self.files.get(path)
        if data is None or digest is None:
            return data
        listed = [d.signed.targets[path] for d in self.docs.values() if isinstance(d.signed, Targets) and path in d.signed.targets]
        known = {value for info in listed for value in info.hashes.values()}
        return data if digest in known else None


def canonical(value):
    return encode_canonical(value).encode()


def raw_sign(value, signers):
    """A file with these contents, whatever they are, signed by these keys."""
    data = canonical(value["signed"])
    value["signatures"] = [{"keyid": s.public_key.keyid, "sig": s.sign(data).signature} for s in signers]
    return json.dumps(value).encode()


class Handler(BaseHTTPRequestHandler):
    """HTTP/1.0, as Python's own server speaks it: the connection ends with the answer."""

    def do_GET(self):
        place, _, rest = self.path.lstrip("/").partition("/")
        kind, _, name = rest.partition("/")
        repository = self.server.repositories.get(unquote(place))
        if repository is None or kind not in ("metadata", "targets"):
            return self.send_error(404)
        repository.requests.append(name if kind == "metadata" else f"targets/{name}")
        answer = repository.instead.get(name)
        if answer is None:
            answer = repository.metadata(name) if kind == "metadata" else repository.target(name)
        if callable(answer):
            return answer(self)
        if isinstance(answer, int):
            return self.send_error(answer)
        if answer is None:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_HEAD(self):
        self.server.strange.append(self.command + " " + self.path)
        self.send_error(405)

    do_POST = do_PUT = do_HEAD

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories, self.strange = {}, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # A client that has enough closes the connection.

    def add(self, name, repository):
        self.repositories[name] = repository
        return f"http://127.0.0.1:{self.server_port}/{quote(name, '')}"
