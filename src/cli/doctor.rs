//! `gatespec doctor`: speaks to a new adapter step by step, and says what is wrong.

use std::sync::{Arc, Mutex};

use gatespec::conform::free;
use gatespec::conform::process::Event;
use gatespec::conform::{Adapter, Answer, Case, Hello, Plan, Subject as _, Verdict};
use gatespec::model::Suite;
use gatespec::report::json::said;

use super::check::AdapterArgs;
use super::{CliError, print};

/// Speaks to an adapter step by step, and says in plain words what is wrong and what to do next.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec doctor -- python3 my_adapter.py")]
pub(super) struct Args {
    #[command(flatten)]
    adapter: AdapterArgs,
}

/// The lines of the wire since they were last looked at.
#[derive(Clone, Default)]
struct Wire(Arc<Mutex<Vec<String>>>);

/// How many lines of the wire are shown for a step.
const SHOWN: usize = 12;

/// How much of a line is shown.
const CLIPPED: usize = 300;

impl Wire {
    fn listen(&self, event: &Event<'_>) {
        let line = match event {
            Event::Sent(line) => format!("→ {line}"),
            Event::Received(line) => format!("← {}", String::from_utf8_lossy(line)),
            Event::Stderr(bytes) => {
                format!("stderr: {}", String::from_utf8_lossy(bytes).trim_end())
            }
            Event::Started { .. } | Event::Ended { .. } => return,
        };
        let clipped: String = line.chars().take(CLIPPED).collect();
        if let Ok(mut lines) = self.0.lock()
            && lines.len() < SHOWN
        {
            lines.push(clipped);
        }
    }

    /// The lines since the last step, indented.
    fn take(&self) -> String {
        let lines = self
            .0
            .lock()
            .map(|mut lines| std::mem::take(&mut *lines))
            .unwrap_or_default();
        lines.iter().map(|line| format!("    {line}\n")).collect()
    }
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let wire = Wire::default();
    let listener = wire.clone();
    let mut adapter = args
        .adapter
        .adapter()?
        .traced(move |event| listener.listen(&event));
    let hello = match adapter.hello() {
        Ok(hello) => hello,
        Err(stopped) => return ill(&wire, "hello", &stopped.to_string(), HELLO_ADVICE),
    };
    well(
        &wire,
        &format!("hello: {} takes on {}", hello.name, hello.suites.join(", ")),
    )?;
    let plan = Plan::new(0).map_err(CliError::usage)?;
    for suite in Suite::ALL {
        if hello.suites.iter().any(|word| word == suite.word()) {
            match ask(&mut adapter, &hello, &plan, suite) {
                Ok(says) => well(&wire, &format!("{suite}: {says}"))?,
                Err((says, next)) => return ill(&wire, suite.word(), &says, &next),
            };
        }
    }
    if let Some(says) = adapter.end().first() {
        return ill(
            &wire,
            "bye",
            says,
            "exit when you read {\"bye\":{}} or your stdin ends",
        );
    }
    well(&wire, "bye: it went when it was sent away")?;
    print("\nwell: run `gatespec check` now\n")
}

const HELLO_ADVICE: &str = "answer the first line with \
    {\"hello\":{\"protocol\":1,\"name\":\"my-gate\",\"suites\":[\"key\"]}} and a line feed, flush \
    stdout, and print nothing else there";

fn well(wire: &Wire, says: &str) -> Result<u8, CliError> {
    print(&format!("ok   {says}\n{}", wire.take()))
}

fn ill(wire: &Wire, step: &str, says: &str, next: &str) -> Result<u8, CliError> {
    print(&format!(
        "FAIL {step}: {says}\n{}next {next}\n",
        wire.take()
    ))?;
    Ok(1)
}

/// Puts one vector of a suite to the adapter.
fn ask(
    adapter: &mut Adapter,
    hello: &Hello,
    plan: &Plan,
    suite: Suite,
) -> Result<String, (String, String)> {
    let of_suite = |case: &&Case| case.suite() == suite && hello.has(&case.op.needs()).is_ok();
    let Some(case) = plan.vectors.iter().find(of_suite).cloned() else {
        let all = "not asked, since every case of it needs a word of the hello's `lacks`";
        return Ok(format!(
            "{all}; once your gate has one of them, take it out of `lacks`"
        ));
    };
    let mut came = None;
    let ran = adapter.run(&mut std::iter::once(case.clone()), &mut |_, answer| {
        came = Some(answer)
    });
    let Some(answer) = came else {
        let why = ran
            .err()
            .map_or_else(String::new, |stopped| stopped.to_string());
        return Err((why, "see what it wrote to stderr".to_owned()));
    };
    let (chapter, name) = (suite.word(), case.op.name());
    match case.judge(&answer) {
        Verdict::Passed => Ok(format!("answers {name}")),
        Verdict::Unsupported(why) => Ok(format!("declines {name}: {why}")),
        Verdict::Failed { .. } => Err((said(&answer), next(&answer, chapter, name, &case))),
    }
}

/// The next thing to do about an answer.
fn next(answer: &Answer, chapter: &str, name: &str, case: &Case) -> String {
    let shape = format!("spec/{chapter}.md, `On the wire`, or `gatespec schema {chapter}.output`");
    match answer {
        Answer::Malformed { .. } => format!("give {name} the shape that stands in {shape}"),
        Answer::Error(_) | Answer::Unsupported(_) => {
            format!("find out why {name} breaks; a gate that refuses gives an output ({shape})")
        }
        Answer::Crashed(_) => format!("run it by hand on the line above: {name} ends it"),
        Answer::TimedOut(_) => "flush stdout after each line that you write".to_owned(),
        Answer::Protocol(_) => "write one line a request, with the id of the request".to_owned(),
        Answer::Output(_) => {
            let expected = free::compared(&case.op, &free::free(&case.op));
            format!("the law's answer is {expected}; read spec/{chapter}.md")
        }
    }
}
