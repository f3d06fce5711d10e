"""A tool window under a hold (spec/window.md)."""

import json

import verdict

PASS = {"verdict": "pass"}


class Window:
    """The calls of one step, and what outlives a drive of them."""

    def __init__(self, calls):
        self.calls = calls
        self.committed = set()  # positions, so that a repeated id is two calls (WIN-21)
        self.mark = None
        self.events = []

    def drive(self, control: dict) -> dict:
        self.events = []
        end = self.walk(control)
        return {"events": self.events, "end": end, "mark": self.mark}

    def walk(self, control: dict) -> str:
        """One walk over the calls, in order (WIN-01). Says how it ended."""
        for position, call in enumerate(self.calls):
            if position in self.committed:  # WIN-08, WIN-14
                continue
            ruling = self.adjudicate(call, control)  # WIN-09: a held call, too
            if ruling["gate"] == "fault":  # WIN-12, WIN-19: nothing changes
                return "fault"
            if ruling["gate"] == "stopped":  # WIN-16
                self.interrupt()
                return "stopped"
            if ruling["gate"] == "hold":  # WIN-06, WIN-07, WIN-13
                self.mark = {**call, "reason": ruling["reason"]}
                return "held"
            self.lift(call)  # WIN-11: before it can execute
            if ruling["gate"] == "refuse":  # WIN-04, WIN-05
                self.commit(position, "refusal")
                continue
            self.events.append({"executed": call["id"]})  # WIN-03
            self.commit(position, "result")
        return "done"  # WIN-22

    def adjudicate(self, call: dict, control: dict) -> dict:
        if control["control"] == "removed":  # WIN-02, WIN-10
            return {"gate": "proceed"}
        self.events.append({"consulted": call["id"]})
        answer, stop = process(control.get("answers", {}).get(call["id"], PASS))
        try:
            return verdict.rule(answer, stop)
        except verdict.Fault:
            return {"gate": "fault"}

    def lift(self, call: dict):
        if self.mark is not None:  # it is this call's: none before it is unanswered
            self.mark = None
            self.events.append({"lifted": call["id"]})

    def interrupt(self):
        """Answers every call that has no answer (WIN-17)."""
        for position in range(len(self.calls)):
            if position not in self.committed:
                self.commit(position, "interrupted")
        self.mark = None  # WIN-18

    def commit(self, position: int, kind: str):
        self.committed.add(position)
        committed = {"id": self.calls[position]["id"], "kind": kind, "isError": kind != "result"}
        self.events.append({"committed": committed})  # WIN-15


# On the wire


def process(answer: dict):
    """What becomes of a control that answers so, and whether the stop flag is set."""
    if "fault" in answer:
        return {"exit": 1, "stdout": ""}, False
    if "stopped" in answer:
        return {"signal": 15}, True
    return {"exit": 0, "stdout": json.dumps(answer)}, False


def run(question: dict) -> dict:
    window = Window(question["calls"])
    return {"drives": [window.drive(control) for control in question["drives"]]}


OPS = {"window.run": run}
