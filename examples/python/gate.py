"""A tool gate in Python, as an adapter of gatespec (spec/protocol.md).

    gatespec check -- python3 examples/python/gate.py

Each suite is a module of its own, written from its chapter of the spec; this
file only speaks the protocol.
"""

import json
import os
import sys

import boundary
import key
import ledger
import outcome
import script
import verdict
import window

SUITES = {
    "key": key,
    "verdict": verdict,
    "window": window,
    "boundary": boundary,
    "outcome": outcome,
    "ledger": ledger,
    "pass": script,
}
OPS = {name: op for suite in SUITES.values() for name, op in suite.OPS.items()}

HELLO = {
    "hello": {
        "protocol": 1,
        "name": "python-example",
        "version": "1.0",
        "language": "python",
        "suites": list(SUITES),
        "profiles": ["scoped-answers"],
    }
}

CHUNK = 1 << 16

encode = json.JSONEncoder(separators=(",", ":")).encode


def answer(line: str):
    """The line that answers `line`; None for a goodbye."""
    message = json.loads(line)
    if "op" in message:
        return encode(reply(message))
    return encode(HELLO) if "hello" in message else None


def reply(request):
    op = OPS.get(request["op"])
    if op is None:
        return {"id": request["id"], "unsupported": "no such op: " + request["op"]}
    try:
        return {"id": request["id"], "output": op(request["input"])}
    except Exception as broken:  # the gate broke: a failure, not a refusal
        return {"id": request["id"], "error": f"{type(broken).__name__}: {broken}"}


def lines_by_chunk():
    """Yields the lines that have come so far; waits only when none is left."""
    rest = bytearray()
    while True:
        chunk = os.read(sys.stdin.fileno(), CHUNK)
        if not chunk:
            return
        whole, newline, tail = chunk.rpartition(b"\n")
        if not newline:  # a long line is still coming
            rest += chunk
            continue
        yield (rest + whole).decode().split("\n")
        rest = bytearray(tail)


def main():
    for lines in lines_by_chunk():
        answers = []
        for line in lines:
            answered = answer(line)
            if answered is None:
                break
            answers.append(answered + "\n")
        sys.stdout.write("".join(answers))
        sys.stdout.flush()
        if len(answers) < len(lines):  # goodbye
            return


if __name__ == "__main__":
    main()
