"""Repositories that others have made: the samples in the source distribution of python-tuf."""
import os

from case import check

SAMPLES = os.environ.get("TUF_SAMPLES", "")


class Files:
    """Serves a folder as it is."""

    def __init__(self, folder):
        self.folder, self.instead, self.requests = folder, {}, []
        with open(os.path.join(folder, "metadata", "1.root.json"), "rb") as file:
            self.published = {"root": {1: file.read()}}

    def read(self, *parts):
        path = os.path.join(self.folder, *parts)
        if ".." in path.split("/") or not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def metadata(self, name):
        return self.read("metadata", name)

    def target(self, raw):
        return self.read("targets", raw)


@check
def the_sample_repository_of_python_tuf(case):
    assert SAMPLES, "TUF_SAMPLES does not say where the sample repository is"
    case.serve(Files(os.path.join(SAMPLES, "repository")))
    case.begin()
    case.gets("file1.txt", "file3.txt")
    names = [name for name in case.asked() if not name.startswith("targets/")]
    case.same(names, ["2.root.json", "timestamp.json", "snapshot.json", "targets.json", "role1.json"])
    case.same(len(case.downloaded()), 2)
    case.lacks("file4.txt")
