"""Targets and delegations (5.6.7, 5.7)."""
import datetime
import hashlib
import os
import re
import shutil
from urllib.parse import quote

from case import check
from simulator import NOW, Repository
from top_level import endless

TOP_FILE = re.compile(r"([0-9]+[.])?(root|timestamp|snapshot|targets)[.]json")


def delegated(case):
    """The requests for delegated roles since the last look."""
    names = [name for name in case.asked() if not name.startswith("targets/")]
    return [name for name in names if not TOP_FILE.fullmatch(name)]


@check(hashes=[["sha256"], ["sha512"], ["sha256", "sha512"]])
@check(path=["file.txt", "path/to/a/file.txt", "with space & more.txt", "page.html", "café.txt", "a..b", "x" * 220])
def a_target_is_had_and_kept(case, hashes=("sha256",), path="file.txt"):
    repository = case.serve(Repository(hashes=hashes))
    repository.add_target(path, b"content")
    repository.release("targets")
    case.begin()
    case.gets(path)
    case.same(case.downloaded(), [b"content"])
    assert len([name for name in case.asked() if name.startswith("targets/")]) == 1
    # What is kept and unchanged is not asked for again.
    case.gets(path)
    case.same([name for name in case.asked() if name.startswith("targets/")], [])
    # One path, one file, replaced when the content changes.
    repository.add_target(path, b"other content")
    repository.release("targets")
    case.gets(path)
    case.same(case.downloaded(), [b"other content"])


@check
def several_targets_come_in_their_order_and_the_first_failure_ends_it(case):
    repository = case.serve(Repository())
    for name in "abc":
        repository.add_target(name, name.encode())
    repository.release("targets")
    case.begin()
    case.gets("b", "a")
    case.same([name[-1] for name in case.asked() if name.startswith("targets/")], ["b", "a"])
    case.lacks("missing", "c")
    case.same(case.downloaded(), [b"a", b"b"])
    case.gets("c", "a")


@check
def a_target_that_was_swapped_is_refused(case):
    repository = case.serve(Repository())
    repository.add_target("a", b"good and long")
    repository.add_target("b", b"also good")
    repository.release("targets")
    case.begin()
    case.gets("a")
    for bad in (b"evil and long", b"evil", b"evil and very long", b""):
        repository.files.update(a=bad, b=bad)
        case.lacks("b")
        case.same(case.downloaded(), [b"good and long"])
    del repository.files["b"]
    case.lacks("b")
    repository.files["b"] = b"also good"
    case.gets("b")
    case.same(case.downloaded(), [b"also good", b"good and long"])


@check
def a_kept_target_that_was_changed_is_fetched_again(case):
    repository = case.serve(Repository())
    repository.add_target("a", b"good")
    repository.release("targets")
    case.begin()
    case.gets("a")
    (name,) = os.listdir(case.targets)
    path = os.path.join(case.targets, name)
    for spoil in (b"evil", b"longer than good", b""):
        with open(path, "wb") as file:
            file.write(spoil)
        case.gets("a")
        case.same(case.downloaded(), [b"good"])
    os.remove(path)
    os.symlink("/etc/passwd", path)
    case.gets("a")
    assert not os.path.islink(path)


def spoil_digest(info):
    info["hashes"] = {"sha256": "00" * 32}


def spoil_one_of_two(info):
    info["hashes"]["sha512"] = "00" * 64


def only_unknown(info):
    info["hashes"] = {"blake3": "00" * 32}


def no_digest(info):
    info["hashes"] = {}


def longer(info):
    info["length"] += 1


def shorter(info):
    info["length"] -= 1


def half_a_digest(info):
    info["hashes"] = {"sha256": info["hashes"]["sha256"][:32]}


@check(spoil=[spoil_digest, spoil_one_of_two, only_unknown, no_digest, longer, shorter, half_a_digest])
def every_known_digest_and_the_length_must_agree(case, spoil):
    repository = case.serve(Repository())
    repository.add_target("a", b"good")
    repository.release("targets")
    repository.change("targets", lambda value: spoil(value["signed"]["targets"]["a"]))
    # The name in the URL follows the metadata, the bytes do not.
    repository.target = lambda raw: b"good"
    case.begin()
    case.lacks("a")
    case.same(case.downloaded(), [])


@check
def an_unknown_digest_beside_a_known_one_is_no_matter(case):
    repository = case.serve(Repository())
    repository.add_target("a", b"good")
    repository.targets.targets["a"].hashes["blake3"] = "00"
    repository.release("targets")
    case.begin()
    case.gets("a")


@check(path=["../escape", "a/../../escape", ".", "..", "a//b", "/absolute", "a/./b", ".hidden", "a\nb", "%2e%2e/x", "a\\..\\b"])
def hostile_paths_stay_inside(case, path):
    repository = case.serve(Repository())
    repository.add_target(path, b"content")
    repository.release("targets")
    case.begin()
    if case.download(path):
        case.same(case.downloaded(), [b"content"])
        (name,) = os.listdir(case.targets)
        assert os.path.isfile(os.path.join(case.targets, name))
    else:
        case.same(case.downloaded(), [])
    case.same(sorted(os.listdir(case.folder.name)), ["initial.json", "metadata", "targets"])


@check
def data_without_end_in_place_of_a_target(case):
    repository = case.serve(Repository())
    repository.add_target("a", b"good")
    repository.release("targets")
    digest = hashlib.sha256(b"good").hexdigest()
    repository.instead[f"{digest}.a"] = endless
    case.begin()
    case.lacks("a")
    case.same(endless.ended, [])
    case.same([name for _, _, names in os.walk(case.targets) for name in names], [])


# Delegations.

STAR = ["*"]
GRAPHS = {
    "one": ([("targets", "A")], ["A"]),
    "two": ([("targets", "A"), ("targets", "B")], ["A", "B"]),
    "below": ([("targets", "A"), ("targets", "B"), ("B", "C")], ["A", "B", "C"]),
    "depth first": ([("targets", "A"), ("targets", "B"), ("A", "C"), ("A", "D")], ["A", "C", "D", "B"]),
    "three levels": ([("targets", "A"), ("targets", "B"), ("A", "C"), ("C", "D")], ["A", "C", "D", "B"]),
    "terminating": ([("targets", "A"), ("targets", "B"), ("A", "C", True), ("A", "D")], ["A", "C"]),
    "terminating above": ([("targets", "A"), ("targets", "B"), ("A", "C", True), ("C", "D")], ["A", "C", "D"]),
    "terminating first": ([("targets", "A", True), ("targets", "B"), ("A", "C")], ["A", "C"]),
    "other paths": ([("targets", "A", False, ["*.py"]), ("targets", "B"), ("A", "C")], ["B"]),
    "other paths below": ([("targets", "A"), ("targets", "B"), ("A", "C", False, ["*.py"]), ("C", "D")], ["A", "B"]),
    "cycle": ([("targets", "A"), ("targets", "B"), ("B", "C"), ("C", "D"), ("D", "B")], ["A", "B", "C", "D"]),
    "diamond": ([("targets", "A"), ("targets", "B"), ("B", "C"), ("A", "C")], ["A", "C", "B"]),
    "half diamond": ([("targets", "A"), ("targets", "B"), ("B", "C"), ("A", "C", False, ["*.py"])], ["A", "B", "C"]),
}


def build(repository, delegations):
    for delegator, name, *more in delegations:
        repository.delegate(name, (more + [False, STAR])[1] if len(more) > 1 else STAR, delegator, bool(more and more[0]))
    names = list(dict.fromkeys(name for _, name, *_ in delegations))
    repository.release(*names, "targets")


@check(graph=list(GRAPHS))
def roles_are_visited_in_the_order_of_the_files(case, graph):
    delegations, order = GRAPHS[graph]
    repository = case.serve(Repository())
    build(repository, delegations)
    case.begin()
    case.lacks("missing")
    case.same(delegated(case), [f"1.{name}.json" for name in order])
    case.stands(1, 2, 2, 2, **{name: 1 for name in order})
    # What is stored and still as listed is not asked for again.
    case.lacks("missing")
    case.same(delegated(case), [])


TREE = [
    ("targets", "A", False, ["*.doc", "*.md"]), ("targets", "B", False, ["releases/*/*"]),
    ("B", "C", False, ["releases/x/*"]), ("B", "D", False, ["releases/y/*.zip"]),
]
SEARCHES = {
    "top": ("targets", True, []),
    "README.md": ("A", True, ["A"]),
    "README.MD": ("A", False, []),
    "docs/README.md": ("A", False, []),
    "releases/x/x_v1": ("C", True, ["B", "C"]),
    "releases/y/y_v1.zip": ("D", True, ["B", "D"]),
    "releases/z/z_v1.zip": ("D", False, ["B"]),
    "releases/x/deep/x_v1": ("C", False, []),
    "releases/x": ("C", False, []),
}


@check(path=list(SEARCHES))
def paths_are_searched_where_they_match(case, path):
    role, is_found, order = SEARCHES[path]
    repository = case.serve(Repository())
    build(repository, TREE)
    repository.add_target(path, b"here", role)
    repository.release(*dict.fromkeys(["A", "B", "C", "D", "targets"]))
    case.begin()
    case.same(case.download(path), is_found)
    case.same(delegated(case), [f"2.{name}.json" for name in order])
    case.same(case.downloaded(), [b"here"] if is_found else [])


@check(name=["?", "#", "/d", "../d", "..", ".", "a%2Fb", "a b", "café", "x" * 230, "1.root"])
def odd_names_of_roles_are_encoded(case, name):
    repository = case.serve(Repository())
    repository.delegate(name)
    repository.add_target("a", b"content", name)
    repository.release(name, "targets")
    case.begin()
    case.gets("a")
    case.same(delegated(case), [f"1.{quote(name, '')}.json"])
    case.same(len(case.versions()), 5)
    case.same(sorted(os.listdir(case.folder.name)), ["initial.json", "metadata", "targets"])


@check(name=["root", "timestamp", "snapshot", "targets"])
def a_delegated_role_has_no_name_of_the_top(case, name):
    repository = case.serve(Repository())
    repository.delegate("x")
    repository.release("x", "targets")

    def edit(value):
        value["signed"]["delegations"]["roles"][0]["name"] = name

    repository.change("targets", edit)
    case.begin()
    case.lacks("a")
    case.stands(1, 2, 2, None)


@check
def hash_prefixes_divide_paths(case):
    repository = case.serve(Repository())
    first = hashlib.sha256(b"a").hexdigest()
    repository.delegate("other", prefixes=["%x" % ((int(first[0], 16) + 1) % 16)])
    repository.delegate("own", prefixes=["zz", first[:3]])
    repository.add_target("a", b"content", "own")
    repository.release("other", "own", "targets")
    case.begin()
    case.gets("a")
    case.same(delegated(case), ["1.own.json"])


@check(bits=[1, 4, 5, 8, 10])
def succinct_bins_are_found(case, bits):
    repository = case.serve(Repository("ed25519"))
    bins = repository.delegate_bins(bits)
    names = {path: bins.get_role_for_target(path) for path in ("a", "b/c", "d.json")}
    for path, name in names.items():
        repository.add_target(path, path.encode(), name)
    repository.release(*bins.get_roles(), "targets")
    case.begin()
    case.gets(*names)
    case.same(delegated(case), list(dict.fromkeys(f"1.{name}.json" for name in names.values())))
    case.lacks("of no bin")


@check
def a_role_that_the_snapshot_does_not_list_is_not_asked_for(case):
    repository = case.serve(Repository())
    repository.delegate("x")
    repository.publish("x")
    del repository.snapshot.meta["x.json"]
    repository.release("targets")
    case.begin()
    case.lacks("a")
    case.same(delegated(case), [])


@check
def two_who_delegate_to_one_role_with_other_keys(case):
    """Through A the role verifies, through B it does not: nothing is remembered by the name."""
    repository = case.serve(Repository())
    repository.delegate("A", ["a*"])
    repository.delegate("B", ["b*"])
    repository.delegate("C", ["*"], "A")
    held = repository.signers["C"]
    repository.signers["C"] = []
    repository.delegate("C", ["*"], "B")
    repository.signers["C"] = held
    repository.add_target("a1", b"1", "C")
    repository.add_target("b1", b"1", "C")
    repository.release("C", "A", "B", "targets")
    case.begin()
    case.gets("a1")
    case.lacks("b1", section="5.6.3")
    case.same(case.downloaded(), [b"1"])
    shutil.rmtree(case.targets)
    case.lacks("a1", "b1", section="5.6.3")
    case.same(case.downloaded(), [b"1"], "a1, which was had before b1 was refused:")


def unsigned(repository):
    repository.change("x", lambda value: value.update(signatures=[]), resign=False)


def other_version(repository):
    repository.change("x", lambda value: value["signed"].update(version=7))


def expired(repository):
    repository.change("x", lambda value: value["signed"].update(expires="2020-01-01T00:00:00Z"))


def other_type(repository):
    repository.change("x", lambda value: value["signed"].update(_type="snapshot"))


def missing(repository):
    repository.published["x"].clear()


def garbage(repository):
    repository.put("x", b"{}")


@check(spoil=[unsigned, other_version, expired, other_type, missing, garbage])
def delegated_roles_are_checked_like_the_others(case, spoil):
    repository = case.serve(Repository())
    repository.delegate("x")
    repository.delegate("y")
    repository.add_target("a", b"content", "y")
    repository.release("x", "y", "targets")
    good = dict(repository.published["x"])
    spoil(repository)
    case.begin()
    # A role that is needed and cannot be had ends the search, though y has the target.
    case.lacks("a")
    case.same(delegated(case), ["1.x.json"])
    case.stands(1, 2, 2, 2)
    repository.published["x"] = good
    case.gets("a")


@check
def a_delegated_role_that_expires_is_noticed_when_it_is_stored(case):
    repository = case.serve(Repository())
    repository.delegate("x").expires = NOW + datetime.timedelta(days=3)
    repository.add_target("a", b"content", "x")
    repository.release("x", "targets")
    case.begin()
    case.gets("a")
    case.lacks("a", at=NOW + datetime.timedelta(days=4))
    case.gets("a")


@check(threshold=[0, True, "1"])
def the_threshold_of_a_delegation_is_a_whole_number_from_one(case, threshold):
    repository = case.serve(Repository())
    repository.delegate("x")
    repository.release("x", "targets")
    repository.change("targets", lambda value: value["signed"]["delegations"]["roles"][0].update(threshold=threshold))
    case.begin()
    case.refuses()


@check
def delegations_with_thresholds_and_several_keys(case):
    repository = case.serve(Repository())
    repository.delegate("x", keys=3, threshold=2)
    repository.add_target("a", b"content", "x")
    held = repository.signers["x"]
    repository.signers["x"] = held[:1]
    repository.release("x", "targets")
    case.begin()
    case.lacks("a", section="5.6.3")
    repository.signers["x"] = held[1:]
    repository.release("x")
    case.gets("a")


@check
def a_search_ends_after_many_roles(case):
    repository = case.serve(Repository("ed25519"))
    names = [f"r{number:02}" for number in range(40)]
    for name in names:
        repository.delegate(name)
    repository.add_target("a", b"content", names[-1])
    repository.release(*names, "targets")
    case.begin()
    case.lacks("a")
    case.same(delegated(case), [f"1.{name}.json" for name in names[:32]])


@check
def spellings_of_one_letter_are_two_paths(case):
    repository = case.serve(Repository())
    repository.delegate("x", ["caf\u00e9"])
    repository.add_target("cafe\u0301", b"content", "x")
    repository.release("x", "targets")
    case.begin()
    case.lacks("cafe\u0301")
    case.same(delegated(case), [])


@check
def custom_may_hold_line_ends(case):
    repository = case.serve(Repository())
    repository.add_target("a", b"content", custom={"note": "two\nlines\t\u0001", "é": [1, None]})
    repository.release("targets")
    case.begin()
    case.gets("a")


@check
def mixed_keys_and_thresholds(case):
    """Three kinds of keys, two of three in every role, digests of two kinds, a delegation."""
    repository = case.serve(Repository(hashes=["sha512", "sha256"], listed=True))
    for role in ("root", "timestamp", "snapshot", "targets"):
        repository.add_key(role, "ed25519")
        repository.add_key(role, "rsa")
        repository.root.roles[role].threshold = 2
    repository.delegate("x", ["x/*"])
    repository.add_target("x/a", b"content", "x")
    repository.publish("root")
    for role in ("root", "timestamp", "snapshot", "targets"):
        repository.signers[role] = repository.signers[role][1:]
    repository.release("x", "targets")
    case.begin()
    case.gets("x/a")
    case.stands(2, 2, 2, 2, x=1)
