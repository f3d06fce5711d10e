use crate::{conforms, faults};

#[test]
fn the_example_conforms() {
    conforms("outcome", &[]);
}

faults! { "outcome":
    a_yes_beside_compliance_minted "I3" in "outcome.py":
        r#"VETOES = ("policy","# => r#"VETOES = ("compliance", "policy","#;
    an_origin_alone_minted "I1" in "outcome.py":
        r#"if ("settlement" in settled) != ("origin" in settled):"# =>
        r#"if "settlement" in settled and "origin" not in settled:"#;
    a_refusal_settlement_minted_as_an_allow "I4" in "outcome.py":
        "elif is_refusal(settlement):" => "elif is_refusal(settlement) and denied_by:";
    a_refused_ask_named_without_one "I2" in "outcome.py":
        r#"if denied_by == "ask_resolution":"# => "if False:";
    a_release_beside_a_deny "OUT-04" in "outcome.py":
        r#"if "released" in facts and denied_by is not None:"# => "if False:";
}
