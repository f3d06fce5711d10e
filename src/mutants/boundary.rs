//! Faulty boundaries.
//!
//! The gate here keeps a trail: rows of what was done, from which every floor and every answer is
//! derived again when it is asked for.
//!
//! ```
//! use gatespec::generate::{Settings, boundary};
//! use gatespec::mutants::boundary::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//!
//! for op in boundary::enumerate(&Settings::default()).take(200) {
//!     assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
//! }
//! ```

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::ops::boundary::Op;

mod gate;

pub use gate::answer;

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// Where this boundary can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            /// Nowhere: it must agree with the model.
            Nowhere,
            $(#[doc = $sentence] $fault,)*
        }

        /// The faulty boundaries.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Boundary, |op: &Op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    VerdictOrder Bnd01 [] "boundary/verdict_order" "`hold` is offered before `refuse`.";
    EnvelopeKeepsVerdictBack Bnd02 [] "boundary/envelope_keeps_verdict_back" "The envelope of an answer holds no verdict.";
    EnvelopeNamesAgentId Bnd02 [] "boundary/envelope_names_agent_id" "The envelope says `agent_id` for `agent`.";
    UnknownVerdictPasses Bnd03 [FailsOpen] "boundary/unknown_verdict_passes" "A verdict that is none of the three words is taken for `pass`.";
    FoldsVerdict Bnd03 [FailsOpen LopsidedMatch] "boundary/folds_verdict" "`PASS` is read as `pass`, and white space around it is dropped.";
    UnknownActAnswers Bnd03 [FailsOpen] "boundary/unknown_act_answers" "An act that is none of the three words is taken for an answer where it holds a verdict.";
    MissingAgentIsEmpty Bnd03 [FailsOpen] "boundary/missing_agent_is_empty" "A `revoke` that names no agent is taken, and floors nobody.";
    PrefixIsAncestor Bnd04 [LopsidedMatch TooWide] "boundary/prefix_is_ancestor" "`abc` descends from `ab`.";
    FoldsAgent Bnd04 [LopsidedMatch] "boundary/folds_agent" "Agents are told apart without regard to case.";
    FloorEverywhere Bnd04 [TooWide OverRefuses] "boundary/floor_everywhere" "A floor covers the whole workspace.";
    FloorsCrossWorkspaces Bnd05 [TooWide] "boundary/floors_cross_workspaces" "A floor covers the agent of the same id in every workspace.";
    MarksCrossWorkspaces Bnd05 [TooWide Identity] "boundary/marks_cross_workspaces" "A mark is filed under the agent's id alone.";
    RefusalBeatsAnswer Bnd06 [OverRefuses] "boundary/refusal_beats_answer" "A call that was answered `pass` is refused where policy has come to refuse it.";
    HoldsAll Bnd06 [OverRefuses] "boundary/holds_all" "Every call is held.";
    PassesAll Bnd06 [FailsOpen NotEnforced] "boundary/passes_all" "Every call passes.";
    MarkOutlivesRuling Bnd07 [Stale] "boundary/mark_outlives_ruling" "A call that passed is still said to be held.";
    HoldWithoutMark Bnd07 [OverRefuses] "boundary/hold_without_mark" "A held call is not marked.";
    RestatedMarkIsLost Bnd07 [OverRefuses] "boundary/restated_mark_is_lost" "A call that is held again is not marked any more.";
    KeepsForeignMark Bnd08 [Stale TooWide] "boundary/keeps_foreign_mark" "A mark stays when another call is ruled at its agent.";
    AnswerWaitsAtAgent Bnd09 [Identity TooWide] "boundary/answer_waits_at_agent" "An answer rules the next call of its agent, whichever it is.";
    AnswerById Bnd09 [Identity] "boundary/answer_by_id" "An answer rules every held call of that id, at whatever agent.";
    AnswersAllHeld Bnd09 [TooWide] "boundary/answers_all_held" "One answer is given to every held call.";
    AnswersTheTool Bnd09 [TooWide] "boundary/answers_the_tool" "An answer rules later calls of the same tool.";
    AnswersNothing Bnd10 [WrongQuestion] "boundary/answers_nothing" "An answer is taken where nothing is held.";
    AnswersLastRuled Bnd10 [Stale SpentTwice] "boundary/answers_last_ruled" "An answer is taken for the call that was ruled last, held or not.";
    FloorBeatsAnswer Bnd11 [OverRefuses] "boundary/floor_beats_answer" "Under a floor a call that was answered `pass` is held again.";
    PassIsLost Bnd11 [OverRefuses] "boundary/pass_is_lost" "The answer `pass` is forgotten.";
    RefuseParks Bnd12 [OverRefuses] "boundary/refuse_parks" "The answer `refuse` keeps the call parked.";
    RefuseIsLost Bnd12 [NotEnforced] "boundary/refuse_is_lost" "The answer `refuse` is forgotten.";
    HoldIsLost Bnd13 [NotEnforced] "boundary/hold_is_lost" "A call that was answered `hold` passes when policy or a lowered floor lets it.";
    HoldDrives Bnd14 [] "boundary/hold_drives" "The answer `hold` drives the conversation on.";
    RefuseDrivesNothing Bnd14 [OverRefuses] "boundary/refuse_drives_nothing" "The answer `refuse` drives nothing.";
    FirstAnswerStands Bnd15 [Stale] "boundary/first_answer_stands" "A later answer to the held call is ignored.";
    NeverSpent Bnd16 [SpentTwice Identity] "boundary/never_spent" "An answer rules its call's id for good.";
    FloorIgnored Bnd17 [RevokeMisses] "boundary/floor_ignored" "The agent's own floor holds nothing.";
    FloorRefuses Bnd17 [OverRefuses] "boundary/floor_refuses" "Under a floor calls are refused.";
    FloorSparesWrites Bnd17 [RevokeMisses] "boundary/floor_spares_writes" "Under a floor only destructive and secret calls are held.";
    FloorSparesSecrets Bnd17 [RevokeMisses] "boundary/floor_spares_secrets" "A call that touches a secret and changes nothing passes under a floor.";
    FloorHoldsReads Bnd18 [OverRefuses] "boundary/floor_holds_reads" "Under a floor a read is held.";
    FloorSoftens Bnd19 [Loosened] "boundary/floor_softens" "Under a floor what policy refuses is held.";
    FloorOwnOnly Bnd20 [Escapes RevokeMisses] "boundary/floor_own_only" "A floor covers no descendants.";
    FloorOneDeep Bnd20 [Escapes] "boundary/floor_one_deep" "A floor covers children and not their children.";
    FloorMissesUnborn Bnd20 [RevokeMisses] "boundary/floor_misses_unborn" "A floor covers only the agents that made a call before it was raised.";
    FloorClimbs Bnd20 [TooWide] "boundary/floor_climbs" "A floor covers its agent's ancestors.";
    RestoreUnmarks Bnd21 [Stale] "boundary/restore_unmarks" "`restore` takes the mark off the held call.";
    RestorePassesHeld Bnd21 [Loosened] "boundary/restore_passes_held" "`restore` lets the held call pass.";
    RevokeKills Bnd21 [] "boundary/revoke_kills" "`revoke` drops the held call.";
    RestoreTakesAnswer Bnd21 [NotEnforced] "boundary/restore_takes_answer" "`restore` takes the answer off the held call.";
    RestoreLowersBelow Bnd22 [RevokeMisses Loosened] "boundary/restore_lowers_below" "`restore` lowers the floors of the descendants too.";
    RestoreLowersAbove Bnd23 [RevokeMisses Loosened] "boundary/restore_lowers_above" "`restore` lowers the floors of the ancestors too, and says that no floor stands.";
    ReceiptEchoes Bnd23 [RevokeMisses Misrecorded] "boundary/receipt_echoes" "The receipt of `restore` says that no floor stands, whatever an ancestor has.";
    ReceiptBefore Bnd23 [Misrecorded] "boundary/receipt_before" "The receipt says how it was before the act.";
    RestoreNeedsFloor Bnd24 [] "boundary/restore_needs_floor" "`restore` is refused for an agent with no floor.";
    RevokeNeedsAgent Bnd24 [RevokeMisses] "boundary/revoke_needs_agent" "`revoke` is refused for an agent that made no call yet.";
    RestoreDrives Bnd25 [] "boundary/restore_drives" "`restore` drives the conversation on.";
    RevokeDrives Bnd25 [] "boundary/revoke_drives" "`revoke` drives the conversation on.";
    FirstActWins Bnd26 [Stale RevokeMisses] "boundary/first_act_wins" "The first act on an agent outlasts the later ones.";
    FloorsCount Bnd26 [OverRefuses] "boundary/floors_count" "A floor that was raised twice has to be lowered twice.";
    RestoreIsLost Bnd26 [OverRefuses] "boundary/restore_is_lost" "A floor once raised stays.";
    ScopeIsConversation Bnd27 [TooWide] "boundary/scope_is_conversation" "An answer without a scope stands over the conversation.";
    UnknownScopeIsCall Bnd27 [FailsOpen] "boundary/unknown_scope_is_call" "A scope that is none of the three words is taken for `call`.";
    ConversationAlone Bnd28 [OverRefuses] "boundary/conversation_alone" "A conversation's standing answer does not rule below it.";
    ConversationAnyTool Bnd28 [TooWide] "boundary/conversation_any_tool" "A standing answer rules calls of other tools.";
    ConversationAnyEffect Bnd28 [TooWide] "boundary/conversation_any_effect" "A standing answer rules calls of other effects.";
    WorkspaceIsConversation Bnd29 [OverRefuses] "boundary/workspace_is_conversation" "A workspace's standing answer rules only at and below the agent where it was given.";
    WorkspaceEverywhere Bnd29 [TooWide] "boundary/workspace_everywhere" "A workspace's standing answer rules in other workspaces.";
    DestructiveStands Bnd30 [TooWide] "boundary/destructive_stands" "A destructive call takes an answer that stands.";
    SecretStands Bnd30 [TooWide] "boundary/secret_stands" "A secret call takes an answer that stands.";
    FarthestRules Bnd31 [Stale] "boundary/farthest_rules" "The farthest conversation's standing answer rules.";
    WorkspaceRules Bnd31 [TooWide] "boundary/workspace_rules" "The workspace's standing answer rules before a conversation's.";
    StandingBeatsFloor Bnd32 [RevokeMisses Loosened] "boundary/standing_beats_floor" "A standing answer passes calls under a floor.";
    StandingRulesFlooredReads Bnd32 [RevokeMisses Loosened] "boundary/standing_rules_floored_reads" "A standing answer passes reads under a floor.";
    FloorErasesStanding Bnd32 [OverRefuses] "boundary/floor_erases_standing" "A raised floor takes standing answers away for good.";
    StandingBeatsRefusal Bnd33 [Loosened] "boundary/standing_beats_refusal" "A standing answer passes what policy has come to refuse.";
    FirstStandingStays Bnd34 [Stale] "boundary/first_standing_stays" "A later standing answer of the same scope, place and class is ignored.";
    RuledWhenEmitted Bnd35 [RevokeMisses] "boundary/ruled_when_emitted" "Whether a floor stands is looked up when a step is first driven, and kept for all its calls.";
}
