use crate::{Fault, conforms, faults};

fn change(before: &'static str, after: &'static str) -> Fault {
    Fault {
        file: "window.py",
        before,
        after,
    }
}

#[test]
fn the_example_conforms() {
    conforms("window", &[]);
}

#[test]
fn a_gate_may_settle_what_an_unmarked_fault_left() {
    let remembers = change(
        r#"return "fault""#,
        r#"self.faulted = self.mark is None
                return "fault""#,
    );
    let settles = change(
        "for position, call in enumerate(self.calls):",
        r#"if getattr(self, "faulted", False):
            self.interrupt()
            return "done"
        for position, call in enumerate(self.calls):"#,
    );
    conforms("window", &[remembers, settles]);
}

#[test]
fn a_gate_may_drop_a_call_that_repeats_an_id() {
    let drops = change(
        "self.calls = calls",
        r#"self.calls = list({call["id"]: call for call in reversed(calls)}.values())[::-1]"#,
    );
    conforms("window", &[drops]);
}

#[test]
fn a_gate_may_leave_a_stale_mark_to_the_next_drive() {
    let leaves = change("self.mark = None  # WIN-18", "pass");
    let sweeps = change(
        r#"return "done""#,
        r#"self.mark = None
        return "done""#,
    );
    conforms("window", &[leaves, sweeps]);
}

faults! { "window":
    hold_executes "WIN-06" in "window.py":
        r#"if ruling["gate"] == "hold":"# => "if False:";
    a_committed_call_runs_again "WIN-08" in "window.py":
        "if position in self.committed:  # WIN-08, WIN-14" => "if False:";
    the_mark_lifts_on_a_fault "WIN-12" in "window.py":
        r#"return "fault""# =>
        r#"self.lift(call)
                return "fault""#;
    removed_control_stays_parked "WIN-10" in "window.py":
        r#"if control["control"] == "removed":"# =>
        r#"if control["control"] == "removed" and self.mark:
            return {"gate": "hold", "reason": self.mark["reason"]}
        if control["control"] == "removed":"#;
    interrupted_calls_left_unanswered "WIN-17" in "window.py":
        r#"self.interrupt()"# => "pass";
    the_mark_lifts_after_the_call_ran "WIN-11" in "window.py":
        r#"self.events.append({"executed": call["id"]})  # WIN-03"# =>
        r#"self.events.append({"executed": call["id"]})
            if {"lifted": call["id"]} in self.events:
                self.events.remove({"lifted": call["id"]})
                self.events.append({"lifted": call["id"]})"#;
    an_old_reason_stands "WIN-13" in "window.py":
        r#"self.mark = {**call, "reason": ruling["reason"]}"# =>
        r#"self.mark = self.mark or {**call, "reason": ruling["reason"]}"#;
    a_refusal_ends_the_walk "WIN-05" in "window.py":
        "continue
            self.events" =>
        r#"return "done"
            self.events"#;
}
