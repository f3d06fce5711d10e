"""An adapter for gatespec: reads questions on stdin, writes your gate's answers on stdout.

Check it with:  gatespec check -- python3 adapter.py
What is wrong:  gatespec doctor -- python3 adapter.py

The `key` suite is answered here so that you see one work. Replace its functions with calls into
your gate, then take on the next suite: add it to SUITES, and answer its ops as the section
`On the wire` of its chapter says (spec/<suite>.md).
"""

import json
import sys

NAME, VERSION = "my-gate", "0.1"
SUITES = ["key"]
LACKS = ["bytes"]  # subjects here are text; see `Words for lacks` in each chapter


def plan_key(subject):
    """KEY-01 to KEY-08: the parts of a plan key, or None."""
    if not subject.startswith("node:"):
        return None
    rest, iteration = subject[5:], None
    if rest.startswith("iter:"):
        number, colon, after = rest[5:].partition(":")
        digits = number.isascii() and number.isdigit()
        if colon and digits and str(int(number)) == number and int(number) < 2**63:
            iteration, rest = number, after
    node, colon, tail = rest.partition(":")
    if not node:
        return None
    parts = {"key": subject[: len(subject) - len(colon + tail)], "node": node}
    if iteration is not None:
        parts["iteration"] = iteration
    if colon:
        if not tail.startswith("step:") or tail == "step:":
            return None
        parts["step"] = tail[5:]
    return parts


def node_name(subject):
    """KEY-10."""
    parts = plan_key(subject)
    return parts["node"] if parts and "step" not in parts else None


def base(subject):
    """KEY-13 to KEY-17."""
    if subject.startswith("node:"):
        before = subject.removesuffix(":taint")
        if before != subject and not plan_key(subject) and node_name(before) is not None:
            return {"base": before, "instance": True}
    elif subject.endswith("#taint"):
        return {"base": subject[:-6], "instance": True}
    return {"base": subject, "instance": False}


OPS = {
    "key.planKey": lambda i: {"planKey": plan_key(i["subject"])},
    "key.isNodeKey": lambda i: {"isNodeKey": node_name(i["subject"]) is not None},
    "key.nodeName": lambda i: {"nodeName": node_name(i["subject"])},
    "key.nodeInstance": lambda i: {"instance": i["subject"] + ":taint"},
    "key.id": lambda i: {"instance": i["subject"] + "#taint"},
    "key.base": lambda i: base(i["subject"]),
    "key.liveId": lambda i: {"live": "#" not in i["subject"] and not i["subject"].startswith("node:")},
    # next: "outcome.mint", spec/outcome.md, I1 to I4
}


def answer(message):
    op = OPS.get(message["op"])
    if op is None:
        return {"id": message["id"], "unsupported": message["op"]}
    try:
        return {"id": message["id"], "output": op(message["input"])}
    except Exception as error:  # a gate that breaks is a failure, never a refusal
        return {"id": message["id"], "error": repr(error)}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "hello" in message:
            hello = {"protocol": 1, "name": NAME, "version": VERSION, "language": "python"}
            reply = {"hello": {**hello, "suites": SUITES, "lacks": LACKS}}
        elif "bye" in message:
            break
        else:
            reply = answer(message)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
