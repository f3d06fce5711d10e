//! `gatespec check`: the main job.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gatespec::conform::adapter::transcript;
use gatespec::conform::baseline::Baseline;
use gatespec::conform::kept::{self, Counterexample};
use gatespec::conform::parallel::Parallel;
use gatespec::conform::process::{self, Command, Event, Limits};
use gatespec::conform::runner::Progress;
use gatespec::conform::shrink::ShrinkLimits;
use gatespec::conform::{Adapter, Case, Check, Depth, Hello, Plan, check};
use gatespec::model::{Clause, Profile, Suite};
use gatespec::report::human::{self, Colour};
use gatespec::report::{Report, badge, html, json, junit, markdown, stats};

use super::{CliError, print, select};

/// Checks a gate: puts every case to an adapter, and says which clause a wrong answer breaks.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec check -- python3 examples/python/gate.py
  gatespec check --suite key --suite ledger --report html=report.html -- ./my-gate
  gatespec check --case key/bad-iteration/two-zeros -- ./my-gate
  gatespec check --case key/bad-iteration/two-zeros --print-stdin | ./my-gate",
    mut_arg("command", |arg| arg.required(false).required_unless_present("print_stdin")))]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) what: What,
    #[command(flatten)]
    pub(super) adapter: AdapterArgs,
    /// Print the exact lines that the adapter reads on its stdin, and run nothing: for a debugger.
    #[arg(long)]
    print_stdin: bool,
}

/// What to run.
#[derive(clap::Args)]
pub(super) struct What {
    /// Only this suite; may be given more than once.
    #[arg(long, value_name = "SUITE", value_parser = select::suite)]
    suite: Vec<Suite>,
    /// Only cases of this profile, core or an extension; may be given more than once.
    #[arg(long, value_name = "NAME", value_parser = select::profile)]
    profile: Vec<Profile>,
    /// Only cases that rest on this clause; may be given more than once.
    #[arg(long, value_name = "ID", value_parser = select::clause)]
    clause: Vec<Clause>,
    /// Only the case with this id; may be given more than once.
    #[arg(long = "case", value_name = "ID")]
    case: Vec<String>,
    /// The seed of fresh names and random cases; a new one each run unless given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many random cases a suite.
    #[arg(long, value_name = "N", default_value_t = Plan::GENERATED)]
    cases: u64,
    /// Enumerate this many steps deeper than usual (or less deep, when negative).
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    depth: i32,
    /// Only the golden vectors.
    #[arg(long)]
    vectors_only: bool,
    /// A file of known failures, each with a reason; one that no longer fails is a failure.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what fails into this file as a baseline, for the reasons to be filled in.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// Also write a report: json, junit, markdown, badge or html; may be given more than once.
    #[arg(long, value_name = "KIND=PATH", value_parser = output)]
    report: Vec<ReportFile>,
    /// Write every line of the wire into this file.
    #[arg(long, value_name = "FILE", conflicts_with = "jobs")]
    trace: Option<PathBuf>,
    /// Also print how many cases reached each clause and came to each fate.
    #[arg(long)]
    stats: bool,
    /// How many adapters run side by side; the report is the same whatever the number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// The folder of kept counterexamples, run first and added to.
    #[arg(long, value_name = "DIR", default_value = ".gatespec")]
    keep: PathBuf,
}

/// The adapter and how long to wait for it.
#[derive(clap::Args)]
pub(super) struct AdapterArgs {
    /// Seconds to wait for the adapter's hello.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    start_timeout: f64,
    /// Seconds to wait for an answer while nothing else is answered.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// The adapter's command, run as it is: no shell.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("seconds are a number above 0 and up to 86400".to_owned()),
    }
}

/// A report to write, and where.
#[derive(Clone)]
struct ReportFile {
    render: fn(&Report) -> String,
    path: PathBuf,
}

fn output(text: &str) -> Result<ReportFile, String> {
    let (kind, path) = text
        .split_once('=')
        .ok_or("write KIND=PATH, such as json=report.json")?;
    let render: fn(&Report) -> String = match kind {
        "json" => json::render,
        "junit" => junit::render,
        "markdown" => markdown::render,
        "badge" => badge::render,
        "html" => html::render,
        other => {
            let kinds = ["json", "junit", "markdown", "badge", "html"];
            return Err(select::unknown("report", other, &kinds));
        }
    };
    Ok(ReportFile {
        render,
        path: path.into(),
    })
}

impl AdapterArgs {
    /// The adapter, not yet started.
    pub(super) fn adapter(&self) -> Result<Adapter, CliError> {
        self.one(&super::interrupt().map_err(CliError::usage)?)
    }

    /// Several of it.
    fn adapters(&self, jobs: u16) -> Result<Vec<Adapter>, CliError> {
        let interrupt = super::interrupt().map_err(CliError::usage)?;
        (0..jobs).map(|_| self.one(&interrupt)).collect()
    }

    fn one(&self, interrupt: &Arc<AtomicBool>) -> Result<Adapter, CliError> {
        let command = Self::spawned(&self.command)?;
        Ok(Adapter::new(command, self.limits(), Arc::clone(interrupt)))
    }

    fn spawned(words: &[OsString]) -> Result<Command, CliError> {
        Command::new(words).ok_or_else(|| CliError::usage("name the adapter's command after `--`"))
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.start = Duration::from_secs_f64(self.start_timeout);
        limits.case = Duration::from_secs_f64(self.timeout);
        limits
    }

    /// The adapter's process, and that of another command, to be driven line by line.
    pub(super) fn processes(
        &self,
        other: &[OsString],
    ) -> Result<(process::Adapter, process::Adapter), CliError> {
        let interrupt = super::interrupt().map_err(CliError::usage)?;
        let one = |words: &[OsString]| {
            let (command, hello) = (Self::spawned(words)?, Hello::line());
            let interrupt = Arc::clone(&interrupt);
            Ok(process::Adapter::new(
                command,
                self.limits(),
                hello,
                interrupt,
            ))
        };
        Ok((one(&self.command)?, one(other)?))
    }

    /// The command that replays a case that was kept of this adapter.
    pub(super) fn replay(&self, kept: &Path) -> String {
        replay(kept, &self.words())
    }

    /// The command as a person would type it.
    pub(super) fn words(&self) -> Vec<String> {
        self.command
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }
}

impl What {
    fn baseline(&self) -> Result<Option<Baseline>, CliError> {
        let Some(path) = &self.baseline else {
            return Ok(None);
        };
        let named = |error: &dyn std::fmt::Display| {
            CliError::usage(format_args!("cannot take `{}`: {error}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
        Baseline::read(&text)
            .map(Some)
            .map_err(|error| named(&error))
    }

    fn plan(&self) -> Result<Plan, CliError> {
        let seed = self.seed.unwrap_or_else(fresh_seed);
        let mut plan = Plan::new(seed).map_err(CliError::usage)?;
        plan.settings = plan.settings.deeper(self.depth);
        plan.generated = self.cases;
        plan.selection.suites = self.suite.iter().copied().collect();
        plan.selection.profiles = self.profile.iter().copied().collect();
        plan.selection.clauses = self.clause.iter().copied().collect();
        plan.selection.ids = self.case.iter().cloned().collect();
        if self.vectors_only {
            plan.selection.depths = [Depth::Vector].into();
        }
        plan.kept = kept::load(&self.keep).map_err(|error| {
            CliError::usage(format_args!(
                "{error}; remove the file, or name another --keep folder"
            ))
        })?;
        match self.case.iter().find(|id| !may_be(&plan, id)) {
            None => Ok(plan),
            Some(id) => {
                let known: Vec<&str> = plan.vectors.iter().map(|case| case.id.as_str()).collect();
                let near = select::near(id, &known).map_or_else(
                    || "; its id is the one that a report names".to_owned(),
                    |near| format!("; did you mean `{near}`?"),
                );
                Err(CliError::inconclusive(format_args!(
                    "there is no case `{id}`{near}"
                )))
            }
        }
    }
}

/// Whether a run of this plan may come to a case with this id.
fn may_be(plan: &Plan, id: &str) -> bool {
    let made = |suite: Suite| {
        let made = [Depth::Enumerated, Depth::Generated];
        made.iter().any(|depth| {
            let number = id.strip_prefix(&format!("{suite}/{depth}/"));
            number.is_some_and(|number| number.parse::<u64>().is_ok())
        })
    };
    let known = plan.kept.iter().chain(&plan.vectors);
    Suite::ALL.into_iter().any(made) || known.into_iter().any(|case| case.id == id)
}

/// Prints what an adapter reads on its stdin when these cases are put to it.
pub(super) fn print_stdin(cases: impl Iterator<Item = Case>) -> Result<u8, CliError> {
    let mut cases = cases.peekable();
    if cases.peek().is_none() {
        return Err(CliError::inconclusive("no case is selected"));
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let written = transcript(cases).try_for_each(|line| writeln!(out, "{line}"));
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(CliError::usage(
            format_args!("cannot write to stdout: {error}"),
        )),
        _ => Ok(0),
    }
}

/// Has the wire written into a file, a line a line: `→` what was sent, `←` what came, `!` stderr.
fn traced(adapter: Adapter, path: &Path) -> Result<Adapter, CliError> {
    let file = std::fs::File::create(path).map_err(|error| {
        CliError::usage(format_args!("cannot write `{}`: {error}", path.display()))
    })?;
    let mut file = std::io::BufWriter::new(file);
    Ok(adapter.traced(move |event| {
        let line = match event {
            Event::Started { pid } => format!("* started {pid}"),
            Event::Sent(line) => format!("→ {line}"),
            Event::Received(line) => format!("← {}", String::from_utf8_lossy(line)),
            Event::Stderr(bytes) => format!("! {}", String::from_utf8_lossy(bytes).trim_end()),
            Event::Ended { exit } => format!("* it {exit}"),
        };
        // a trace that cannot be written any more does not end the run
        let _ = writeln!(file, "{line}");
    }))
}

/// Writes a file that a person asked for.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(path, text).map_err(|error| {
        CliError::usage(format_args!("cannot write `{}`: {error}", path.display()))
    })
}

/// A seed that differs from run to run.
pub(super) fn fresh_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    // small enough to be typed again
    u64::try_from(nanos % 1_000_000_007).unwrap_or_default()
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let mut plan = args.what.plan()?;
    if args.print_stdin {
        let of_suite = |suite: Suite| Depth::ALL.into_iter().map(move |depth| (suite, depth));
        let suites = Suite::ALL.into_iter();
        let chosen = suites.filter(|&suite| plan.selection.suite(suite));
        return print_stdin(
            chosen
                .flat_map(of_suite)
                .flat_map(|(suite, depth)| plan.cases(suite, depth)),
        );
    }
    let baseline = args.what.baseline()?;
    plan.known = baseline
        .iter()
        .flat_map(|baseline| baseline.cases.keys().cloned())
        .collect();
    let mut adapters = args.adapter.adapters(args.what.jobs)?;
    if let Some(path) = &args.what.trace {
        adapters = adapters
            .into_iter()
            .map(|adapter| traced(adapter, path))
            .collect::<Result<_, _>>()?;
    }
    let mut adapter = Parallel::new(adapters);
    let bar = Bar::new();
    let check = check(&mut adapter, &plan, &ShrinkLimits::default(), &mut |now| {
        bar.tell(now)
    });
    bar.end();
    let seed = plan.settings.seed;
    let mut report = report(&check, seed, args.adapter.words(), &args.what.keep)?;
    if let Some(baseline) = &baseline {
        report = report.with_baseline(&check, baseline);
    }
    if let Some(path) = &args.what.write_baseline {
        let text = serde_json::to_string_pretty(&Baseline::of(&check)).unwrap_or_default();
        write(path, &format!("{text}\n"))?;
    }
    for ReportFile { render, path } in &args.what.report {
        write(path, &render(&report))?;
    }
    print(&human::render(&report, colour()))?;
    if args.what.stats {
        print(&stats::render(&report))?;
    }
    Ok(report.outcome.exit_code())
}

/// The report, its counterexamples kept and each with the command that replays it.
fn report(
    check: &Check,
    seed: u64,
    command: Vec<String>,
    folder: &Path,
) -> Result<Report, CliError> {
    let mut report = Report::new(check, seed, command);
    for (failure, finding) in report.failures.iter_mut().zip(&check.findings) {
        let path = Counterexample::of(&finding.smallest)
            .keep(folder)
            .map_err(CliError::usage)?;
        failure.replay = Some(replay(&path, &report.command));
    }
    Ok(report)
}

/// The command that replays a kept case.
fn replay(kept: &Path, command: &[String]) -> String {
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    format!(
        "gatespec replay {} -- {}",
        quoted(&kept.display().to_string()),
        words.join(" ")
    )
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Colour on a terminal, unless `NO_COLOR` is set.
pub(super) fn colour() -> Colour {
    let asked_not = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !asked_not {
        Colour::On
    } else {
        Colour::Off
    }
}

/// The progress line, on a terminal only.
struct Bar(Option<indicatif::ProgressBar>);

impl Bar {
    fn new() -> Self {
        Self(
            std::io::stderr()
                .is_terminal()
                .then(indicatif::ProgressBar::new_spinner),
        )
    }

    fn tell(&self, now: Progress) {
        if let Some(bar) = &self.0 {
            let Progress {
                suite,
                depth,
                finished,
                failed,
                ..
            } = now;
            let finished = human::grouped(finished);
            bar.set_message(format!(
                "{suite} {depth}: {finished} cases, {failed} failures"
            ));
            bar.tick();
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
