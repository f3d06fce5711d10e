use crate::{conforms, faults};

#[test]
fn the_example_conforms() {
    conforms("ledger", &[]);
}

faults! { "ledger":
    the_first_resolution_wins "LED-02" in "ledger.py":
        r#"self.settled = {"settlement": settlement, "origin": origin}  # LED-02"# =>
        r#"if self.settled is not None: return
        self.settled = {"settlement": settlement, "origin": origin}"#;
    a_record_of_another_call_counted "LED-05" in "ledger.py":
        r#"record["call"] == self.call  # LED-05"# => "True";
    a_record_of_another_call_read_off_a_decision "LED-05" in "ledger.py":
        r#"if record is None or record["call"] != self.call:"# => "if record is None:";
    a_record_of_another_ask_counted "LED-06" in "ledger.py":
        r#"and record["origin"] == asked["origin"]"# => "";
    a_record_with_another_class_set_counted "LED-07" in "ledger.py":
        r#"and set(record["classes"]) == set(asked["classes"])"# => "";
    classes_compared_as_lists "LED-07 LED-02" in "ledger.py":
        r#"set(record["classes"]) == set(asked["classes"])"# =>
        r#"record["classes"] == asked["classes"]"#;
    a_record_for_other_bytes_counted "LED-08" in "ledger.py":
        r#"and record["digest"] == licenses"# => "";
    a_refusal_on_record_beside_an_allow_released "LED-09" in "ledger.py":
        r#"if is_refusal(record["settlement"]):  # LED-09"# =>
        r#"if is_refusal(record["settlement"]) and resolution["decision"] == "deny":"#;
    approver_contract_forgotten "LED-12" in "ledger.py":
        r#"if resolution["decision"] == "deny":  # LED-12
                return self.broken_contract(origin)"# =>
        r#"if resolution["decision"] == "deny":
                return deny("ask_resolution")"#;
    a_posture_allow_settled "LED-14 LED-05 LED-06 LED-07 LED-08" in "ledger.py":
        "return ALLOW  # LED-14" =>
        r#"self.settle({"kind": "approved", "by": "person"}, origin, licenses)
            return ALLOW"#;
    supersede_ignored "LED-22" in "ledger.py":
        "self.settled = None  # LED-22" => "pass";
    keep_for_bytes_ignored "LED-23" in "ledger.py":
        r#"if self.settled["licensed"] != runs:"# => "if False:";
}
