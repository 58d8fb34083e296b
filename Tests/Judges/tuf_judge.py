"""Judges a repository at several steps with python-tuf's client, in one process.

    tuf_judge.py STEPS      a JSON file: {"root": FILE, "steps": [{"tree": DIR, "targets": [PATH...], "missing": [PATH...]}...]}

Of each step it asks a client with an empty state, and one that has followed every step before. Of the last step it asks
clients after every expiry, and with bytes changed one at a time. Prints one line for what is wrong; none means accepted.
"""
import datetime
import json
import os
import shutil
import sys
import tempfile
from urllib.parse import unquote, urlparse

from tuf.api.exceptions import DownloadError, DownloadHTTPError, RepositoryError
from tuf.ngclient import Updater
from tuf.ngclient.fetcher import FetcherInterface

troubles = []
BASE = "http://judge/"


class Tree(FetcherInterface):
    """Hands out the files of a folder, one of them with other bytes."""

    def __init__(self, folder):
        self.folder, self.replaced, self.asked = folder, {}, []

    def _fetch(self, url):
        path = unquote(urlparse(url).path).lstrip("/")
        self.asked.append(path)
        if path in self.replaced:
            yield self.replaced[path]
            return
        try:
            with open(os.path.join(self.folder, path), "rb") as file:
                yield file.read()
        except FileNotFoundError:
            raise DownloadHTTPError("absent", 404) from None


def updater(tree, metadata, targets, root=None, days=0):
    client = Updater(metadata, BASE + "metadata/", targets, BASE + "targets/", fetcher=tree, bootstrap=root)
    if days:
        client._trusted_set.reference_time += datetime.timedelta(days=days)
    return client


def run(tree, metadata, root, wanted, missing=(), days=0):
    """Goes the whole way of a client; raises what it refuses."""
    with tempfile.TemporaryDirectory() as targets:
        client = updater(tree, metadata, targets, root, days)
        client.refresh()
        for path in wanted:
            info = client.get_targetinfo(path)
            if info is None:
                raise RepositoryError(f"no target {path}")
            client.download_target(info)
        for path in missing:
            if client.get_targetinfo(path) is not None:
                raise RepositoryError(f"{path} is a target")
        return client


def fresh(tree, root, step, days=0):
    with tempfile.TemporaryDirectory() as metadata:
        return run(tree, metadata, root, step["targets"], step.get("missing", ()), days)


def refuses(what, attempt):
    try:
        attempt()
    except (RepositoryError, DownloadError):
        return
    except Exception as error:
        troubles.append(f"{what}: {type(error).__name__}: {error}")
        return
    troubles.append(f"{what}: accepted")


def main(path):
    with open(path) as file:
        plan = json.load(file)
    with open(plan["root"], "rb") as file:
        root = file.read()
    judged = 0
    with tempfile.TemporaryDirectory() as followed:
        for number, step in enumerate(plan["steps"]):
            tree = Tree(step["tree"])
            for kind, attempt in (
                ("an empty state", lambda: fresh(tree, root, step)),
                ("the state before", lambda: run(tree, followed, root, step["targets"], step.get("missing", ()))),
            ):
                try:
                    attempt()
                    judged += 1
                except Exception as error:
                    troubles.append(f"step {number} from {kind}: {type(error).__name__}: {error}")
    last = plan["steps"][-1]
    tree = Tree(last["tree"])
    try:
        fresh(tree, root, last)
    except Exception:
        print("\n".join(troubles))
        return
    read = sorted(set(tree.asked))
    for days in plan["expiries"]:
        refuses(f"{days} days later", lambda: fresh(tree, root, last, days))
        judged += 1
    for name in read:
        place = os.path.join(last["tree"], name)
        # The first root is the pin, and not fetched; a file that is absent has no bytes.
        if not os.path.exists(place):
            continue
        with open(place, "rb") as file:
            whole = file.read()
        for offset in range(0, len(whole), max(1, len(whole) // plan["flips"])):
            changed = bytearray(whole)
            changed[offset] ^= 1
            tree.replaced = {name: bytes(changed)}
            refuses(f"{name} with another byte {offset}", lambda: fresh(tree, root, last))
            judged += 1
        tree.replaced = {}
    print("\n".join(troubles), end="\n" if troubles else "")
    print(f"judged {judged}", file=sys.stderr)


main(sys.argv[1])
