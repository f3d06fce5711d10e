"""A script's seats, plugged into a gate pass (spec/pass.md, On the wire)."""

import threading
from types import SimpleNamespace

from gatepass import Ask, GatePass, own
from ledger import digest
from outcome import approved

YES = {"say": "allow", "record": {"settlement": approved("person")}}
REPLACEMENTS = {  # what a seat says that the host put in another's place
    "screening": {"say": "none"},
    "policy": {"say": "allow"},
    "park": "parks",
    "resolver": {"decision": "allow"},
}


class Broken(Exception):
    """A seat that threw, never answered or was cancelled."""


def write(value):
    """Puts `written` in the place of every string, in place."""
    places = value.items() if isinstance(value, dict) else enumerate(value)
    for place, member in list(places):
        if isinstance(member, str):
            value[place] = "written"
        elif isinstance(member, (dict, list)):
            write(member)


class Script:
    """One case: the host of a pass, and what the pass did to it."""

    def __init__(self, script: dict):
        self.script = script
        self.writers = script.get("writers", ())
        self.args = [script["args"], threading.Lock()] if "unowned" in script else script["args"]
        self.consulted = []
        self.told = []
        self.host = SimpleNamespace(**self.seats(), observer=self.observe)

    def seats(self) -> dict:
        script = self.script
        clears, locks = script.get("clears", ()), script.get("locks", ())
        steady = ("probe", "unstated", "org", "classifier", "mode", "park")
        unset = ("compliance", "plan_mode", "stored_rules", "read_only_arm", "sandbox")
        return {
            **dict.fromkeys(unset),
            "screening": self.turns("screening", script.get("screening"), self.screen),
            "policy": self.turns("policy", script.get("policy"), self.rule),
            "write_protection": self.turns("write_protection", script.get("writeProtection")),
            "resolver": self.turns("resolver", script.get("resolver", [YES]), self.resolve),
            "read_station": self.steady("read_station", script.get("readStation")),
            "unshown": self.steady("content", script.get("unshown")),
            **{name: self.steady(name, script.get(name)) for name in steady},
            **{name: self.steady(name, True) for name in (*locks, *clears)},
        }

    # Seats

    def turns(self, name: str, answers, say=None):
        """A seat that gives its answers in turn, and the last again past the end."""
        if not answers:
            return None
        left = list(answers)

        def answer(seen, *more):
            said = left.pop(0) if len(left) > 1 else left[0]
            return say(said, seen, *more) if say else said

        return self.seat(name, answer)

    def steady(self, name: str, said):
        return None if said is None else self.seat(name, lambda seen: said)

    def seat(self, name: str, answer):
        def asked(handed, *more):
            seen = own(handed)
            self.begin()
            self.consulted.append({"seat": name, "input": seen})
            self.write_as(name, handed)
            return answer(seen, *more)

        return asked

    def begin(self):
        """Before the first seat answers, the host writes and replaces."""
        if self.consulted:
            return
        self.write_as("host", self.args)
        for name in self.script.get("rebinds", ()):
            said = REPLACEMENTS[name]
            setattr(self.host, name, self.seat("replaced", lambda seen, *more, said=said: said))

    def write_as(self, writer: str, value):
        if writer in self.writers and isinstance(value, (dict, list)):
            write(value)

    # What they say

    def screen(self, screen: dict, seen) -> dict:
        if screen["say"] in ("throw", "silent", "cancelled"):
            raise Broken(screen["say"])
        return screen

    def rule(self, ruling: dict, seen) -> dict:
        if ruling["say"] == "throw":
            raise Broken("throw")
        if "record" not in ruling:
            return ruling
        runs = ruling.get("rewrite", seen)
        return {**ruling, "record": self.record(ruling["record"], runs)}

    def resolve(self, resolution: dict, seen, ask: Ask) -> dict:
        if resolution["say"] == "throw":
            raise Broken("throw")
        if resolution["say"] == "retired":
            return {"decision": "allow", "settlement": approved("person")}
        said = {"decision": resolution["say"]}
        if "edit" in resolution:
            said["edit"] = resolution["edit"]
        if "record" in resolution:
            written = {"origin": ask.origin, "classes": ask.classes, **resolution["record"]}
            said["record"] = self.record(written, resolution.get("edit", seen))
        return said

    def record(self, written: dict, licensed) -> dict:
        """The engine's record, what the script leaves out filled in."""
        licenses = written.get("licenses", licensed)
        return {"call": self.script["call"], **written, "digest": digest(licenses)}

    def observe(self, outcome: dict, final):
        self.told.append({"outcome": dict(outcome), "input": own(final)})
        self.write_as("observer", final)

    # The pass

    def run(self) -> dict:
        gate = GatePass(self.host, self.script["call"], self.script["editCap"])
        result = gate.run(self.args)
        output = {"result": result.kind, "observer": self.told, "consulted": self.consulted}
        if result.outcome is not None:
            output["outcome"] = result.outcome
            output["finalInput"] = result.final_input
        if result.kind == "allow":
            output["runs"] = own(result.runs)
            self.write_as("tool", result.runs)
        if result.park_failed:
            output["parkFailed"] = True
        return output


OPS = {"pass.run": lambda question: Script(question["script"]).run()}
