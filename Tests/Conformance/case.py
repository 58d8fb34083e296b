"""One client under test with one repository, and what is asserted of the two."""
import json
import os
import subprocess
import sys
import tempfile

CHECKS = []


def check(function=None, **each):
    """Registers a check; with NAME=VALUES once for each value."""
    def register(function):
        for name, values in each.items():
            for value in values:
                label = value if isinstance(value, str) else getattr(value, "__name__", repr(value))
                label = label.encode("ascii", "backslashreplace").decode()[:40]
                CHECKS.append((f"{function.__name__}[{label}]", function, {name: value}))
        if not each:
            CHECKS.append((function.__name__, function, {}))
        return function

    return register(function) if function else register


class Case:
    def __init__(self, server, tool, name):
        self.server, self.tool, self.name = server, tool, name
        self.folder = tempfile.TemporaryDirectory()
        self.metadata = os.path.join(self.folder.name, "metadata")
        self.targets = os.path.join(self.folder.name, "targets")
        os.mkdir(self.metadata)
        os.mkdir(self.targets)
        self.words = ""

    def serve(self, repository):
        self.repository = repository
        self.base = self.server.add(self.name, repository)
        return repository

    def run(self, *words, at=None):
        command = [self.tool, *words]
        if at:
            command = ["faketime", at.strftime("%Y-%m-%d %H:%M:%S"), *command]
        environment = {"PATH": os.environ["PATH"], "TZ": "UTC"}
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, env=environment)
        self.words = done.stderr.decode(errors="replace")
        assert done.returncode in (0, 1), f"exit code {done.returncode}: {self.words}"
        assert (done.returncode == 0) == (self.words == ""), f"exit code {done.returncode}: {self.words}"
        return done.returncode == 0

    def begin(self, root=None):
        """init with the first root that was published, or another one."""
        path = os.path.join(self.folder.name, "initial.json")
        with open(path, "wb") as file:
            file.write(self.repository.published["root"][1] if root is None else root)
        assert self.run("--metadata-dir", self.metadata, "init", path)
        assert self.asked() == []

    def refresh(self, at=None):
        return self.run("--metadata-url", self.base + "/metadata/", "--metadata-dir", self.metadata, "refresh", at=at)

    def download(self, *paths, at=None):
        words = [word for path in paths for word in ("--target-name", path)]
        return self.run(
            "--target-base-url", self.base + "/targets/", *words, "--metadata-dir", self.metadata,
            "--target-dir", self.targets, "--metadata-url", self.base + "/metadata/", "download", at=at,
        )

    # What is there.

    def asked(self):
        """The requests since the last look."""
        requests, self.repository.requests = self.repository.requests, []
        return requests

    def file(self, role):
        path = os.path.join(self.metadata, role + ".json")
        return open(path, "rb").read() if os.path.exists(path) else None

    def versions(self):
        """What is stored, by the names of the files: every *.json must be metadata."""
        found = {}
        for name in sorted(os.listdir(self.metadata)):
            if name.endswith(".json"):
                with open(os.path.join(self.metadata, name), "rb") as file:
                    found[name.removesuffix(".json")] = json.load(file)["signed"]["version"]
        return found

    def downloaded(self):
        found = []
        for folder, _, names in os.walk(self.targets):
            found += [open(os.path.join(folder, name), "rb").read() for name in names]
        return sorted(found)

    # What must be so.

    def same(self, found, expected, what=""):
        assert found == expected, f"{what} {found!r}, not {expected!r}; {self.words}"

    def stands(self, root, timestamp, snapshot, targets, **others):
        expected = {"root": root, "timestamp": timestamp, "snapshot": snapshot, "targets": targets, **others}
        self.same(self.versions(), {role: version for role, version in expected.items() if version}, "stored")

    def accepts(self, **more):
        assert self.refresh(**more), self.words

    def refuses(self, section=None, **more):
        assert not self.refresh(**more), "it was accepted"
        self.says(section)

    def gets(self, *paths, **more):
        assert self.download(*paths, **more), self.words

    def lacks(self, *paths, section=None, **more):
        assert not self.download(*paths, **more), "it was had"
        self.says(section)

    def says(self, section):
        """The refusal names the section of the specification."""
        if section:
            assert f"TUF {section}" in self.words, f"not {section}: {self.words}"


def run_checks(server, tool, only):
    failures = 0
    chosen = [entry for entry in CHECKS if not only or any(word in entry[0] for word in only)]
    for name, function, values in chosen:
        case = Case(server, tool, name)
        try:
            function(case, **values)
            assert server.strange == [], server.strange
        except Exception as error:  # a check that cannot go on has failed
            failures += 1
            line = error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else 0
            print(f"failed: {name} (line {line}): {type(error).__name__}: {error}", file=sys.stderr)
        case.folder.cleanup()
    print(f"{len(chosen) - failures} of {len(chosen)} checks passed")
    return failures
