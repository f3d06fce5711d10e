"""The operator's acts: answer, revoke, restore (spec/boundary.md)."""

from typing import NamedTuple, Optional

VERDICTS = ("pass", "refuse", "hold")  # BND-01
ACTS = {  # BND-02: the members of each envelope beside `op`
    "answer": ("workspace", "agent", "verdict"),
    "revoke": ("workspace", "agent"),
    "restore": ("workspace", "agent"),
}
SCOPES = ("call", "conversation", "workspace")  # BND-27
NEVER_STANDING = ("destructive", "secret")  # BND-30


class Refused(Exception):
    """An act that the gate does not take; nothing has changed."""


class Place(NamedTuple):
    """An agent in its workspace (BND-05), and so its conversation."""

    workspace: str
    agent: str

    def and_above(self):
        """This place and those it descends from, the nearest first (BND-04)."""
        parts = self.agent.split("-")
        for length in range(len(parts), 0, -1):
            yield Place(self.workspace, "-".join(parts[:length]))


class Held(NamedTuple):
    """The mark of a place: the call that is held there, and what was answered to it."""

    call: dict
    answer: Optional[str] = None


def envelope(act: dict) -> dict:
    """The bytes that carry an act (BND-02)."""
    ((op, words),) = act.items()
    return {"op": op, **{name: words[name] for name in ACTS[op]}}


def descends(agent: str, ancestor: str) -> bool:
    return agent.startswith(ancestor + "-")  # BND-04


class Boundary:
    def __init__(self, policy: dict, scoped: bool = False):
        self.policy = policy
        self.scoped = scoped  # the profile `scoped-answers`
        self.held = {}  # by place
        self.floors = set()  # of places
        self.standing = {}  # by place or workspace, and class

    # Rulings

    def call(self, call: dict) -> dict:
        place = Place(call["workspace"], call["agent"])
        held = self.held.get(place)
        if held is not None and held.call["id"] != call["id"]:  # BND-08
            held = None
        ruling = self.rule(place, call, held)
        if ruling != "hold":  # BND-07, BND-16
            self.held.pop(place, None)
        elif held is None:  # BND-07: a call that is held again keeps its answer
            self.held[place] = Held(call)
        mark = self.held.get(place)
        return {"ruling": ruling, "held": mark and mark.call["id"]}

    def rule(self, place: Place, call: dict, held: Optional[Held]) -> str:
        """The first that fits rules (BND-06)."""
        if held is not None and held.answer is not None:  # BND-11, BND-12, BND-13
            return held.answer
        policy = self.policy[call["effect"]]
        if policy == "refuse":  # BND-19, BND-33
            return policy
        if self.is_floored(place):  # BND-32
            return policy if call["effect"] == "read" else "hold"  # BND-17, BND-18
        return self.standing_answer(place, call) or policy

    def is_floored(self, place: Place) -> bool:
        return any(above in self.floors for above in place.and_above())  # BND-20

    def standing_answer(self, place: Place, call: dict) -> Optional[str]:
        class_ = (call["tool"], call["effect"])
        for above in place.and_above():  # BND-28, BND-31
            if (above, class_) in self.standing:
                return self.standing[above, class_]
        return self.standing.get((place.workspace, class_))  # BND-29

    # Acts

    def act(self, act: dict) -> dict:
        """The receipt of the act; raises Refused where it is not taken."""
        op = act.get("op")
        if op not in ACTS:  # BND-03
            raise Refused(f"no such act: {op!r}")
        for name in ACTS[op]:
            if name not in act:  # BND-03
                raise Refused(f"{op} without {name}")
        place = Place(act["workspace"], act["agent"])
        if op == "answer":
            return self.answer(place, act["verdict"], act.get("scope", "call"))
        if op == "revoke":
            self.floors.add(place)  # BND-24, BND-26
        else:
            self.floors.discard(place)  # BND-22, BND-24, BND-26
        return {"floored": self.is_floored(place), "drives": False}  # BND-23, BND-25

    def answer(self, place: Place, verdict: str, scope: str) -> dict:
        if verdict not in VERDICTS:  # BND-03
            raise Refused(f"no such verdict: {verdict!r}")
        if self.scoped and scope not in SCOPES:  # BND-27
            raise Refused(f"no such scope: {scope!r}")
        held = self.held.get(place)  # BND-09: read from the mark
        if held is None:  # BND-10
            raise Refused("nothing is held")
        if self.scoped and scope != "call":
            if held.call["effect"] in NEVER_STANDING:  # BND-30
                raise Refused(f"a {held.call['effect']} call is answered alone")
            where = place if scope == "conversation" else place.workspace
            class_ = (held.call["tool"], held.call["effect"])
            self.standing[where, class_] = verdict  # BND-34
        self.held[place] = held._replace(answer=verdict)  # BND-15
        return {"answered": held.call["id"], "drives": verdict != "hold"}  # BND-09, BND-14


# On the wire


def take(boundary: Boundary, event: dict) -> dict:
    """What comes of an event."""
    ((kind, what),) = event.items()
    if kind == "call":
        return boundary.call(what)
    if kind == "policy":
        boundary.policy = what
        return {"taken": True}
    try:
        return {"receipt": boundary.act(what)}
    except Refused as refused:
        return {"refused": str(refused)}


def run(question: dict, scoped: bool = False) -> dict:
    boundary = Boundary(question["policy"], scoped)
    return {"events": [take(boundary, event) for event in question["events"]]}


class Step:
    """The window of an agent whose control is the boundary."""

    def __init__(self, agent: dict):
        self.agent = agent
        self.done = set()  # ids that ran or were refused

    def drive(self, boundary: Boundary) -> dict:
        place = {"workspace": self.agent["workspace"], "agent": self.agent["agent"]}
        ruled, executed = [], []
        for call in self.agent["calls"]:
            if call["id"] in self.done:
                continue
            ruling = boundary.call({**place, **call})["ruling"]  # BND-35: when its turn comes
            ruled.append({"id": call["id"], "ruling": ruling})
            if ruling == "hold":
                break
            self.done.add(call["id"])
            if ruling == "pass":
                executed.append(call["id"])
        held = boundary.held.get(Place(**place))
        return {"ruled": ruled, "executed": executed, "held": held and held.call["id"]}


def joint(question: dict) -> dict:
    boundary = Boundary(question["policy"])
    steps = {(a["workspace"], a["agent"]): Step(a) for a in question["agents"]}

    def come(event: dict) -> dict:
        if "drive" not in event:
            return take(boundary, event)
        where = event["drive"]["workspace"], event["drive"]["agent"]
        empty = {"workspace": where[0], "agent": where[1], "calls": []}
        return steps.get(where, Step(empty)).drive(boundary)

    return {"events": [come(event) for event in question["events"]]}


def wire_descends(question: dict) -> dict:
    return {"descends": descends(question["agent"], question["ancestor"])}


OPS = {
    "boundary.verdicts": lambda question: {"verdicts": list(VERDICTS)},
    "boundary.envelope": lambda question: {"envelope": envelope(question)},
    "boundary.descends": wire_descends,
    "boundary.run": run,
    "boundary.joint": joint,
    "boundary.scoped": lambda question: run(question, scoped=True),
}
