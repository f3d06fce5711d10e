use crate::{Fault, conforms, faults};

#[test]
fn the_example_conforms() {
    conforms("key", &[]);
}

#[test]
fn a_gate_may_allow_the_empty_id() {
    let allows = Fault {
        file: "key.py",
        before: r#"if tool_use_id == b"":"#,
        after: "if False:",
    };
    conforms("key", &[allows]);
}

faults! { "key":
    leading_zeros_taken_as_an_iteration "KEY-02" in "key.py":
        "(0|[1-9][0-9]*)" => "([0-9]+)";
    two_to_the_63_taken_as_an_iteration "KEY-03" in "key.py":
        r#"ITERATION_MAX = b"9223372036854775807""# => r#"ITERATION_MAX = b"9223372036854775808""#;
    a_step_name_cut_at_its_second_colon "KEY-08" in "key.py":
        r#"step = tail[len(b":step:"):]"# => r#"step = tail.split(b":")[2]"#;
    a_node_of_an_iteration_taken_as_an_instance "KEY-17" in "key.py":
        "    if plan_key(subject) is not None:  # KEY-13, KEY-17" =>
        r#"    if re.fullmatch(rb"node:iter:[0-9]+:taint", subject): return subject[:-6], True
    if plan_key(subject) is not None:"#;
}
