"""One gate pass: its stations and exits (spec/pass.md).

The host configures seats, each a function of the arguments or None. A station
that refuses raises Deny, so that nothing comes after it but the exit (PASS-14).
"""

from types import SimpleNamespace
from typing import NamedTuple, Optional

from ledger import Fault, Ledger, digest
from outcome import Defect, mint


class Deny(Exception):
    def __init__(self, layer: str, told: bool = True):
        super().__init__(layer)
        self.layer = layer
        self.told = told  # whether the observer is


class Suspended(Exception):
    """The ask is parked."""


class Ask(NamedTuple):
    origin: str
    classes: list
    real: bool  # needs a real approval


class Result(NamedTuple):
    kind: str
    outcome: Optional[dict] = None
    final_input: object = None  # never handed out: a tool and an observer get copies
    runs: object = None
    park_failed: bool = False


def own(value):
    """A deep copy of JSON data; raises TypeError at anything else."""
    if isinstance(value, dict):
        return {name: own(member) for name, member in value.items()}
    if isinstance(value, list):
        return [own(member) for member in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"a {type(value).__name__} cannot be copied")


class GatePass:
    def __init__(self, host, call: str, edit_cap: int):
        self.seats = SimpleNamespace(**vars(host))  # PASS-03
        self.ledger = Ledger(call)
        self.edit_cap = edit_cap
        self.rounds = 0
        self.input = None
        self.ask = None  # the question that stands; None where an allow does
        self.facts = {}  # of the record, beside who refused and what was settled
        self.hook_allowed = False
        self.hook_question = None
        self.policy_rewrote = False
        self.boundary_declined = False
        self.write_protected = False
        self.person_only = False
        self.park_failed = False

    def run(self, args) -> Result:
        try:
            return self.walk(args)
        except Suspended:
            return Result("suspended")  # PASS-37
        except (Fault, Defect):  # PASS-43, PASS-53
            return Result("defect")

    def walk(self, args) -> Result:
        try:
            self.enter(args)
            self.screen("engine", Deny("hook", told=False))  # PASS-04, PASS-05
            self.check_locks()
            self.adjudicate()
            self.fold()
            self.hear_organisation()
            self.clear()
            self.decide()
            self.resolve()
        except Deny as deny:
            return self.deny(deny)
        return self.allow()

    def ask_seat(self, name: str, *more):
        """What a seat says of the input, of which it gets a copy (PASS-02); None
        where there is no such seat."""
        seat = getattr(self.seats, name)
        return None if seat is None else seat(own(self.input), *more)

    def put(self, question: Optional[dict], origin: str):
        """Puts a question over a surviving allow; an ask that stands stays (PASS-22)."""
        if question is not None and self.ask is None:
            classes, real = question.get("classes", []), question.get("real", False)
            self.ask = Ask(origin, classes, real)

    # Stations

    def enter(self, args):
        try:
            self.input = own(args)  # PASS-02
        except TypeError:
            raise Deny("policy") from None  # PASS-01

    def screen(self, failed: str, denied: Deny):
        try:
            screen = self.ask_seat("screening") or {"say": "none"}
        except Exception:  # it threw, never answered or was cancelled
            raise Deny(failed) from None
        if screen["say"] == "deny":
            raise denied
        if "rewrite" in screen:
            self.input = own(screen["rewrite"])  # PASS-06
        self.hook_allowed = screen["say"] == "allow"
        self.hook_question = screen.get("question")

    def check_locks(self):
        for lock in ("compliance", "plan_mode"):  # PASS-07, PASS-08
            if self.ask_seat(lock):
                raise Deny(lock)

    def adjudicate(self):
        try:
            ruling = self.ask_seat("policy") or {"say": "allow"}  # PASS-09
        except Exception:
            raise Deny("policy") from None  # PASS-10
        if "rewrite" in ruling:
            self.input = own(ruling["rewrite"])  # PASS-12
            self.policy_rewrote = True
        self.record_round(ruling)
        decision = self.ledger.decision(
            ruling["say"], ruling.get("record"), digest(self.input)
        )  # PASS-11
        if decision["decision"] == "deny":
            self.record_cause(ruling.get("cause"))
            raise Deny(decision["deniedBy"])
        if decision["decision"] == "ask":
            self.put(ruling["question"], "policy")

    def record_round(self, said: dict):
        if "round" in said:  # PASS-13, PASS-31
            self.facts["classifier"] = said["round"]

    def record_cause(self, cause: Optional[str]):
        if cause is not None:  # PASS-13, PASS-30
            self.facts["cause"] = cause

    def fold(self):
        self.put(self.hook_question, "hook")  # PASS-15
        self.hear_probe(self.ask_seat("probe") or {"say": "reversible"})
        self.hear_read_station(self.ask_seat("read_station") or {})
        judged = self.ask_seat("write_protection") or {"say": "clear"}
        if judged["say"] == "match":  # PASS-19
            self.put(judged["question"], "write_protection")
            self.write_protected = True
        self.put(self.ask_seat("unstated"), "unstated")  # PASS-21
        if self.ask is not None:
            self.ledger.supersede()  # PASS-23

    def hear_probe(self, probe: dict):
        if probe["say"] != "reversible":  # PASS-16, PASS-17
            self.put(probe["question"], "probe")
        if probe["say"] == "unanswered":  # PASS-17
            self.person_only = True
        self.boundary_declined = probe.get("boundaryDeclined", False)

    def hear_read_station(self, finding: dict):
        self.put(finding.get("question"), "read_station")  # PASS-18
        if finding.get("writeProtected"):  # PASS-19
            self.write_protected = True
        if finding.get("targetUnresolved"):  # PASS-20
            self.person_only = True

    def hear_organisation(self):
        said = self.ask_seat("org") or {}
        if said.get("say") == "deny":
            raise Deny("org")  # PASS-24
        if said.get("say") == "ask" and self.ask is None:
            self.put(said["question"], "org")  # PASS-25
            self.ledger.supersede()

    def clear(self):
        """The automatic arms."""
        if self.ask is None or self.is_mandated():  # PASS-26, PASS-27, PASS-28
            return
        if self.ask_seat("stored_rules"):  # PASS-26
            self.ask = None
        if self.ask_seat("read_only_arm") and not self.boundary_declined:  # PASS-27
            self.ask = None
        if self.hook_allowed and not self.policy_rewrote:  # PASS-28
            self.ask = None

    def is_mandated(self) -> bool:
        return self.write_protected or self.person_only

    def decide(self):
        """Who may settle the ask before anybody is asked."""
        for station in (self.classify, self.arbitrate, self.sandbox):
            if self.ask is not None:  # PASS-29, PASS-32, PASS-35
                station()

    def classify(self):
        said = self.ask_seat("classifier")
        if said is None:
            return
        self.record_round(said)
        if said["say"] in ("unavailable", "parse_error"):
            self.record_cause(said["say"])  # PASS-30
            raise Deny("classifier")
        if said["say"] == "deny":
            raise Deny("classifier")  # PASS-29
        if not self.person_only:  # PASS-17, PASS-29
            self.ask = None

    def arbitrate(self):
        said = self.ask_seat("mode")
        if said is None:
            return
        if said["say"] == "refuse":
            self.facts["modeRefusal"] = said["word"]  # PASS-33
            raise Deny("mode")
        if not self.is_mandated():  # PASS-34
            self.facts["released"] = said["word"]  # PASS-32
            self.ask = None

    def sandbox(self):
        admits = self.ask_seat("sandbox")
        if admits and not self.is_mandated() and self.hook_question is None:  # PASS-35
            self.ask = None

    # Resolution

    def resolve(self):
        while self.ask is not None:
            if self.ask_seat("unshown"):
                self.refuse("unshown_content")  # PASS-36
            self.try_park()
            edit = self.consult_resolver()
            self.ask = None
            if edit is not None:
                self.take_edit(edit["edit"])

    def refuse(self, reason: str):
        self.ledger.set(reason, self.ask.origin)
        raise Deny("ask_resolution")

    def try_park(self):
        said = self.ask_seat("park")
        if said == "parks":
            raise Suspended
        self.park_failed = said == "fails"  # PASS-38

    def consult_resolver(self) -> Optional[dict]:
        """Whoever is to be asked, asked; the resolution, where it holds an edit."""
        if self.seats.resolver is None:
            self.refuse("unavailable")  # PASS-39
        try:
            said = self.ask_seat("resolver", self.ask)
        except Exception:
            self.refuse("approver_contract")  # PASS-44
        resolution = {**said, "edited": digest(said["edit"])} if "edit" in said else said
        asked = {
            "origin": self.ask.origin,
            "classes": self.ask.classes,
            "realApproval": self.ask.real or self.person_only,  # PASS-41, PASS-42
        }
        decision = self.ledger.resolved(resolution, asked, digest(self.input))  # PASS-40
        if decision["decision"] == "deny":
            raise Deny(decision["deniedBy"])
        return said if "edit" in said else None

    def take_edit(self, edit):
        self.rounds += 1
        if self.rounds > self.edit_cap:  # PASS-50
            raise Deny("edit_cap")
        self.input = own(edit)
        self.screen("hook_rescreen", Deny("hook_rescreen"))  # PASS-45, PASS-46
        self.adjudicate()  # PASS-47
        judged = self.ask_seat("write_protection") or {"say": "clear"}
        if judged["say"] == "match":
            raise Deny("write_protection")  # PASS-49
        self.put(self.hook_question, "hook")  # PASS-48
        if self.ask is not None:
            self.ledger.supersede()  # PASS-48

    # Exits

    def allow(self) -> Result:
        self.ledger.keep_for_bytes(digest(self.input))  # PASS-51
        final = own(self.input)  # PASS-54
        return Result("allow", self.mint({}), final, runs=own(final))  # PASS-55

    def deny(self, deny: Deny) -> Result:
        outcome = self.mint({"deniedBy": deny.layer})
        final = own(self.input)
        if deny.told and self.seats.observer is not None:
            self.seats.observer(outcome, own(final))  # PASS-52
        return Result("deny", outcome, final, park_failed=self.park_failed)  # PASS-38

    def mint(self, who: dict) -> dict:
        """The record, minted once (PASS-53)."""
        return mint({**who, **self.facts, "settled": self.ledger.settled or {}})
