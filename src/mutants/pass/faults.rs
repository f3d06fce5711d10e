//! Where a pass can go wrong.

use super::{Clause, FaultClass, Mutant, answer, run};

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// Where this gate can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            /// Nowhere: it must agree with the model.
            Nowhere,
            $(#[doc = $sentence] $fault,)*
        }

        /// The faulty passes.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Pass, |op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    UnownedJudged Pass01 [FailsOpen] "pass/unowned_judged" "Arguments that cannot be copied are judged as they are.";
    UnownedUntold Pass01 [Misrecorded] "pass/unowned_untold" "The observer is not told of arguments that cannot be copied.";
    SharesArguments Pass02 [Bytes] "pass/shares_arguments" "Whoever holds the arguments writes into the pass's own.";
    ReadsSeatsAgain Pass03 [NotEnforced] "pass/reads_seats_again" "A seat is read off the host each time that it is asked.";
    HookThrowAllows Pass04 [FailsOpen] "pass/hook_throw_allows" "A hook that throws has no opinion.";
    HookSilenceAllows Pass04 [FailsOpen] "pass/hook_silence_allows" "A hook that never answers has no opinion.";
    HookCancelAllows Pass04 [FailsOpen] "pass/hook_cancel_allows" "A hook that is cancelled has no opinion.";
    HookCrashUntold Pass04 [Misrecorded] "pass/hook_crash_untold" "The observer is not told of a hook that failed.";
    HookCrashIsItsDeny Pass04 [Misrecorded] "pass/hook_crash_is_its_deny" "A hook that failed is recorded as the hook's deny.";
    HookDenyIgnored Pass05 [NotEnforced] "pass/hook_deny_ignored" "The hook's deny is dropped.";
    HookDenyTold Pass05 [Misrecorded] "pass/hook_deny_told" "The observer is told of the hook's own deny.";
    HookRewriteLost Pass06 [Bytes] "pass/hook_rewrite_lost" "The hook's rewrite is dropped.";
    HookRewriteNotRun Pass06 [Bytes] "pass/hook_rewrite_not_run" "The hook's rewrite is judged, and the model's arguments run.";
    ComplianceIgnored Pass07 [NotEnforced] "pass/compliance_ignored" "The compliance lock is not read.";
    PlanModeIgnored Pass08 [NotEnforced] "pass/plan_mode_ignored" "The plan-mode block is not read.";
    PolicyAskAllows Pass09 [FailsOpen] "pass/policy_ask_allows" "A policy's question is taken for an allow.";
    PolicyDenyIgnored Pass09 [NotEnforced] "pass/policy_deny_ignored" "A policy's deny is dropped.";
    NoPolicyDenies Pass09 [OverRefuses] "pass/no_policy_denies" "With no policy configured every call is refused.";
    PolicyThrowAllows Pass10 [FailsOpen] "pass/policy_throw_allows" "A policy that throws has allowed.";
    RecordIgnored Pass11 [Misrecorded NotEnforced] "pass/record_ignored" "The record on a policy's decision is not read.";
    RecordOtherBytes Pass11 [Bytes] "pass/record_other_bytes" "A yes on a policy's allow is kept whatever bytes it licensed.";
    RecordOtherCall Pass11 [WrongQuestion] "pass/record_other_call" "A record of another call counts on a policy's decision.";
    VetoDropsYes Pass11 [Misrecorded] "pass/veto_drops_yes" "A yes beside a policy's deny is dropped.";
    PolicyRewriteLost Pass12 [Bytes] "pass/policy_rewrite_lost" "The policy's rewrite is dropped.";
    PolicyRewriteLostOnYes Pass12 [Bytes] "pass/policy_rewrite_lost_on_yes" "The policy's rewrite is undone when the ask is approved.";
    InheritedCauseLost Pass13 [Misrecorded] "pass/inherited_cause_lost" "The cause on a policy's deny is not recorded.";
    InheritedRoundLost Pass13 [Misrecorded] "pass/inherited_round_lost" "The classifier round on a policy's decision is not recorded.";
    RuleLoosensDeny Pass14 [Loosened] "pass/rule_loosens_deny" "A stored rule turns a policy's deny into an allow.";
    HookLoosensDeny Pass14 [Loosened] "pass/hook_loosens_deny" "The hook's allow stands over a policy's deny.";
    ModeLoosensDeny Pass14 [Loosened] "pass/mode_loosens_deny" "The mode releases a call that the policy denied.";
    TightenOverDeny Pass14 [Loosened] "pass/tighten_over_deny" "A tighten puts its question over a policy's deny.";
    HookAskDropped Pass15 [NotEnforced] "pass/hook_ask_dropped" "The hook's ask is dropped.";
    HookAskOverAsk Pass15 [Misrecorded] "pass/hook_ask_over_ask" "The hook's ask takes the place of the policy's.";
    ProbeIgnored Pass16 [NotEnforced] "pass/probe_ignored" "A probe that says irreversible puts no question.";
    SilentProbeAllows Pass17 [FailsOpen] "pass/silent_probe_allows" "A probe that does not answer puts no question.";
    SilentProbeClassified Pass17 [FailsOpen] "pass/silent_probe_classified" "A classifier answers for a probe that did not.";
    ReadStationIgnored Pass18 [NotEnforced] "pass/read_station_ignored" "The read station puts no question.";
    ProtectionIgnored Pass19 [NotEnforced] "pass/protection_ignored" "A write-protection match puts no question.";
    ProtectionShutsOut Pass19 [OverRefuses] "pass/protection_shuts_out" "A live decider may not answer what write protection mandates.";
    UnresolvedClassified Pass20 [Loosened] "pass/unresolved_classified" "A classifier answers for a target that was not resolved.";
    UnstatedIgnored Pass21 [NotEnforced] "pass/unstated_ignored" "A tool that does not state its effects is not asked about.";
    SecondOrigin Pass22 [Misrecorded] "pass/second_origin" "A later question takes the place of the first as the origin of the ask.";
    SupersedeForgotten Pass23 [Stale] "pass/supersede_forgotten" "What was settled before the ask stays settled.";
    OrgDenyIgnored Pass24 [NotEnforced] "pass/org_deny_ignored" "The organisation's deny is dropped.";
    OrgAskIgnored Pass25 [NotEnforced] "pass/org_ask_ignored" "The organisation's question is not put.";
    RuleClearsMandated Pass26 [Loosened] "pass/rule_clears_mandated" "A stored rule clears a mandated ask.";
    RuleNeverClears Pass26 [OverRefuses] "pass/rule_never_clears" "A stored rule clears nothing.";
    ReadOnlyClearsMandated Pass27 [Loosened] "pass/read_only_clears_mandated" "The read-only arm clears a mandated ask.";
    ReadOnlyPastBoundary Pass27 [Loosened] "pass/read_only_past_boundary" "The read-only arm clears where the read boundary declined.";
    ReadOnlyNeverClears Pass27 [OverRefuses] "pass/read_only_never_clears" "The read-only arm clears nothing.";
    HookAllowOutlivesRewrite Pass28 [Bytes Loosened] "pass/hook_allow_outlives_rewrite" "The hook's allow clears an ask about arguments that the hook never saw.";
    HookAllowClearsMandated Pass28 [Loosened] "pass/hook_allow_clears_mandated" "The hook's allow clears a mandated ask.";
    HookAllowNeverClears Pass28 [OverRefuses] "pass/hook_allow_never_clears" "The hook's allow clears nothing.";
    ClassifierAlwaysAsked Pass29 [OverRefuses] "pass/classifier_always_asked" "The classifier is asked about every call.";
    ClassifierDenyIgnored Pass29 [NotEnforced] "pass/classifier_deny_ignored" "The classifier's deny leaves the ask standing.";
    ClassifierNeverClears Pass29 [OverRefuses] "pass/classifier_never_clears" "The classifier's allow clears nothing.";
    UnavailableAllows Pass30 [FailsOpen] "pass/unavailable_allows" "A classifier that gives no answer has allowed.";
    UnreadableAllows Pass30 [FailsOpen] "pass/unreadable_allows" "A classifier whose answer cannot be read has allowed.";
    ClassifierCauseLost Pass30 [Misrecorded] "pass/classifier_cause_lost" "The cause of a classifier's silence is not recorded.";
    RoundLostOnAllow Pass31 [Misrecorded] "pass/round_lost_on_allow" "The classifier's round is recorded beside a deny alone.";
    RoundLostOnDeny Pass31 [Misrecorded] "pass/round_lost_on_deny" "The classifier's round is recorded beside an allow alone.";
    ReleaseUnrecorded Pass32 [Misrecorded] "pass/release_unrecorded" "A release by the mode is not on the record.";
    ReleaseIgnored Pass32 [OverRefuses] "pass/release_ignored" "The mode's release leaves the ask standing.";
    ModeRefusalIgnored Pass33 [NotEnforced] "pass/mode_refusal_ignored" "The mode's refusal leaves the ask standing.";
    ModeRefusalUnrecorded Pass33 [Misrecorded] "pass/mode_refusal_unrecorded" "How the mode refused is not on the record.";
    ModeReleasesMandated Pass34 [Loosened] "pass/mode_releases_mandated" "The mode releases a mandated ask.";
    ReleasedBesideDeny Pass34 [Misrecorded] "pass/released_beside_deny" "A release that the mode could not make is recorded beside the deny.";
    SandboxAdmitsMandated Pass34 [Loosened] "pass/sandbox_admits_mandated" "The sandbox admits under a mandated ask.";
    SandboxPastHookAsk Pass35 [Loosened] "pass/sandbox_past_hook_ask" "The sandbox admits what the hook asks about.";
    SandboxNeverAdmits Pass35 [OverRefuses] "pass/sandbox_never_admits" "The sandbox admits nothing.";
    UnshownAsked Pass36 [FailsOpen] "pass/unshown_asked" "An ask that cannot be shown is put all the same.";
    UnshownDeclined Pass36 [Misrecorded] "pass/unshown_declined" "An ask that could not be shown is recorded as a person's no.";
    SuspendedMints Pass37 [Misrecorded] "pass/suspended_mints" "A parked call has a record.";
    ParkIgnored Pass37 [NotEnforced] "pass/park_ignored" "The park is never tried.";
    ParkRuns Pass37 [NotEnforced] "pass/park_runs" "A parked call runs.";
    ParkFailureForgotten Pass38 [Misrecorded] "pass/park_failure_forgotten" "A deny does not say that the park failed.";
    ParkFailureAllows Pass38 [FailsOpen] "pass/park_failure_allows" "A call whose park failed runs.";
    ParkFailureDenies Pass38 [OverRefuses] "pass/park_failure_denies" "A call whose park failed is refused unasked.";
    NobodyAllows Pass39 [FailsOpen] "pass/nobody_allows" "An ask that nobody can be asked is an allow.";
    NobodyDeclined Pass39 [Misrecorded] "pass/nobody_declined" "Nobody to ask is recorded as a person's no.";
    OtherOriginCounts Pass40 [WrongQuestion] "pass/other_origin_counts" "A record of another origin answers the ask.";
    OtherClassesCount Pass40 [WrongQuestion] "pass/other_classes_count" "A record of other classes answers the ask.";
    OtherCallCounts Pass40 [WrongQuestion] "pass/other_call_counts" "A record of another call answers the ask.";
    OtherBytesCount Pass40 [Bytes] "pass/other_bytes_count" "A yes to the arguments licenses the edit.";
    ClassesInOrder Pass40 [OverRefuses] "pass/classes_in_order" "Classes in another order are other classes.";
    RefusalClaimsAllow Pass40 [Misrecorded] "pass/refusal_claims_allow" "An allow with a refusal on record is an allow.";
    TimeoutDeclined Pass40 [Misrecorded] "pass/timeout_declined" "A wait that timed out is recorded as a person's no.";
    DelegateIsPerson Pass40 [Misrecorded] "pass/delegate_is_person" "A delegate's yes is recorded as a person's.";
    PostureSettles Pass40 [Misrecorded] "pass/posture_settles" "An allow with no record is recorded as a person's yes.";
    BareDenyDeclined Pass40 [Misrecorded] "pass/bare_deny_declined" "A deny with no record is recorded as a person's no.";
    YesBesideDenyRuns Pass40 [NotEnforced] "pass/yes_beside_deny_runs" "A deny with a yes on its record runs.";
    RealIgnored Pass41 [FailsOpen] "pass/real_ignored" "Any allow answers an ask that needs a real approval.";
    PersonIgnored Pass42 [FailsOpen] "pass/person_ignored" "Any allow answers an ask that only a person may answer.";
    RetiredAllows Pass43 [FailsOpen] "pass/retired_allows" "A resolution that carries `settlement` is an allow.";
    RetiredDenies Pass43 [Misrecorded] "pass/retired_denies" "A resolution that carries `settlement` is a person's no.";
    ResolverThrowAllows Pass44 [FailsOpen] "pass/resolver_throw_allows" "A resolver that throws has allowed.";
    ResolverThrowDeclined Pass44 [Misrecorded] "pass/resolver_throw_declined" "A resolver that throws is recorded as a person's no.";
    EditNotScreened Pass45 [Bytes] "pass/edit_not_screened" "An approved edit is not screened again.";
    EditScreensOldBytes Pass45 [Bytes] "pass/edit_screens_old_bytes" "What is screened again is not the edit.";
    RescreenDenyIgnored Pass46 [NotEnforced] "pass/rescreen_deny_ignored" "The hook's deny of an edit is dropped.";
    RescreenCrashAllows Pass46 [FailsOpen] "pass/rescreen_crash_allows" "A screening of an edit that fails has no opinion.";
    RescreenDropsYes Pass46 [Misrecorded] "pass/rescreen_drops_yes" "The yes that a screening vetoed is not on the record.";
    EditNotAdjudicated Pass47 [Bytes] "pass/edit_not_adjudicated" "An approved edit is not adjudicated again.";
    EditAdjudicatesOldBytes Pass47 [Bytes] "pass/edit_adjudicates_old_bytes" "What is adjudicated again is not the edit.";
    EditDenyIgnored Pass47 [NotEnforced] "pass/edit_deny_ignored" "The policy's deny of an edit is dropped.";
    EditNotRun Pass47 [Bytes] "pass/edit_not_run" "The edit is judged, and what was asked about runs.";
    EditAskAllows Pass48 [FailsOpen Stale] "pass/edit_ask_allows" "A question about an edit is answered by the yes before it.";
    EditNotRejudged Pass49 [NotEnforced] "pass/edit_not_rejudged" "Write protection does not judge an edit.";
    NoCap Pass50 [NotEnforced] "pass/no_cap" "Rounds of edits have no cap.";
    CapDropsYes Pass50 [Misrecorded] "pass/cap_drops_yes" "The yes that the cap vetoed is not on the record.";
    KeepForgotten Pass51 [Bytes] "pass/keep_forgotten" "A yes stays on the record of a call that runs other bytes.";
    ToldTwice Pass52 [Misrecorded] "pass/told_twice" "The observer is told of a deny twice.";
    DenyUntold Pass52 [Misrecorded] "pass/deny_untold" "The observer is not told of a deny.";
    AllowTold Pass52 [Misrecorded] "pass/allow_told" "The observer is told of an allow.";
    PayloadDerived Pass53 [Misrecorded] "pass/payload_derived" "What the observer is told is derived again, without the settlement.";
    NothingMinted Pass53 [Misrecorded] "pass/nothing_minted" "An allow has no record.";
    ToolWritesFinal Pass54 [Misrecorded] "pass/tool_writes_final" "The final input is the tool's own arguments.";
    ObserverWritesFinal Pass54 [Misrecorded] "pass/observer_writes_final" "The final input is what the observer was handed.";
    FinalInputIsFirst Pass54 [Misrecorded] "pass/final_input_missing" "The record of an allow has no final input.";
    DenyRuns Pass55 [NotEnforced] "pass/deny_runs" "A denied call runs.";
}
