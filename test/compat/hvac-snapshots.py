"""Saves, restores and schedules snapshots with the published Python client."""

import json
import os
import sys

import hvac

facts = json.loads(os.environ["HOLDFAST_FACTS"])
client = hvac.Client(url=facts["url"], token=facts["token"])

client.sys.create_or_update_policy("kept", 'path "a" { capabilities = ["read"] }')
answer = client.sys.take_raft_snapshot()
assert answer.status_code == 200
archive = answer.content
assert archive[:2] == b"\x1f\x8b"

client.sys.create_or_update_policy("later", 'path "a" { capabilities = ["read"] }')
client.sys.restore_raft_snapshot(archive)
names = client.sys.list_policies()["data"]["policies"]
assert "kept" in names and "later" not in names

client.sys.force_restore_raft_snapshot(archive)
assert "kept" in client.sys.list_policies()["data"]["policies"]

try:
    client.sys.restore_raft_snapshot(b"no snapshot")
    raise AssertionError("a file that is not a snapshot was accepted")
except hvac.exceptions.InvalidRequest as refusal:
    assert "not readable" in str(refusal)

client.sys.create_or_update_raft_auto_snapshot_config(
    "nightly",
    interval="24h",
    storage_type="local",
    retain=3,
    path_prefix=facts["folder"],
    local_max_space=10_000_000,
)
assert client.sys.list_raft_auto_snapshot_configs()["data"]["keys"] == ["nightly"]
assert client.sys.read_raft_auto_snapshot_config("nightly")["data"]["interval"] == 86_400
status = client.sys.read_raft_auto_snapshot_status("nightly")["data"]
assert status["last_snapshot_error"] == ""
client.sys.delete_raft_auto_snapshot_config("nightly")
try:
    client.sys.list_raft_auto_snapshot_configs()
    raise AssertionError("an empty list was not refused")
except hvac.exceptions.InvalidPath:
    pass
sys.stdout.write("ok\n")
