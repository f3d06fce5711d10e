"""The tool-control seam (spec/verdict.md).

`parse` reads what a control printed, `adjudicate` rules on what became of it.
Whatever is not a clear answer is a fault.
"""

import json

from wire import read_text


class Fault(Exception):
    """What a control did wrong."""


# The verdict


def parse(output: bytes) -> dict:
    """The verdict that a control printed; raises a Fault where it is none."""
    verdict = read_object(output)
    for name in verdict:
        if name not in ("verdict", "reason"):  # VER-19
            raise Fault(f"unknown member {name!r}")
    word = verdict.get("verdict")
    if word == "pass":  # VER-17
        if "reason" in verdict:  # VER-18: a null too, which an implementation may allow
            raise Fault("a pass with a reason")
        return {"verdict": word}
    if word in ("refuse", "hold"):  # VER-17
        if not isinstance(verdict.get("reason"), str):  # VER-18
            raise Fault(f"a {word} without a reason")
        return {"verdict": word, "reason": verdict["reason"]}  # VER-22
    raise Fault(f"no such verdict: {word!r}")  # VER-17


def read_object(output: bytes) -> dict:
    """The one JSON object of the output (VER-16, VER-21)."""
    try:
        value = json.loads(
            output.decode(),  # decoded here: `loads` would take UTF-16 and a byte order mark
            object_pairs_hook=members,
            parse_constant=no_constant,
        )
        json.dumps(value, ensure_ascii=False).encode()  # VER-21: fails at a lone surrogate
    except (ValueError, RecursionError) as error:  # VER-21: however deep
        raise Fault(f"no JSON: {error}") from None
    if not isinstance(value, dict):  # VER-16
        raise Fault("no object")
    return value


def members(pairs) -> dict:
    """An object's members, their names' escapes read."""
    found = dict(pairs)
    if len(found) < len(pairs):  # VER-20
        raise Fault("a member is given twice")
    return found


def no_constant(word):
    raise Fault(f"{word} is no JSON")  # VER-21: Python's parser takes NaN and Infinity


# The request


def request(call: dict) -> dict:
    return {  # VER-03
        "id": call["id"],
        "name": call["name"],
        "input": call["input"],  # VER-04
        "role": call["role"],
        "agent_id": call["agentId"],
    }


# The seam


def rule(answer: dict, stop: bool) -> dict:
    """What the control's end comes to; raises a Fault where it failed."""
    if "spawn" in answer:  # VER-08
        raise Fault("it did not spawn")
    if "timedOut" in answer:  # VER-12: under the stop flag too
        raise Fault("it did not end in time")
    if "signal" in answer:
        if stop:  # VER-13
            return {"gate": "stopped"}
        raise Fault(f"killed by signal {answer['signal']}")  # VER-09
    if answer["exit"] != 0:  # VER-10: whatever it printed
        raise Fault(f"exit code {answer['exit']}")
    verdict = parse(read_text(answer["stdout"]))  # VER-11, VER-14: a verdict stands
    if verdict["verdict"] == "pass":
        return {"gate": "proceed"}  # VER-05
    return {"gate": verdict["verdict"], "reason": verdict["reason"]}  # VER-06, VER-07


def adjudicate(question: dict) -> dict:
    if not question["configured"]:  # VER-01
        return {"gate": "proceed", "consulted": False}
    call = question["call"]
    try:
        ruling = rule(question["answer"], question["stop"])
    except Fault as fault:  # VER-15
        ruling = {
            "gate": "fault",
            "command": question["command"],
            "tool": call["name"],
            "detail": str(fault),
        }
    return {**ruling, "consulted": True}  # VER-02


def refusal_text(question: dict) -> dict:
    text = f"{question['tool']} was refused: {question['reason']}"  # VER-23
    return {"text": text, "isError": True}  # VER-24: no exit code, since no child ran


# On the wire


def wire_parse(question: dict) -> dict:
    try:
        return parse(read_text(question["output"]))
    except Fault as fault:
        return {"fault": str(fault)}


OPS = {
    "verdict.parse": wire_parse,
    "verdict.request": lambda question: {"request": request(question["call"])},
    "verdict.adjudicate": adjudicate,
    "verdict.refusalText": refusal_text,
}
