"""Writes seed corpora from the golden vectors: python3 fuzz/seed.py"""

import base64
import hashlib
import json
import pathlib

FUZZ = pathlib.Path(__file__).parent
VECTORS = FUZZ.parent / "spec" / "vectors"


def put(target, data):
    folder = FUZZ / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def text(value):
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value.encode()


def line(kind, call="c1", **members):
    return json.dumps({"kind": kind, "call": call, **members}, separators=(",", ":")).encode()


def logged(event):
    """An event of a trace as a log has it: its labels are digests, whatever they are."""
    event = json.loads(json.dumps(event))
    record = event.get("resolution", event).get("record")
    if record:
        record["digest"] = record.pop("digestOf")
    return event


for path in sorted(VECTORS.rglob("*.json")):
    raw = path.read_bytes()
    put("vectors", raw)
    for case in json.loads(raw)["cases"]:
        put("reply", b"\0\0" + json.dumps({"id": "1", "output": case["expected"]}).encode())
        if case["op"].startswith("key."):
            put("key", text(case["input"]["subject"]))
        if case["op"] == "verdict.parse":
            put("verdict", text(case["input"]["output"]))
        if case["op"] == "outcome.mint" and "record" in case["expected"]:
            put("audit", line("outcome", record=case["expected"]["record"]))
            put("audit", line("exit", seq=2, runs="d", record=case["expected"]["record"]))
        if case["op"] == "ledger.trace":
            for seq, event in enumerate(case["input"]["events"]):
                put("audit", line("event", case["input"]["call"], seq=seq, event=logged(event)))
for at in range(56):
    put("ledger", bytes([at, (at * 7) % 56, (at * 13) % 56]))
