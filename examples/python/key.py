"""The subject grammar (spec/key.md).

A subject is a string of bytes, so everything here works on `bytes`; only the
wire functions at the end know that JSON text is not.
"""

import re
from typing import NamedTuple, Optional

from wire import read_text, write_text

ITERATION = re.compile(rb"iter:(0|[1-9][0-9]*):")  # KEY-02: no leading zero, no sign
ITERATION_MAX = b"9223372036854775807"  # KEY-03

NODE_INSTANCE = b":taint"  # KEY-11
CALL_INSTANCE = b"#taint"  # KEY-12


class PlanKey(NamedTuple):
    key: bytes  # of the node, without the Step
    iteration: Optional[bytes]
    node: bytes
    step: Optional[bytes]


def plan_key(subject: bytes) -> Optional[PlanKey]:
    """The one parser (KEY-01). It reads from the left and never goes back (KEY-05)."""
    if not subject.startswith(b"node:"):
        return None
    iteration, start = cut_iteration(subject, len(b"node:"))
    colon = subject.find(b":", start)  # KEY-08: only the first `:` may begin the Step's tail
    end = len(subject) if colon < 0 else colon
    node, tail = subject[start:end], subject[end:]
    if not node:  # KEY-06
        return None
    if not tail:  # KEY-09
        return PlanKey(subject, iteration, node, None)
    if not tail.startswith(b":step:"):  # KEY-08
        return None
    step = tail[len(b":step:"):]  # KEY-08: all of the rest, `:` too
    if not step:  # KEY-08
        return None
    return PlanKey(subject[:end], iteration, node, step)


def cut_iteration(subject: bytes, start: int):
    """The iteration that opens at `start`, if one does, and where the node name begins."""
    found = ITERATION.match(subject, start)
    if found is None:  # KEY-04: a node named `iter`, or any other
        return None, start
    number = found.group(1)
    if (len(number), number) > (len(ITERATION_MAX), ITERATION_MAX):  # KEY-03
        return None, start
    return number, found.end()


def is_node_key(subject: bytes) -> bool:
    parsed = plan_key(subject)
    return parsed is not None and parsed.step is None  # KEY-09


def node_name(subject: bytes) -> Optional[bytes]:
    parsed = plan_key(subject)
    if parsed is None or parsed.step is not None:  # KEY-10
        return None
    return parsed.node


def node_instance(key: bytes) -> bytes:
    return key + NODE_INSTANCE  # KEY-11


def call_instance(tool_use_id: bytes) -> bytes:
    return tool_use_id + CALL_INSTANCE  # KEY-12: whatever the id looks like


def base(subject: bytes):
    """What the subject is about, and whether it is an instance of that."""
    if plan_key(subject) is not None:  # KEY-13, KEY-17
        return subject, False
    if subject.startswith(b"node:"):
        head = subject[:-len(NODE_INSTANCE)]
        if subject.endswith(NODE_INSTANCE) and is_node_key(head):  # KEY-14
            return head, True
        return subject, False  # KEY-16: `#taint` is the suffix of calls only
    if subject.endswith(CALL_INSTANCE):  # KEY-15
        return subject[:-len(CALL_INSTANCE)], True
    return subject, False  # KEY-16: `:taint` is the suffix of nodes only


def is_live_id(tool_use_id: bytes) -> bool:
    if tool_use_id == b"":  # KEY-18: left to the implementation; this one refuses it
        return False
    return b"#" not in tool_use_id and not tool_use_id.startswith(b"node:")  # KEY-18


# On the wire


def wire_plan_key(parsed: Optional[PlanKey]):
    if parsed is None:
        return None
    parts = parsed._asdict()
    return {name: write_text(part) for name, part in parts.items() if part is not None}


def wire_base(subject: bytes):
    about, instance = base(subject)
    return {"base": write_text(about), "instance": instance}


def op(answer):
    """An op of this suite: its one input is a subject."""
    return lambda question: answer(read_text(question["subject"]))


OPS = {
    "key.planKey": op(lambda subject: {"planKey": wire_plan_key(plan_key(subject))}),
    "key.isNodeKey": op(lambda subject: {"isNodeKey": is_node_key(subject)}),
    "key.nodeName": op(lambda subject: {"nodeName": write_text(node_name(subject))}),
    "key.nodeInstance": op(lambda subject: {"instance": write_text(node_instance(subject))}),
    "key.id": op(lambda subject: {"instance": write_text(call_instance(subject))}),
    "key.base": op(wire_base),
    "key.liveId": op(lambda subject: {"live": is_live_id(subject)}),
}
