"""The workflow of the four top-level roles: order of requests, what is stored, and what is refused (5.2 to 5.6)."""
import datetime
import hashlib
import json

from case import check
from simulator import LATER, NOW, TOP, Repository, canonical, raw_sign

FIRST = ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"]
DAY = datetime.timedelta(days=1)


@check(keytype=["ecdsa", "ed25519", "rsa"])
@check(listed=[False, True])
def the_first_refresh_and_the_next(case, keytype="ecdsa", listed=False):
    repository = case.serve(Repository(keytype, listed=listed))
    case.begin()
    case.accepts()
    case.same(case.asked(), FIRST)
    for role in TOP:
        case.same(case.file(role), repository.published[role][1], role)
    case.accepts()
    case.same(case.asked(), ["2.root.json", "timestamp.json"])
    case.stands(1, 1, 1, 1)


def without_version(pin):
    del pin["signed"]["version"]


def with_wrong_signature(pin):
    pin["signatures"][0]["sig"] = "3045022100" + "ab" * 67


def without_signature(pin):
    pin["signatures"] = []


def with_other_type(pin):
    pin["signed"]["_type"] = "targets"


@check(spoil=[without_version, with_wrong_signature, without_signature, with_other_type, b"", b"{", b"null", b"\xff"])
def a_bad_initial_root_ends_before_any_request(case, spoil):
    repository = case.serve(Repository())
    pin = json.loads(repository.published["root"][1])
    if callable(spoil):
        spoil(pin)
    case.begin(spoil if isinstance(spoil, bytes) else json.dumps(pin).encode())
    case.refuses("5.2" if callable(spoil) and spoil is not with_other_type and spoil is not without_version else None)
    case.same(case.asked(), [])


@check
def an_expired_initial_root_is_no_matter(case):
    repository = case.serve(Repository())
    repository.root.expires = NOW - DAY
    repository.publish("root", bump=False)
    case.begin()
    repository.root.expires = LATER
    repository.publish("root")
    case.accepts()
    case.stands(2, 1, 1, 1)


@check
def a_download_refreshes_first(case):
    case.serve(Repository())
    case.begin()
    case.lacks("nothing of that name")
    case.same(case.asked(), FIRST)
    case.stands(1, 1, 1, 1)


@check
def a_timestamp_of_the_same_version_changes_nothing(case):
    repository = case.serve(Repository())
    case.begin()
    case.accepts()
    case.asked()
    before = case.file("timestamp")
    repository.timestamp.snapshot_meta.version = 100
    repository.publish("timestamp", bump=False)
    case.accepts()
    case.same(case.asked(), ["2.root.json", "timestamp.json"])
    case.same(case.file("timestamp"), before)


@check
def unknown_members_are_signed_over_and_ignored(case):
    repository = case.serve(Repository())
    case.begin()
    repository.root.unrecognized_fields["x"] = {"a": ["\n\t\u0001é\U0001f600", None, True, -5]}
    for role in TOP:
        repository.root.roles[role].unrecognized_fields["y"] = 1
        repository.signed(role).unrecognized_fields["z"] = {"é": 1, "\uff61": 3, "\U0001f600": 4}
    repository.publish("root")
    repository.release("targets")
    case.accepts()
    case.stands(2, 2, 2, 2)


@check(role=["timestamp", "snapshot", "targets"])
def a_role_that_nobody_signed(case, role):
    repository = case.serve(Repository())
    case.begin()
    case.accepts()
    repository.release("targets")
    repository.change(role, lambda value: value.update(signatures=[]), resign=False)
    case.refuses({"timestamp": "5.4.2", "snapshot": "5.5.3", "targets": "5.6.3"}[role])
    stood = {"timestamp": (1, 1, 1, 1), "snapshot": (1, 2, 1, 1), "targets": (1, 2, 2, 1)}[role]
    case.stands(*stood)
    # A refusal never makes the next run fail.
    repository.publish(role, bump=False)
    case.accepts()
    case.stands(1, 2, 2, 2)


@check
def a_root_that_nobody_signed(case):
    repository = case.serve(Repository())
    case.begin()
    repository.publish("root")
    repository.change("root", lambda value: value.update(signatures=[]), resign=False)
    case.refuses("5.3.4")
    case.same(case.asked(), ["2.root.json"])
    case.stands(1, None, None, None)


@check(role=TOP)
def a_role_of_another_type(case, role):
    repository = case.serve(Repository())
    case.begin()
    repository.publish("root")
    repository.change(role, lambda value: value["signed"].update(_type="mirrors"))
    case.refuses()
    order = list(TOP).index(role)
    case.same(list(case.versions().values()), list({"root": [1], "timestamp": [2], "snapshot": [2, 1], "targets": [2, 1, 1]}[role]))
    assert len(case.asked()) == [1, 3, 4, 5][order]


@check(role=["timestamp", "snapshot", "targets"])
def a_role_that_is_missing(case, role):
    repository = case.serve(Repository())
    case.begin()
    repository.published[role].clear()
    case.refuses({"timestamp": "5.4.1", "snapshot": "5.5.1", "targets": "5.6.1"}[role])
    case.stands(1, *{"timestamp": (None, None, None), "snapshot": (1, None, None), "targets": (1, 1, None)}[role])


@check(role=["timestamp", "snapshot", "targets"])
def a_role_that_has_expired(case, role):
    repository = case.serve(Repository())
    case.begin()
    repository.signed(role).expires = NOW - DAY
    repository.release("targets")
    case.refuses({"timestamp": "5.4.4", "snapshot": "5.5.6", "targets": "5.6.5"}[role])
    case.stands(1, *{"timestamp": (None, None, None), "snapshot": (2, None, None), "targets": (2, 2, None)}[role])


@check
def an_expired_final_root_is_stored_and_nothing_after_it(case):
    repository = case.serve(Repository())
    case.begin()
    repository.root.expires = NOW - DAY
    repository.publish("root")
    case.refuses("5.3.10")
    case.same(case.asked(), ["2.root.json", "3.root.json"])
    case.stands(2, None, None, None)
    repository.root.expires = LATER
    repository.publish("root")
    case.accepts()
    case.stands(3, 1, 1, 1)


@check(role=["timestamp", "snapshot", "targets"])
def what_expires_between_two_runs_is_noticed(case, role):
    repository = case.serve(Repository())
    repository.signed(role).expires = NOW + 7 * DAY
    repository.release("targets")
    case.begin()
    case.accepts()
    case.refuses(at=NOW + 8 * DAY)
    case.stands(1, 2, 2, 2)
    case.accepts()


@check
def a_clock_that_is_set_back_locks_nobody_out(case):
    case.serve(Repository())
    case.begin()
    case.accepts()
    case.accepts(at=NOW - 365 * DAY)
    case.accepts()


@check
def timestamps_may_not_go_back(case):
    repository = case.serve(Repository())
    repository.publish("timestamp")
    case.begin()
    case.accepts()
    repository.published["timestamp"].pop(2)
    case.refuses("5.4.3.1")
    case.stands(1, 2, 1, 1)


@check
def the_snapshot_that_a_timestamp_names_may_not_go_back(case):
    repository = case.serve(Repository())
    repository.release("targets")
    case.begin()
    case.accepts()
    case.asked()
    repository.timestamp.snapshot_meta.version = 1
    repository.publish("timestamp")
    case.refuses("5.4.3.2")
    case.same(case.asked(), ["2.root.json", "timestamp.json"])
    case.stands(1, 2, 2, 2)


@check
def the_targets_that_a_snapshot_names_may_not_go_back(case):
    repository = case.serve(Repository())
    repository.release("targets")
    case.begin()
    case.accepts()
    repository.snapshot.meta["targets.json"].version = 1
    repository.publish("snapshot", "timestamp")
    case.refuses("5.5.5")
    case.stands(1, 3, 2, 2)
    case.refuses("5.5.5")


@check
def a_role_may_not_vanish_from_the_snapshot(case):
    repository = case.serve(Repository())
    repository.delegate("extra")
    repository.release("extra", "targets")
    case.begin()
    case.accepts()
    del repository.snapshot.meta["extra.json"]
    repository.publish("snapshot", "timestamp")
    case.refuses("5.5.5")
    case.stands(1, 3, 2, 2)


@check(role=["snapshot", "targets"])
def a_file_must_have_the_version_that_is_named(case, role):
    repository = case.serve(Repository())
    case.begin()
    repository.release("targets")
    repository.change(role, lambda value: value["signed"].update(version=1))
    case.refuses({"snapshot": "5.5.4", "targets": "5.6.4"}[role])


@check(version=[1, 3, 4])
def a_root_must_be_the_next(case, version):
    repository = case.serve(Repository())
    case.begin()
    repository.publish("root")
    repository.change("root", lambda value: value["signed"].update(version=version))
    case.refuses("5.3.5")
    case.stands(1, None, None, None)


@check(role=["snapshot", "targets"])
def a_file_must_have_the_digest_and_length_that_are_named(case, role):
    repository = case.serve(Repository(listed=True))
    case.begin()
    case.accepts()
    repository.release("targets")
    data = repository.published[role][2]
    repository.put(role, data.replace(b"{", b"{ ", 1))
    case.refuses({"snapshot": "5.5", "targets": "5.6"}[role])
    repository.put(role, data.replace(b"1", b"2", 1) if b"1" in data else data[:-1])
    case.refuses({"snapshot": "5.5", "targets": "5.6"}[role])
    case.stands(*{"snapshot": (1, 2, 1, 1), "targets": (1, 2, 2, 1)}[role])
    repository.put(role, data)
    case.accepts()
    case.stands(1, 2, 2, 2)


@check
def digests_of_which_none_is_known_are_refused(case):
    repository = case.serve(Repository(listed=True))
    case.begin()
    repository.release("targets")
    repository.change("timestamp", lambda value: value["signed"]["meta"]["snapshot.json"].update(hashes={"md5": "00" * 16}))
    case.refuses("5.5.2")


@check(status=[404, 403])
def the_walk_of_the_roots_ends_where_there_is_none(case, status):
    repository = case.serve(Repository())
    repository.instead["2.root.json"] = status
    case.begin()
    case.accepts()
    case.same(case.asked(), FIRST)


@check(status=[500, 400, 401])
def another_answer_in_place_of_a_root_is_no_end_of_the_walk(case, status):
    repository = case.serve(Repository())
    repository.instead["2.root.json"] = status
    case.begin()
    case.refuses()
    assert "timestamp.json" not in case.asked()
    case.stands(1, None, None, None)
    del repository.instead["2.root.json"]
    case.accepts()


@check(role=["root", "timestamp", "snapshot", "targets"])
def fifteen_rotations_and_back(case, role):
    repository = case.serve(Repository())
    case.begin()
    case.accepts()
    count = 15 if role == "root" else 10
    for _ in range(count):
        old = repository.rotate(role)
        repository.publish("root", extra=old if role == "root" else ())
    if role != "root":
        repository.release("targets") if role == "targets" else repository.release()
        if role == "timestamp":
            repository.publish("timestamp")
    case.asked()
    case.accepts()
    requests = case.asked()
    case.same(requests[: count + 1], [f"{version}.root.json" for version in range(2, count + 3)])
    assert case.versions()["root"] == count + 1


@check(count=[1, 2])
def a_root_needs_the_signatures_of_the_one_before_and_its_own(case, count):
    """Without the old key, or without the new one, the next root is refused; with both it is taken."""
    repository = case.serve(Repository())
    case.begin()
    old = repository.rotate("root", count)
    repository.publish("root")
    case.refuses("5.3.4")
    new, repository.signers["root"] = repository.signers["root"], old
    repository.publish("root", bump=False)
    case.refuses("5.3.4")
    case.stands(1, None, None, None)
    repository.signers["root"] = new
    repository.publish("root", bump=False, extra=old)
    case.accepts()
    case.stands(2, 1, 1, 1)


@check
def fast_forward_of_timestamp_is_recovered_from(case):
    repository = case.serve(Repository())
    repository.timestamp.version = 99_999
    repository.publish("timestamp")
    case.begin()
    case.accepts()
    case.same(case.versions()["timestamp"], 100_000)
    repository.published["timestamp"] = {}
    repository.timestamp.version = 1
    repository.publish("timestamp", bump=False)
    case.refuses("5.4.3.1")
    repository.rotate("timestamp")
    repository.publish("root")
    repository.publish("timestamp", bump=False)
    case.accepts()
    case.stands(2, 1, 1, 1)


@check
def fast_forward_of_snapshot_is_recovered_from(case):
    repository = case.serve(Repository())
    repository.snapshot.version = 99_999
    repository.release()
    case.begin()
    case.accepts()
    case.same(case.versions()["snapshot"], 100_000)
    repository.snapshot.version = 1
    repository.publish("snapshot", bump=False)
    repository.publish("timestamp")
    case.refuses("5.4.3.2")
    repository.rotate("snapshot")
    repository.rotate("timestamp")
    repository.publish("root")
    repository.publish("snapshot", bump=False)
    repository.publish("timestamp")
    case.accepts()
    case.same(case.versions()["snapshot"], 1)


@check
def fast_forward_of_targets_is_recovered_from(case):
    repository = case.serve(Repository())
    repository.targets.version = 99_999
    repository.release("targets")
    case.begin()
    case.accepts()
    case.same(case.versions()["targets"], 100_000)
    repository.targets.version = 1
    repository.publish("targets", bump=False)
    repository.publish("snapshot", "timestamp")
    case.refuses("5.5.5")
    repository.rotate("snapshot")
    repository.publish("root")
    repository.publish("snapshot", "timestamp")
    case.accepts()
    case.same(case.versions()["targets"], 1)


@check
def a_key_that_is_only_added_forgets_nothing(case):
    repository = case.serve(Repository())
    repository.publish("timestamp")
    case.begin()
    case.accepts()
    repository.add_key("timestamp")
    repository.publish("root")
    repository.published["timestamp"].pop(2)
    case.refuses("5.4.3.1")


@check(threshold=[2, 3])
def thresholds_count_what_has_signed(case, threshold):
    repository = case.serve(Repository())
    case.begin()
    for _ in range(2):
        repository.add_key("snapshot")
    repository.root.roles["snapshot"].threshold = threshold
    repository.publish("root")
    held = repository.signers["snapshot"]
    repository.signers["snapshot"] = held[: threshold - 1]
    repository.release()
    case.refuses("5.5.3")
    repository.signers["snapshot"] = held[:threshold]
    repository.release()
    case.accepts()
    case.same(case.versions()["snapshot"], 3)


@check
def a_threshold_above_the_number_of_keys_is_never_met(case):
    repository = case.serve(Repository())
    case.begin()
    repository.root.roles["snapshot"].threshold = 2
    repository.publish("root")
    case.refuses("5.5.3")


@check
def one_key_under_several_names_counts_once(case):
    """Even with a correct signature under each: the id of a key covers members that do not change the key."""
    repository = case.serve(Repository())
    case.begin()
    signer = repository.signers["timestamp"][0]
    value = json.loads(repository.published["root"][1])
    signed = value["signed"]
    signed["version"] = 2
    role = signed["roles"]["timestamp"]
    key = dict(signed["keys"][role["keyids"][0]], note="the same key")
    twin = hashlib.sha256(canonical(key)).hexdigest()
    signed["keys"][twin] = key
    role["keyids"].append(twin)
    role["threshold"] = 2
    repository.published["root"][2] = raw_sign(value, repository.signers["root"])
    stamp = json.loads(repository.published["timestamp"][1])
    first = signer.sign(canonical(stamp["signed"])).signature
    stamp["signatures"] = [{"keyid": name, "sig": first} for name in role["keyids"]]
    repository.published["timestamp"][1] = json.dumps(stamp).encode()
    case.refuses("5.4.2")
    case.stands(2, None, None, None)


@check
def a_repeated_signature_is_refused(case):
    repository = case.serve(Repository())
    case.begin()
    repository.change("timestamp", lambda value: value["signatures"].append(value["signatures"][0]), resign=False)
    case.refuses()
    case.stands(1, None, None, None)


@check
def a_broken_signature_beside_enough_good_ones_is_no_matter(case):
    repository = case.serve(Repository())
    case.begin()
    repository.add_key("timestamp")
    repository.publish("root")
    for bad in ("", "zz", "00" * 70):
        repository.publish("timestamp")
        repository.change("timestamp", lambda value: value["signatures"][1].update(sig=bad), resign=False)
        case.accepts()
        case.asked()


@check
def a_key_with_a_wrong_name_counts_for_nothing(case):
    repository = case.serve(Repository())
    case.begin()
    value = json.loads(repository.published["root"][1])
    signed = value["signed"]
    signed["version"] = 2
    keyid = signed["roles"]["timestamp"]["keyids"][0]
    signed["keys"]["00" * 32] = signed["keys"].pop(keyid)
    signed["roles"]["timestamp"]["keyids"] = ["00" * 32]
    repository.published["root"][2] = raw_sign(value, repository.signers["root"])
    repository.change("timestamp", lambda value: value["signatures"][0].update(keyid="00" * 32), resign=False)
    case.refuses("5.4.2")
    case.stands(2, None, None, None)


@check(threshold=[0, -1, 1.0, True, "1", None])
def a_threshold_is_a_whole_number_from_one(case, threshold):
    repository = case.serve(Repository())
    case.begin()
    value = json.loads(repository.published["root"][1])
    value["signed"]["version"] = 2
    value["signed"]["roles"]["timestamp"]["threshold"] = threshold
    # A canonical form of numbers with fractions does not exist: signed as a whole number.
    repository.published["root"][2] = (
        raw_sign(value, repository.signers["root"]) if threshold != 1.0 or isinstance(threshold, bool)
        else json.dumps(dict(value, signatures=json.loads(repository.sign("root"))["signatures"])).encode()
    )
    case.refuses()
    case.stands(1, None, None, None)


@check(data=["null", "[]", "{}", "{", "", "[" * 200_000, '{"a":"\\ud83d"}', '{"a":1,"a":1}', '{"signed":{},"signatures":[]}', "9" * 10_000, b"\xff\xfe"])
def what_is_no_metadata_is_refused(case, data):
    repository = case.serve(Repository())
    case.begin()
    answer = data if isinstance(data, bytes) else data.encode()
    for role in ("targets", "snapshot", "timestamp", "root"):
        repository.put(role, answer, 2 if role == "root" else None)
        case.refuses()


@check(member=["signed", "signatures", "version", "keyid", "meta", "snapshot.json"])
def members_that_come_twice_are_refused(case, member):
    """In every object, signed or not. The second is the same as the first: only that it comes twice can be refused."""
    repository = case.serve(Repository())
    case.begin()
    found = []

    def pairs(members):
        value = dict(members)
        if member in value:
            found.append(value)
        return value

    text = json.dumps(json.loads(repository.published["timestamp"][1], object_pairs_hook=pairs))
    assert found, f"no object has {member}"
    part = f"{json.dumps(member)}: {json.dumps(found[-1][member])}"
    assert part in text, part
    repository.put("timestamp", text.encode())
    case.accepts()
    repository.put("timestamp", text.replace(part, f"{part}, {part}", 1).encode())
    case.refuses()


@check(version=["2.0.0", "0.9", "1", "x", 1])
def another_version_of_the_specification_is_refused(case, version):
    repository = case.serve(Repository())
    case.begin()
    repository.change("timestamp", lambda value: value["signed"].update(spec_version=version))
    case.refuses()


@check(expires=["2039-02-30T00:00:00Z", "2039-01-01T00:00:00+01:00", "2039-01-01T24:00:00Z", "2039-01-01", 5])
def a_date_has_one_form(case, expires):
    repository = case.serve(Repository())
    case.begin()
    repository.change("timestamp", lambda value: value["signed"].update(expires=expires))
    case.refuses()


def endless(handler):
    """Far more than a client may read and the buffers of two sockets hold; `ended` gets the paths that were read whole."""
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(3_200):
            handler.wfile.write(b" " * 65_536)
    except OSError:
        return
    endless.ended.append(handler.path)


endless.ended = []


@check(name=["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
def data_without_end_is_cut_off(case, name):
    repository = case.serve(Repository())
    case.begin()
    repository.instead[name] = endless
    case.refuses()
    case.same(endless.ended, [])
    del repository.instead[name]
    case.accepts()
    case.stands(1, 1, 1, 1)


@check
def a_root_that_is_too_long_is_copied_and_then_refused(case):
    case.serve(Repository())
    case.begin(case.repository.published["root"][1] + b" " * 600_000)
    case.refuses()
    case.same(case.asked(), [])


@check
def the_value_of_an_option_may_be_empty(case):
    case.serve(Repository())
    case.begin()
    assert not case.run("--metadata-dir", case.metadata, "--metadata-url=", "refresh")
    assert "missing" not in case.words, case.words


@check
def repositories_without_consistent_snapshots(case):
    repository = case.serve(Repository("ed25519", consistent=False))
    repository.add_target("dir/a.txt", b"plain")
    repository.release("targets")
    case.begin()
    case.gets("dir/a.txt")
    case.same(case.asked(), ["2.root.json", "timestamp.json", "snapshot.json", "targets.json", "targets/dir/a.txt"])
    case.stands(1, 2, 2, 2)
    case.same(case.downloaded(), [b"plain"])
