#!/usr/bin/env python3
"""A control in Python, standard library only.

It lets tools that only read pass, refuses `rm -rf`, and holds the rest for a person. Whatever it
cannot read ends it with exit code 1: the harness takes that for a fault, and nothing runs.

Try it: gatespec control -- python3 examples/control/control.py
"""

import json
import sys

READERS = ("read", "list", "search", "http_get")


def read_request(stdin: bytes) -> dict:
    """The request: one JSON object with five members. Members that are not known are ignored."""
    request = json.loads(stdin.decode("utf-8"))
    if not isinstance(request, dict) or "input" not in request:
        raise ValueError("not a request")
    for member in ("id", "name", "role", "agent_id"):
        if not isinstance(request.get(member), str):
            raise ValueError(f"`{member}` is no string")
    return request


def decide(name: str, tool_input: object) -> dict:
    """The policy. It looks at the request alone, so that asking twice gives the same answer."""
    if name.startswith(READERS):
        return {"verdict": "pass"}
    if "rm -rf" in json.dumps(tool_input):
        return {"verdict": "refuse", "reason": "rm -rf is not for agents"}
    return {"verdict": "hold", "reason": f"{name} changes things: a person looks at it first"}


def main() -> int:
    try:
        request = read_request(sys.stdin.buffer.read())
    except (ValueError, RecursionError) as error:
        print(f"control: {error}", file=sys.stderr)
        return 1
    print(json.dumps(decide(request["name"], request["input"])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
