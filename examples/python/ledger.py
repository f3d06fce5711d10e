"""The settlement ledger: latest resolution wins (spec/ledger.md).

Settlements, records and decisions are dicts in the spelling of the wire; bytes
are known by their digest alone.
"""

import hashlib
import json
from typing import Optional

from outcome import is_refusal, refused


class Fault(Exception):
    """A resolver that speaks another contract (LED-15)."""


ALLOW = {"decision": "allow"}
ASK = {"decision": "ask"}


def deny(layer: str) -> dict:
    return {"decision": "deny", "deniedBy": layer}


def digest(value) -> str:
    """The same for the same input alone (LED-27)."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class Ledger:
    """Which ask a pass consumed (LED-01). `settled` is a settlement, the origin of
    its ask and of a yes its licence; or None."""

    def __init__(self, call: str):
        self.call = call
        self.settled = None

    def settle(self, settlement: dict, origin: str, licensed: Optional[str] = None):
        self.settled = {"settlement": settlement, "origin": origin}  # LED-02
        if licensed is not None:
            self.settled["licensed"] = licensed

    def set(self, reason: str, origin: str):
        self.settle(refused(reason), origin)  # LED-04

    def resolved(self, resolution: dict, asked: dict, request: str) -> dict:
        """Reads what a resolver handed back for the ask that was put."""
        if "settlement" in resolution:  # LED-15
            raise Fault("the resolution carries the retired member `settlement`")
        origin = asked["origin"]
        licenses = resolution.get("edited", request)  # LED-08
        record = resolution.get("record")
        if record is None or not self.counts(record, asked, licenses):
            if resolution["decision"] == "deny":  # LED-12
                return self.broken_contract(origin)
            if asked.get("realApproval"):  # LED-13
                return self.broken_contract(origin)
            return ALLOW  # LED-14
        if is_refusal(record["settlement"]):  # LED-09
            self.settle(record["settlement"], origin)
            return deny("ask_resolution")
        if resolution["decision"] == "deny":  # LED-11
            return self.broken_contract(origin)
        self.settle(record["settlement"], origin, licenses)  # LED-10
        return ALLOW

    def counts(self, record: dict, asked: dict, licenses: str) -> bool:
        return (
            record["call"] == self.call  # LED-05
            and record["origin"] == asked["origin"]  # LED-06
            and set(record["classes"]) == set(asked["classes"])  # LED-07
            and record["digest"] == licenses  # LED-08
        )

    def broken_contract(self, origin: str) -> dict:
        self.settle(refused("approver_contract"), origin)  # LED-11, LED-12, LED-13
        return deny("ask_resolution")

    def decision(self, decision: str, record: Optional[dict], runs: str) -> dict:
        """Reads what a layer says that may have asked on its own."""
        if decision == "ask":  # LED-21
            return ASK
        if record is None or record["call"] != self.call:  # LED-05, LED-16
            return ALLOW if decision == "allow" else deny("policy")
        settlement, origin = record["settlement"], record["origin"]
        if is_refusal(settlement):  # LED-17
            self.settle(settlement, origin)
            return deny("ask_resolution")
        if decision == "deny":  # LED-18
            self.settle(settlement, origin, record["digest"])
            return deny("policy")
        if record["digest"] == runs:  # LED-19, LED-20
            self.settle(settlement, origin, runs)
        return ALLOW

    def supersede(self):
        self.settled = None  # LED-22

    def keep_for_bytes(self, runs: str):
        if self.settled is None or is_refusal(self.settled["settlement"]):  # LED-24
            return
        if self.settled["licensed"] != runs:  # LED-23
            self.settled = None

    def cause_of(self, decision: str, classified: Optional[dict]) -> Optional[str]:
        if decision != "deny":  # LED-25
            return None
        return self.read(classified, "cause")

    def classifier_round_of(self, classified: Optional[dict]) -> Optional[str]:
        return self.read(classified, "round")  # LED-26: on an allow, too

    def read(self, classified: Optional[dict], member: str) -> Optional[str]:
        if classified is None or classified["call"] != self.call:  # LED-25, LED-26
            return None
        return classified.get(member)


# On the wire


class Trace:
    """A case: events name bytes by labels, the ledger knows their digests."""

    def __init__(self, question: dict):
        self.ledger = Ledger(question["call"])
        self.digests = {label: digest(value) for label, value in question["bytes"].items()}
        self.labels = {digest: label for label, digest in self.digests.items()}

    def step(self, event: dict) -> dict:
        try:
            step = EVENTS[event["event"]](self, event)
        except Fault:
            step = {"fault": True}
        return {**step, "settled": self.settled()}

    def settled(self):
        settled = self.ledger.settled
        if settled is None or "licensed" not in settled:
            return settled
        return {**settled, "licensed": self.labels[settled["licensed"]]}

    def record(self, holder: dict) -> Optional[dict]:
        record = holder.get("record")
        return record and {**record, "digest": self.digests[record["digestOf"]]}

    def set(self, event):
        self.ledger.set(event["reason"], event["origin"])
        return {}

    def resolved(self, event):
        resolution = dict(event["resolution"])
        if "record" in resolution:
            resolution["record"] = self.record(resolution)
        if "edited" in resolution:
            resolution["edited"] = self.digests[resolution["edited"]]
        return self.ledger.resolved(resolution, event["asked"], self.digests[event["request"]])

    def decision(self, event):
        runs = self.digests[event["runs"]]
        return self.ledger.decision(event["decision"], self.record(event), runs)

    def supersede(self, event):
        self.ledger.supersede()
        return {}

    def keep_for_bytes(self, event):
        self.ledger.keep_for_bytes(self.digests[event["runs"]])
        return {}

    def cause_of(self, event):
        cause = self.ledger.cause_of(event["decision"], event.get("classified"))
        return {} if cause is None else {"cause": cause}

    def classifier_round_of(self, event):
        round_ = self.ledger.classifier_round_of(event.get("classified"))
        return {} if round_ is None else {"round": round_}


EVENTS = {
    "set": Trace.set,
    "resolved": Trace.resolved,
    "decision": Trace.decision,
    "supersede": Trace.supersede,
    "keepForBytes": Trace.keep_for_bytes,
    "causeOf": Trace.cause_of,
    "classifierRoundOf": Trace.classifier_round_of,
}


def trace(question: dict) -> dict:
    case = Trace(question)
    return {"steps": [case.step(event) for event in question["events"]]}


OPS = {
    "ledger.trace": trace,
    "ledger.digest": lambda question: {"same": digest(question["a"]) == digest(question["b"])},
}
