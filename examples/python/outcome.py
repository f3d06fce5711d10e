"""The mint and its invariants (spec/outcome.md).

Facts and records are dicts in the spelling of the wire.
"""

BEFORE_THE_ASK = ("engine", "hook", "compliance", "plan_mode", "classifier", "mode")
VETOES = ("policy", "org", "write_protection", "hook_rescreen", "edit_cap")  # OUT-08
LAYERS = (*BEFORE_THE_ASK, *VETOES, "ask_resolution")  # OUT-07


class Defect(Exception):
    """The gate composed facts that no pass can end with (OUT-01)."""


def approved(by: str) -> dict:
    return {"kind": "approved", "by": by}


def refused(reason: str) -> dict:
    return {"kind": "refused", "reason": reason}


def is_refusal(settlement: dict) -> bool:
    return settlement["kind"] == "refused"


def mint(facts: dict) -> dict:
    """The one record of a pass; raises a Defect where the facts break a rule."""
    check_settled(facts.get("settled", {}))  # OUT-13: nothing known is nothing settled
    check_denied(facts)
    record = {"decision": "deny" if "deniedBy" in facts else "allow"}
    for name in ("deniedBy", "cause"):
        if name in facts:
            record[name] = facts[name]
    for name in ("settlement", "origin"):  # OUT-02: the licence is the ledger's
        if name in facts.get("settled", {}):
            record[name] = facts["settled"][name]
    for name in ("classifier", "released", "modeRefusal"):  # OUT-06: on an allow, too
        if name in facts:
            record[name] = facts[name]
    return record


def check_settled(settled: dict):
    if ("settlement" in settled) != ("origin" in settled):  # I1
        raise Defect("a settlement without an origin, or an origin without a settlement")
    if "licensed" in settled and "settlement" not in settled:  # I1
        raise Defect("a licence, and no ask that could have given it")


def check_denied(facts: dict):
    denied_by = facts.get("deniedBy")
    if denied_by is not None and denied_by not in LAYERS:  # OUT-07
        raise Defect(f"no such layer: {denied_by}")
    settlement = facts.get("settled", {}).get("settlement")
    if settlement is None:
        if denied_by == "ask_resolution":  # I2
            raise Defect("a refused ask, and no ask was settled")
    elif is_refusal(settlement):
        if denied_by is None:  # I4
            raise Defect("a refusal, and nobody refused")
        if denied_by != "ask_resolution":  # I2
            raise Defect(f"a refused ask under the name of {denied_by}")
    elif denied_by is not None and denied_by not in VETOES:  # I3, and I2 of `ask_resolution`
        raise Defect(f"a yes beside {denied_by}, which cannot veto one")
    if "cause" in facts and denied_by is None:  # OUT-03
        raise Defect("a cause, and nobody refused")
    if "released" in facts and denied_by is not None:  # OUT-04
        raise Defect("a release beside a deny")
    if "modeRefusal" in facts and denied_by != "mode":  # OUT-05
        raise Defect("the mode's refusal beside another's")


def direct_deny(layer: str) -> dict:
    if layer == "ask_resolution":  # OUT-11
        raise Defect("a refused ask, and none was put")
    return mint({"deniedBy": layer})  # OUT-10


# On the wire


def op(make):
    def answer(question: dict) -> dict:
        try:
            return {"record": make(question)}
        except Defect as defect:
            return {"defect": str(defect)}

    return answer


OPS = {
    "outcome.mint": op(lambda question: mint(question["facts"])),
    "outcome.directDeny": op(lambda question: direct_deny(question["layer"])),
}
