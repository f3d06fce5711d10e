//! What no question of a suite asks of the model, and its users do: its words, its states, and
//! what it says of itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gatespec::conform::vectors;
use gatespec::model::boundary::{
    Act, Boundary, Call, Effect, Policy, Scope, Seat, Standing, Verdict,
};
use gatespec::model::joint::{Control, Joint};
use gatespec::model::outcome::Layer;
use gatespec::model::pass::{self, Choice, Did, Stands, Station, narrate, open, run, run_under};
use gatespec::model::verdict::{self, Malformed};
use gatespec::model::window::Kind;
use gatespec::model::{Clause, Profile, Provenance, Suite};
use gatespec::ops::Op;
use serde_json::json;

const HOLDS: Policy = Policy {
    read: Verdict::Pass,
    write: Verdict::Hold,
    destructive: Verdict::Hold,
    secret: Verdict::Refuse,
};

fn call(id: &str) -> Call {
    Call {
        id: id.to_owned(),
        tool: "sh".to_owned(),
        effect: Effect::Write,
    }
}

#[test]
fn the_words_are_those_of_the_chapters() {
    for suite in Suite::ALL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("spec/{suite}.md"));
        let chapter = std::fs::read_to_string(path).unwrap();
        let of = Clause::ALL.iter().filter(|clause| clause.suite() == suite);
        for clause in of {
            let heading = format!("### {} · {}\n", clause.id(), clause.provenance().word());
            let (_, rest) = chapter
                .split_once(&heading)
                .unwrap_or_else(|| panic!("no heading {heading:?}"));
            assert_eq!(rest.lines().next(), Some(clause.text()), "{clause:?}");
            assert_eq!(Clause::from_id(clause.id()), Some(*clause));
        }
    }
    assert_eq!(Provenance::Derived.word(), "derived");
    assert_eq!(Profile::ALL.map(Profile::word), ["core", "scoped-answers"]);
    for profile in Profile::ALL {
        assert_eq!(Profile::from_word(profile.word()), Some(profile));
    }
    assert_eq!(Profile::from_word("Core"), None);
    for effect in Effect::ALL {
        assert_eq!(serde_json::to_value(effect).unwrap(), effect.word());
    }
}

#[test]
fn a_verdict_is_shown_with_its_reason_and_a_null_one_is_free() {
    let reason = "r".to_owned();
    let shown = [
        verdict::Verdict::Pass,
        verdict::Verdict::Refuse {
            reason: reason.clone(),
        },
        verdict::Verdict::Hold { reason },
    ]
    .map(|verdict| verdict.to_string());
    assert_eq!(shown, ["pass", "refuse: `r`", "hold: `r`"]);
    let read = |bytes: &str| verdict::parse(bytes.as_bytes()).unwrap_err();
    let null = read(r#"{"verdict":"pass","reason":null}"#);
    let text = read(r#"{"verdict":"pass","reason":"null"}"#);
    assert_eq!(null, Malformed::NullReasonBesidePass);
    assert_eq!(text, Malformed::ReasonBesidePass);
    assert!(null.free() && !text.free());
}

#[test]
fn a_boundary_shows_its_marks_floors_and_answers() {
    let seat = Seat::new("w", "p");
    let mut boundary = Boundary::new(HOLDS);
    assert!(boundary.standing().is_empty());
    boundary.consult(&seat, &call("c1"));
    let marks: Vec<_> = boundary
        .marks()
        .map(|(seat, mark)| (seat.agent.clone(), mark.call.id.clone()))
        .collect();
    assert_eq!(marks, [("p".to_owned(), "c1".to_owned())]);
    boundary.act(&Act::Revoke(seat.clone())).unwrap();
    assert_eq!(boundary.floors().iter().collect::<Vec<_>>(), [&seat]);
    let answer = Act::Answer {
        seat: seat.clone(),
        verdict: Verdict::Pass,
        scope: Scope::Workspace,
    };
    boundary.act(&answer).unwrap();
    assert!(!boundary.standing().is_empty());
    boundary.sweep(&seat);
    assert_eq!(boundary.held(&seat), None);
    assert_eq!(boundary.marks().count(), 0);
}

/// Also where the agent has no name.
#[test]
fn a_conversation_is_nearer_than_its_workspace() {
    for agent in ["p", ""] {
        let seat = Seat::new("w", agent);
        let mut standing = Standing::default();
        standing.give(&seat, Scope::Workspace, &call("c1"), Verdict::Refuse);
        standing.give(&seat, Scope::Conversation, &call("c1"), Verdict::Pass);
        let nearest = standing.nearest(&seat, &call("c2"));
        assert_eq!(nearest.map(|(_, verdict)| verdict), Some(Verdict::Pass));
    }
}

#[test]
fn a_stop_settles_all_and_a_fault_nothing() {
    let seat = Seat::new("w", "p");
    let new = || Joint::new(HOLDS, [(seat.clone(), vec![call("c1"), call("c2")])]);
    let joint = new();
    let agents: Vec<_> = joint.agents().map(|(seat, _)| seat).collect();
    assert_eq!(agents, [&seat]);
    let ids: Vec<&str> = joint
        .agent(&seat)
        .unwrap()
        .calls()
        .iter()
        .map(|c| c.id.as_str())
        .collect();
    assert_eq!(ids, ["c1", "c2"]);

    let mut stopped = new();
    let driven = stopped.drive(&seat, Control::Stopped).unwrap();
    assert!(driven.rulings.is_empty());
    let results = stopped.agent(&seat).unwrap().window().results().to_vec();
    assert_eq!(results, [Kind::Interrupted, Kind::Interrupted]);

    let mut failed = new();
    failed.drive(&seat, Control::Fails).unwrap();
    assert_eq!(failed.agent(&seat).unwrap().held(), None);
    let results = failed.agent(&seat).unwrap().window().results().to_vec();
    assert_eq!(results, []);
    assert_ne!(failed, stopped);

    let mut ruled = new();
    ruled.drive(&seat, Control::Rules).unwrap();
    assert_eq!(
        ruled
            .agent(&seat)
            .unwrap()
            .held()
            .map(|call| call.id.as_str()),
        Some("c1")
    );
}

/// The scripts of a sample: of the vectors, enumerated and random.
fn scripts() -> Vec<gatespec::ops::pass::Op> {
    let of = |op| match op {
        Op::Pass(op) => Some(op),
        _ => None,
    };
    let vectors = vectors::embedded().unwrap();
    let vectors = vectors.into_iter().map(|case| case.op);
    vectors
        .chain(super::cases(Suite::Pass))
        .filter_map(of)
        .collect()
}

#[test]
fn a_choice_is_open_wherever_the_other_reading_ends_otherwise() {
    let mut count: BTreeMap<Choice, (u32, u32)> = BTreeMap::new();
    for op in scripts() {
        let script = op.script();
        let open = open(script);
        for choice in Choice::ALL {
            let readings = [*choice].into_iter().collect();
            let differs = run_under(script, &readings).outcome != run(script).outcome;
            assert!(!differs || open.contains(choice), "{choice}: {script:?}");
            let (near, other) = count.entry(*choice).or_default();
            *near += u32::from(open.contains(choice));
            *other += u32::from(differs);
        }
    }
    let shown: Vec<String> = count
        .iter()
        .map(|(choice, (open, differs))| format!("{choice}: open {open}, otherwise {differs}"))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

/// One vector after the other that shows a step which none before it has shown.
#[test]
fn a_pass_is_told_in_plain_words() {
    let mut known = BTreeSet::new();
    let mut told = String::new();
    for op in scripts() {
        let passed = run(op.script());
        let steps = passed.trace.iter();
        let steps: Vec<_> = steps
            .map(|step| (step.station, step.said, step.did, step.clause))
            .collect();
        let new = steps.iter().filter(|step| known.insert(**step)).count();
        if new > 0 {
            told += &format!("{}\n\n", narrate(&passed).join("\n"));
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn the_last_step_of_a_pass_says_why_it_ends() {
    let allow = pass::Script::plain("c", json!({}));
    let deny = pass::Script {
        locks: [pass::script::Lock::Compliance, pass::script::Lock::PlanMode].into(),
        ..allow.clone()
    };
    let last = |script| {
        run(script)
            .trace
            .last()
            .map(|step| (step.station, step.did, step.clause))
    };
    assert_eq!(
        last(&allow),
        Some((Station::Exit, Did::Acted, Clause::Pass55))
    );
    assert_eq!(
        last(&deny),
        Some((Station::Exit, Did::Acted, Clause::Pass52))
    );
    // the reading that is taken
    assert_eq!(run(&deny).denied_by().map(Layer::word), Some("compliance"));
    let stands = run(&allow).trace.last().map(|step| step.stands);
    assert_eq!(stands, Some(Stands::Allow));
}

/// Each seat's list goes on where it was left, edit after edit.
#[test]
fn a_second_edit_is_judged_by_the_third_answer() {
    let edit = |text: &str| {
        json!({ "say": "allow", "edit": { "path": text },
                "record": { "settlement": { "kind": "approved", "by": "person" } } })
    };
    let ask = json!({ "say": "ask", "question": { "classes": ["write"] } });
    let clear = json!({ "say": "clear" });
    for (last, result) in [("clear", None), ("match", Some(Layer::WriteProtection))] {
        let last = match last {
            "clear" => clear.clone(),
            _ => json!({ "say": "match", "question": { "classes": ["write"] } }),
        };
        let script: pass::Script = serde_json::from_value(json!({
            "call": "c", "args": { "path": "a" }, "editCap": 2,
            "policy": [ask, ask, { "say": "allow" }],
            "writeProtection": [clear, clear, last],
            "resolver": [edit("b"), edit("c")],
        }))
        .unwrap();
        assert_eq!(
            run(&script).denied_by(),
            result,
            "{:?}",
            narrate(&run(&script))
        );
    }
}

#[test]
fn a_script_is_written_without_what_is_not_set() {
    let mut script = pass::Script::plain("c", json!({}));
    let plain = serde_json::to_value(&script).unwrap();
    assert_eq!(plain, json!({ "call": "c", "args": {}, "editCap": 2 }));
    (script.unowned, script.unshown) = (true, true);
    let set = serde_json::to_value(&script).unwrap();
    assert_eq!(set["unowned"], json!(true));
    assert_eq!(set["unshown"], json!(true));
}
