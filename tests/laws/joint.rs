use gatespec::laws::joint::{Bounds, explore};

#[test]
fn every_invariant_holds_in_every_state_of_two_agents_and_is_reached() {
    let mut bounds = Bounds::default();
    (bounds.agents, bounds.interruptions) = (2, true);
    let found = explore(&bounds, |_| {});
    assert_eq!(found.broken, None);
    for (invariant, reached) in &found.reached {
        assert!(*reached > 0, "{invariant} is vacuous");
    }
    assert_eq!(
        (
            found.configurations,
            found.states,
            found.transitions,
            found.depth
        ),
        (9, 12_795, 204_720, 13)
    );
}
