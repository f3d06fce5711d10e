use crate::{conforms, faults};

#[test]
fn the_example_conforms() {
    conforms("boundary", &[]);
}

faults! { "boundary":
    an_answer_spends_on_a_call_that_is_no_longer_held "BND-08" in "boundary.py":
        "self.held.pop(place, None)" =>
        r#"self.held = {at: held for at, held in self.held.items() if held.call["id"] != call["id"]}"#;
    an_answer_with_nothing_held_succeeds "BND-10" in "boundary.py":
        r#"raise Refused("nothing is held")"# =>
        r#"return {"answered": "none", "drives": verdict != "hold"}"#;
    a_hold_answer_drives "BND-14" in "boundary.py":
        r#""drives": verdict != "hold"}"# => r#""drives": True}"#;
    a_floor_misses_a_child_born_later "BND-20" in "boundary.py":
        "return any(above in self.floors for above in place.and_above())" =>
        "return place in self.floors or (place in self.held and any(above in self.floors for above in place.and_above()))";
    abc_floored_by_ab "BND-04" in "boundary.py":
        "return any(above in self.floors for above in place.and_above())" =>
        "return any(place.workspace == floor.workspace and place.agent.startswith(floor.agent) for floor in self.floors)";
    a_read_held_under_a_floor "BND-18" in "boundary.py":
        r#"return policy if call["effect"] == "read" else "hold""# => r#"return "hold""#;
    a_refusal_softened_to_a_hold_under_a_floor "BND-19" in "boundary.py":
        r#"if policy == "refuse":"# =>
        r#"if policy == "refuse" and not self.is_floored(place):"#;
    a_restore_under_a_floored_ancestor_claims_success "BND-23" in "boundary.py":
        r#"{"floored": self.is_floored(place), "drives": False}"# =>
        r#"{"floored": place in self.floors, "drives": False}"#;
    a_restore_releases_a_parked_call "BND-21" in "boundary.py":
        "self.floors.discard(place)" => "self.floors.discard(place); self.held.pop(place, None)";
    an_earlier_act_outlasts_a_later_one "BND-26" in "boundary.py":
        "self.floors.discard(place)" => "pass";
    a_spent_answer_rules_again "BND-07" in "boundary.py":
        r#"if ruling != "hold":"# =>
        r#"if ruling != "hold" and held is not None and held.answer is not None: pass
        elif ruling != "hold":"#;
    the_farther_standing_answer_rules "BND-31" in "boundary.py":
        "for above in place.and_above():  # BND-28, BND-31" =>
        "for above in reversed(list(place.and_above())):";
    a_standing_answer_rules_under_a_floor "BND-32" in "boundary.py":
        "if self.is_floored(place):  # BND-32" =>
        "if self.is_floored(place) and not self.standing_answer(place, call):";
    a_destructive_call_answered_for_all "BND-30" in "boundary.py":
        r#"if held.call["effect"] in NEVER_STANDING:"# => "if False:";
}
