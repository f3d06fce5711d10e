use crate::{Fault, conforms, faults};

#[test]
fn the_example_conforms() {
    conforms("verdict", &[]);
}

#[test]
fn a_gate_may_take_a_null_reason_beside_a_pass() {
    let takes = Fault {
        file: "verdict.py",
        before: r#"if "reason" in verdict:"#,
        after: r#"if verdict.get("reason") is not None:"#,
    };
    conforms("verdict", &[takes]);
}

#[test]
fn a_gate_may_say_that_it_did_not_consult_a_control_that_did_not_spawn() {
    let says = Fault {
        file: "verdict.py",
        before: r#""consulted": True}"#,
        after: r#""consulted": "spawn" not in question["answer"]}"#,
    };
    conforms("verdict", &[says]);
}

faults! { "verdict":
    an_unknown_verdict_passes "VER-17" in "verdict.py":
        r#"if word == "pass":"# => r#"word = word if word in ("refuse", "hold") else "pass"
    if word == "pass":"#;
    a_control_that_exits_non_zero_passes "VER-10" in "verdict.py":
        r#"raise Fault(f"exit code {answer['exit']}")"# => r#"return {"gate": "proceed"}"#;
    a_control_that_a_signal_kills_passes "VER-09" in "verdict.py":
        r#"raise Fault(f"killed by signal {answer['signal']}")"# => r#"return {"gate": "proceed"}"#;
    a_signal_without_the_stop_flag_taken_as_the_stop "VER-09" in "verdict.py":
        "if stop:  # VER-13" => "if True:";
    a_verdict_under_the_stop_flag_ignored "VER-14" in "verdict.py":
        r#"if answer["exit"] != 0:"# =>
        r#"if stop: return {"gate": "stopped"}
    if answer["exit"] != 0:"#;
    a_doubled_member_taken "VER-20" in "verdict.py":
        "if len(found) < len(pairs):" => "if False:";
    an_unknown_member_taken "VER-19" in "verdict.py":
        r#"if name not in ("verdict", "reason"):"# => "if False:";
}
