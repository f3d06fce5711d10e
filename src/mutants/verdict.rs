//! Faulty seams.
//!
//! ```
//! use gatespec::mutants::verdict::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::verdict::{Op, Parse};
//!
//! let op = Op::Parse(Parse { output: r#"{"verdict":"hold","reason":"ask"}"#.into() });
//! assert_eq!(answer(Fault::Nowhere, &op), op.expected());
//! ```

use serde_json::{Value, json};

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::ops::verdict::{
    Adjudicate, Answer, Call, Op, Output, ParseOutput, RefusalOutput, RefusalText, RequestOutput,
    SeamOutput, VerdictOutput,
};

mod reader;

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// Where this seam can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            /// Nowhere: it must agree with the model.
            Nowhere,
            /// It reads `"reason": null` beside `pass` as `pass`: the other conforming way.
            NullIsPass,
            $(#[doc = $sentence] $fault,)*
        }

        /// The faulty seams.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Verdict, |op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    AsksAnyway Ver01 [] "verdict/asks_anyway" "With no control configured one is spawned all the same.";
    ObeysUnconfigured Ver01 [OverRefuses] "verdict/obeys_unconfigured" "A control that is not configured decides.";
    ClosedWithoutControl Ver01 [OverRefuses] "verdict/closed_without_control" "With no control configured every call is refused.";
    NeverAsks Ver02 [FailsOpen NotEnforced] "verdict/never_asks" "The configured control is never consulted, and every call proceeds.";
    CamelCase Ver03 [] "verdict/camel_case" "The request spells `agent_id` as `agentId`.";
    NoRole Ver03 [] "verdict/no_role" "The request leaves `role` out.";
    MoreMembers Ver03 [] "verdict/more_members" "The request holds a member of the harness's own.";
    IdForName Ver03 [] "verdict/id_for_name" "The request gives the tool's name as the call's id.";
    InputAsText Ver04 [Bytes] "verdict/input_as_text" "The request holds the input as a string of JSON.";
    InputNullsDropped Ver04 [Bytes] "verdict/input_nulls_dropped" "Members of the input that are null are dropped.";
    InputTopOnly Ver04 [Bytes] "verdict/input_top_only" "What is nested deep in the input is left out.";
    InputCleaned Ver04 [Bytes] "verdict/input_cleaned" "Control characters are removed from the input's strings.";
    EmptyInput Ver04 [Bytes] "verdict/empty_input" "An empty array of an input is sent as an empty object.";
    PassRefused Ver05 [OverRefuses] "verdict/pass_refused" "A pass is taken for a refusal.";
    PassHeld Ver05 [OverRefuses] "verdict/pass_held" "A pass is taken for a hold.";
    RefuseProceeds Ver06 [NotEnforced] "verdict/refuse_proceeds" "A refused call proceeds.";
    RefuseHeld Ver06 [Loosened] "verdict/refuse_held" "A refusal is taken for a hold.";
    RefuseInOwnWords Ver06 [Misrecorded] "verdict/refuse_in_own_words" "A refusal gives the harness's reason, not the control's.";
    HoldProceeds Ver07 [NotEnforced] "verdict/hold_proceeds" "A held call proceeds.";
    HoldRefused Ver07 [OverRefuses] "verdict/hold_refused" "A hold is taken for a refusal.";
    SpawnFailureProceeds Ver08 [FailsOpen] "verdict/spawn_failure_proceeds" "Where the control does not spawn the call proceeds.";
    SpawnFailureRefused Ver08 [Misrecorded] "verdict/spawn_failure_refused" "Where the control does not spawn the call is refused.";
    KillIsStop Ver09 [Misrecorded] "verdict/kill_is_stop" "Any kill is read as the stop.";
    KillProceeds Ver09 [FailsOpen] "verdict/kill_proceeds" "Where a signal kills the control the call proceeds.";
    KilledAfterVerdict Ver09 [FailsOpen] "verdict/killed_after_verdict" "A verdict stands though a signal killed the control that printed it.";
    CrashProceeds Ver10 [FailsOpen] "verdict/crash_proceeds" "Where the control exits non-zero the call proceeds.";
    CrashRefused Ver10 [Misrecorded] "verdict/crash_refused" "A non-zero exit is taken for a refusal.";
    ExitCodeIgnored Ver10 [FailsOpen] "verdict/exit_code_ignored" "A verdict stands though the control that printed it exited non-zero.";
    OnlyOneFails Ver10 [FailsOpen] "verdict/only_one_fails" "Exit codes above 1 are taken for success.";
    BadOutputProceeds Ver11 [FailsOpen] "verdict/bad_output_proceeds" "Where the output is no verdict the call proceeds.";
    BadOutputRefused Ver11 [Misrecorded] "verdict/bad_output_refused" "An output that is no verdict is taken for a refusal.";
    BadOutputHeld Ver11 [OverRefuses] "verdict/bad_output_held" "An output that is no verdict is taken for a hold.";
    TimeOutProceeds Ver12 [FailsOpen] "verdict/time_out_proceeds" "Where the control does not end in time the call proceeds.";
    TimeOutIsStop Ver12 [Misrecorded] "verdict/time_out_is_stop" "A time-out under the stop flag is read as the stop.";
    TimedOutAfterVerdict Ver12 [FailsOpen] "verdict/timed_out_after_verdict" "A verdict stands though the control that printed it did not end in time.";
    StopIsFault Ver13 [Misrecorded] "verdict/stop_is_fault" "A kill under the stop flag is a fault.";
    StopByTermOnly Ver13 [Misrecorded] "verdict/stop_by_term_only" "Only signal 15 under the stop flag is the stop.";
    StopProceeds Ver13 [FailsOpen] "verdict/stop_proceeds" "A kill under the stop flag lets the call proceed.";
    FlagBeatsVerdict Ver14 [Misrecorded] "verdict/flag_beats_verdict" "A verdict given under the stop flag is ignored.";
    FlagBeatsExit Ver14 [Misrecorded] "verdict/flag_beats_exit" "A non-zero exit under the stop flag is read as the stop.";
    FlagBeatsOutput Ver14 [Misrecorded] "verdict/flag_beats_output" "An output that is no verdict is read as the stop under the flag.";
    FlagBeatsSpawn Ver14 [Misrecorded] "verdict/flag_beats_spawn" "A control that does not spawn is read as the stop under the flag.";
    NoDetail Ver15 [Misrecorded] "verdict/no_detail" "A fault says nothing of what went wrong.";
    NoTool Ver15 [Misrecorded] "verdict/no_tool" "A fault names the call's id for the tool.";
    NoCommand Ver15 [Misrecorded] "verdict/no_command" "A fault names no command.";
    NoSpaceAround Ver16 [OverRefuses] "verdict/no_space_around" "A verdict with a line break after it is a fault.";
    UnicodeSpace Ver16 [FailsOpen] "verdict/unicode_space" "Any Unicode white space may stand around.";
    MarkSkipped Ver16 [FailsOpen] "verdict/mark_skipped" "A byte order mark is skipped.";
    BannerSkipped Ver16 [FailsOpen] "verdict/banner_skipped" "What stands before the first `{` is skipped.";
    ListTaken Ver16 [FailsOpen] "verdict/list_taken" "A list of one verdict is taken for the verdict.";
    TailIgnored Ver16 [FailsOpen] "verdict/tail_ignored" "What follows the object is ignored.";
    EmptyIsPass Ver16 [FailsOpen] "verdict/empty_is_pass" "No output is a pass.";
    FoldsCase Ver17 [LopsidedMatch FailsOpen] "verdict/folds_case" "The word is read in any case.";
    UnknownIsPass Ver17 [FailsOpen] "verdict/unknown_is_pass" "A word that is none of the three is a pass.";
    MissingIsPass Ver17 [FailsOpen] "verdict/missing_is_pass" "Where `verdict` is missing it is a pass.";
    NotTextIsPass Ver17 [FailsOpen] "verdict/not_text_is_pass" "`\"verdict\": true` is a pass.";
    NoReasonNeeded Ver18 [FailsOpen] "verdict/no_reason_needed" "A refusal or a hold without reason is one.";
    ReasonMadeText Ver18 [FailsOpen] "verdict/reason_made_text" "A reason that is no string is made one.";
    ReasonIgnoredBesidePass Ver18 [FailsOpen] "verdict/reason_ignored_beside_pass" "A reason beside `pass` is ignored.";
    UnknownIgnored Ver19 [FailsOpen] "verdict/unknown_ignored" "An unknown member is ignored.";
    FoldsNames Ver19 [LopsidedMatch FailsOpen] "verdict/folds_names" "The member's name is read in any case.";
    FirstWins Ver20 [FailsOpen] "verdict/first_wins" "Of a doubled member the first counts.";
    LastWins Ver20 [FailsOpen] "verdict/last_wins" "Of a doubled member the last counts.";
    EqualDoubles Ver20 [FailsOpen] "verdict/equal_doubles" "A member may be doubled with the same value.";
    DoubledBySpelling Ver20 [FailsOpen LopsidedMatch] "verdict/doubled_by_spelling" "A member doubled with another spelling of its name is not seen.";
    Unread Ver16 [FailsOpen] "verdict/unread" "The output is searched for a word, not read.";
    BadBytesReplaced Ver21 [FailsOpen] "verdict/bad_bytes_replaced" "Bytes that are not UTF-8 are replaced.";
    HalvesReplaced Ver21 [FailsOpen] "verdict/halves_replaced" "A lone surrogate is replaced.";
    RawControls Ver21 [FailsOpen] "verdict/raw_controls" "A raw control character in a string is taken.";
    CommaAtEnd Ver21 [FailsOpen] "verdict/comma_at_end" "A comma after the last member is taken.";
    AnyEscape Ver21 [FailsOpen] "verdict/any_escape" "An escape that JSON does not have is taken.";
    NamesRaw Ver21 [OverRefuses LopsidedMatch] "verdict/names_raw" "Escapes in a member's name are not read.";
    ReasonTrimmed Ver22 [Misrecorded] "verdict/reason_trimmed" "A reason is trimmed.";
    ReasonCut Ver22 [Misrecorded] "verdict/reason_cut" "A long reason is cut.";
    ReasonFolded Ver22 [Misrecorded] "verdict/reason_folded" "Line breaks in a reason become spaces.";
    EmptyIsNoReason Ver22 [OverRefuses] "verdict/empty_is_no_reason" "An empty reason is no reason.";
    NamesNoTool Ver23 [Misrecorded] "verdict/names_no_tool" "The refusal names no tool.";
    GivesNoReason Ver23 [Misrecorded] "verdict/gives_no_reason" "The refusal gives no reason.";
    NoError Ver23 [Misrecorded] "verdict/no_error" "The refusal is not marked an error.";
    ExitOne Ver24 [Misrecorded] "verdict/exit_one" "The refusal carries exit code 1.";
    ExitZero Ver24 [Misrecorded] "verdict/exit_zero" "The refusal carries exit code 0.";
}

use Fault as F;

#[derive(Clone, Copy)]
struct Seam(Fault);

impl Seam {
    fn has(self, fault: Fault) -> bool {
        self.0 == fault
    }

    fn parse(self, output: &[u8]) -> Option<VerdictOutput> {
        reader::read(self.0, output)
    }

    fn request(self, call: &Call) -> Value {
        let mut request = json!({
            "id": if self.has(F::IdForName) { &call.name } else { &call.id },
            "name": call.name,
            "input": self.input(&call.input, 0),
            "role": call.role,
        });
        if let Value::Object(members) = &mut request {
            let agent = if self.has(F::CamelCase) {
                "agentId"
            } else {
                "agent_id"
            };
            members.insert(agent.to_owned(), json!(call.agent_id));
            if self.has(F::NoRole) {
                members.remove("role");
            }
            if self.has(F::MoreMembers) {
                members.insert("version".to_owned(), json!(1));
            }
        }
        if self.has(F::InputAsText)
            && let Some(input) = request.get_mut("input")
        {
            *input = Value::String(input.to_string());
        }
        request
    }

    fn input(self, input: &Value, depth: usize) -> Value {
        match input {
            Value::Array(_) | Value::Object(_) if depth > 2 && self.has(F::InputTopOnly) => {
                Value::Null
            }
            Value::Array(items) if items.is_empty() && self.has(F::EmptyInput) => json!({}),
            Value::Array(items) => items
                .iter()
                .map(|item| self.input(item, depth + 1))
                .collect(),
            Value::Object(members) => {
                let kept = members
                    .iter()
                    .filter(|(_, member)| !(member.is_null() && self.has(F::InputNullsDropped)));
                kept.map(|(name, member)| (name.clone(), self.input(member, depth + 1)))
                    .collect()
            }
            Value::String(text) if self.has(F::InputCleaned) => {
                Value::String(text.chars().filter(|c| !c.is_control()).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => input.clone(),
        }
    }

    fn adjudicate(self, case: &Adjudicate) -> SeamOutput {
        if self.has(F::NeverAsks) {
            return SeamOutput::Proceed { consulted: false };
        }
        if !case.configured && !self.has(F::ObeysUnconfigured) {
            return match self.0 {
                F::ClosedWithoutControl => SeamOutput::Refuse {
                    reason: "no control".to_owned(),
                    consulted: false,
                },
                _ => SeamOutput::Proceed {
                    consulted: self.has(F::AsksAnyway),
                },
            };
        }
        let consulted = true;
        match &case.answer {
            Answer::NotSpawned { .. } => match self.0 {
                F::SpawnFailureProceeds => SeamOutput::Proceed { consulted },
                F::SpawnFailureRefused => self.refused("it did not spawn"),
                F::FlagBeatsSpawn if case.stop => SeamOutput::Stopped { consulted },
                _ => self.fault(case, "it did not spawn"),
            },
            Answer::TimedOut { stdout, .. } => match self.0 {
                F::TimeOutProceeds => SeamOutput::Proceed { consulted },
                F::TimeOutIsStop if case.stop => SeamOutput::Stopped { consulted },
                F::TimedOutAfterVerdict => self.printed(case, &stdout.0),
                _ => self.fault(case, "it took too long"),
            },
            Answer::Killed { signal, stdout } => self.killed(case, *signal, &stdout.0),
            Answer::Exited { exit, stdout } => self.exited(case, *exit, &stdout.0),
        }
    }

    fn killed(self, case: &Adjudicate, signal: u8, stdout: &[u8]) -> SeamOutput {
        let consulted = true;
        let verdict = self.has(F::KilledAfterVerdict) && self.parse(stdout).is_some();
        match self.0 {
            F::KilledAfterVerdict if verdict && !case.stop => self.printed(case, stdout),
            F::StopIsFault if case.stop => self.fault(case, "a signal"),
            F::StopByTermOnly if case.stop && signal != 15 => self.fault(case, "a signal"),
            F::StopProceeds if case.stop => SeamOutput::Proceed { consulted },
            F::KillIsStop => SeamOutput::Stopped { consulted },
            _ if case.stop => SeamOutput::Stopped { consulted },
            F::KillProceeds => SeamOutput::Proceed { consulted },
            _ => self.fault(case, "a signal"),
        }
    }

    fn exited(self, case: &Adjudicate, exit: u8, stdout: &[u8]) -> SeamOutput {
        let consulted = true;
        let failed = match self.0 {
            F::ExitCodeIgnored => false,
            F::OnlyOneFails => exit == 1,
            _ => exit != 0,
        };
        match self.0 {
            _ if !failed => self.printed(case, stdout),
            F::CrashProceeds => SeamOutput::Proceed { consulted },
            F::CrashRefused => self.refused("it failed"),
            F::FlagBeatsExit if case.stop => SeamOutput::Stopped { consulted },
            _ => self.fault(case, "it failed"),
        }
    }

    fn printed(self, case: &Adjudicate, stdout: &[u8]) -> SeamOutput {
        let consulted = true;
        let Some(verdict) = self.parse(stdout) else {
            return match self.0 {
                F::BadOutputProceeds => SeamOutput::Proceed { consulted },
                F::BadOutputRefused => self.refused("no verdict"),
                F::BadOutputHeld => SeamOutput::Hold {
                    reason: "no verdict".to_owned(),
                    consulted,
                },
                F::FlagBeatsOutput if case.stop => SeamOutput::Stopped { consulted },
                _ => self.fault(case, "no verdict"),
            };
        };
        match (verdict, self.0) {
            (_, F::FlagBeatsVerdict) if case.stop => SeamOutput::Stopped { consulted },
            (VerdictOutput::Pass {}, F::PassRefused) => self.refused("by default"),
            (VerdictOutput::Pass {}, F::PassHeld) => SeamOutput::Hold {
                reason: "by default".to_owned(),
                consulted,
            },
            (VerdictOutput::Pass {}, _)
            | (VerdictOutput::Refuse { .. }, F::RefuseProceeds)
            | (VerdictOutput::Hold { .. }, F::HoldProceeds) => SeamOutput::Proceed { consulted },
            (VerdictOutput::Refuse { .. }, F::RefuseInOwnWords) => self.refused("not allowed"),
            (VerdictOutput::Refuse { reason }, F::RefuseHeld) => {
                SeamOutput::Hold { reason, consulted }
            }
            (VerdictOutput::Hold { reason }, F::HoldRefused)
            | (VerdictOutput::Refuse { reason }, _) => SeamOutput::Refuse { reason, consulted },
            (VerdictOutput::Hold { reason }, _) => SeamOutput::Hold { reason, consulted },
        }
    }

    fn refused(self, reason: &str) -> SeamOutput {
        SeamOutput::Refuse {
            reason: reason.to_owned(),
            consulted: true,
        }
    }

    fn fault(self, case: &Adjudicate, detail: &str) -> SeamOutput {
        let tool = if self.has(F::NoTool) {
            &case.call.id
        } else {
            &case.call.name
        };
        SeamOutput::Fault {
            command: if self.has(F::NoCommand) {
                String::new()
            } else {
                case.command.clone()
            },
            tool: tool.clone(),
            detail: if self.has(F::NoDetail) {
                String::new()
            } else {
                detail.to_owned()
            },
            consulted: true,
        }
    }

    fn refusal(self, case: &RefusalText) -> RefusalOutput {
        let RefusalText { tool, reason } = case;
        let text = match self.0 {
            F::NamesNoTool => format!("refused: {reason}"),
            F::GivesNoReason => format!("{tool} was refused"),
            _ => format!("{tool} was refused: {reason}"),
        };
        let exit_code = match self.0 {
            F::ExitOne => Some(json!(1)),
            F::ExitZero => Some(json!(0)),
            _ => None,
        };
        RefusalOutput {
            text,
            is_error: !self.has(F::NoError),
            exit_code,
        }
    }
}

/// The answer of a seam with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    let seam = Seam(fault);
    match op {
        Op::Parse(input) => Output::Parse(match seam.parse(&input.output.0) {
            Some(verdict) => ParseOutput::Verdict(verdict),
            None => ParseOutput::Fault {
                fault: "no verdict".to_owned(),
            },
        }),
        Op::Request(input) => Output::Request(RequestOutput {
            request: seam.request(&input.call),
        }),
        Op::Adjudicate(input) => Output::Seam(seam.adjudicate(input)),
        Op::RefusalText(input) => Output::Refusal(seam.refusal(input)),
    }
}
