use crate::{conforms, faults};

#[test]
fn the_example_conforms() {
    conforms("pass", &[]);
}

faults! { "pass":
    a_hook_crash_allows "PASS-04" in "gatepass.py":
        "raise Deny(failed) from None" => "return";
    a_hook_deny_told_to_the_observer "PASS-05" in "gatepass.py":
        r#"Deny("hook", told=False)"# => r#"Deny("hook")"#;
    a_policy_deny_loosened_by_a_rule "PASS-14" in "gatepass.py":
        r#"self.record_cause(ruling.get("cause"))
            raise"# =>
        r#"if self.ask_seat("stored_rules"): return
            raise"#;
    a_rule_clears_a_mandated_ask "PASS-26" in "gatepass.py":
        "if self.ask is None or self.is_mandated():" =>
        r#"if self.ask is not None and self.ask_seat("stored_rules"): self.ask = None
        if self.ask is None or self.is_mandated():"#;
    a_hook_allow_outlives_a_rewrite "PASS-28" in "gatepass.py":
        "if self.hook_allowed and not self.policy_rewrote:" => "if self.hook_allowed:";
    a_tighten_fires_over_a_deny "PASS-14" in "gatepass.py":
        r#"self.record_cause(ruling.get("cause"))
            raise"# =>
        r#"if (self.ask_seat("probe") or {}).get("say") == "irreversible": return
            raise"#;
    a_second_tighten_replaces_the_origin_of_the_first "PASS-22" in "gatepass.py":
        "if question is not None and self.ask is None:" => "if question is not None:";
    edited_bytes_not_screened_again "PASS-45" in "gatepass.py":
        r#"self.screen("hook_rescreen", Deny("hook_rescreen"))"# => "pass";
    edited_bytes_not_adjudicated_again "PASS-47" in "gatepass.py":
        "self.adjudicate()  # PASS-47" => "pass";
    the_first_yes_licenses_the_edited_bytes "PASS-23" in "gatepass.py":
        "self.ledger.supersede()  # PASS-48" => "pass";
    a_yes_kept_for_other_bytes "PASS-51" in "gatepass.py":
        "self.ledger.keep_for_bytes(digest(self.input))" => "pass";
    no_cap_on_rounds "PASS-50" in "gatepass.py":
        "if self.rounds > self.edit_cap:" => "if self.rounds > 100:";
    an_unavailable_classifier_allows "PASS-30" in "gatepass.py":
        r#"if said["say"] in ("unavailable", "parse_error"):"# => r#"if said["say"] == "parse_error":"#;
    nobody_to_ask_allows "PASS-39" in "gatepass.py":
        r#"self.refuse("unavailable")"# => "return None";
    a_suspended_pass_mints "PASS-37" in "gatepass.py":
        r#"return Result("suspended")"# => r#"return Result("suspended", self.mint({}))"#;
    the_observer_told_twice "PASS-52" in "gatepass.py":
        "self.seats.observer(outcome, own(final))" =>
        "self.seats.observer(outcome, own(final)); self.seats.observer(outcome, own(final))";
    the_final_input_shares_memory_with_the_live_args "PASS-54" in "gatepass.py":
        "runs=own(final)" => "runs=final";
    a_policy_rewrite_lost_on_the_approved_path "PASS-12" in "gatepass.py":
        r#"self.input = own(ruling["rewrite"])"# =>
        r#"self.input = self.input if ruling["say"] == "ask" else own(ruling["rewrite"])"#;
    a_release_of_the_mode_recorded_beside_a_deny "PASS-34" in "gatepass.py":
        "if not self.is_mandated():  # PASS-34" =>
        r#"self.facts["released"] = said["word"]
        if not self.is_mandated():"#;
    a_failed_park_forgotten "PASS-38" in "gatepass.py":
        "park_failed=self.park_failed)" => "park_failed=False)";
    a_seat_read_again_under_way "PASS-03" in "gatepass.py":
        "SimpleNamespace(**vars(host))" => "host";
    the_live_arguments_handed_out "PASS-02" in "gatepass.py":
        "else seat(own(self.input), *more)" => "else seat(self.input, *more)";
}
