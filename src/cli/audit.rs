//! `gatespec audit`: recorded gate logs, held to the clauses.

use std::io::{BufWriter, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use gatespec::audit::map::Map;
use gatespec::audit::reader::Input;
use gatespec::audit::{Audit, Note, Settings};
use gatespec::report::audit::{self, Words};

use super::{CliError, check, print};

/// Audits recorded gate logs: minted outcomes, and ledger traces that the model replays.
///
/// A log is JSON, one record a line, as spec/audit.md says; `gatespec schema audit.record` is its
/// shape. Exit code 1 says that something is unlawful, 3 that nothing could be judged.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec audit today.jsonl
  zcat old.gz | gatespec audit - today.jsonl --format ndjson")]
pub(super) struct Args {
    /// The logs, in their order; `-` is stdin, `.gz` and `.zst` are unpacked.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How findings are written; without it, as people read them, or not at all beside
    /// `--summary json`.
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// How the summary is written.
    #[arg(long, value_enum, default_value_t = Words::Human, value_name = "FORMAT")]
    summary: Words,
    /// Lines that are no records make it fail.
    #[arg(long)]
    strict: bool,
    /// How many findings people are shown; the rest is counted. NDJSON has all.
    #[arg(long, value_name = "N", default_value_t = 100)]
    show: u64,
    /// How many lines that are no records are shown, of each file; all are counted.
    #[arg(long, value_name = "N", default_value_t = 10)]
    bad_lines: usize,
    /// How many calls may be open; beyond it the oldest ends as unknown.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_open: usize,
    /// The longest line, in bytes; a longer one is no record.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    max_line: usize,
    /// How many threads; as many as there are cores unless given. The findings are the same.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// A map of another log's members and words (spec/audit.md).
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Read the last log on as it grows, until Ctrl-C.
    #[arg(long)]
    follow: bool,
}

/// How findings are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON object a line, all findings and all traces that are unknown.
    Ndjson,
    /// Not at all.
    None,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let format = args.format.unwrap_or(match args.summary {
        Words::Json => Format::None,
        Words::Human | Words::None => Format::Human,
    });
    let mut settings = Settings::default();
    settings.threads = args.threads.map_or_else(cores, NonZero::get);
    settings.max_open = args.max_open;
    settings.max_line = args.max_line.clamp(1, 1 << 30);
    settings.bad_lines = args.bad_lines;
    settings.map = args.map.as_deref().map(map).transpose()?;
    settings.follow = args
        .follow
        .then(super::interrupt)
        .transpose()
        .map_err(CliError::usage)?;
    let audit = Audit::new(inputs(&args.files)?, settings);
    let mut out = BufWriter::new(std::io::stdout());
    let mut gone = Ok(());
    let mut writer = audit::Writer::new(check::colour(), args.show);
    let live = args.follow;
    let audited = audit.run(&mut |note: &Note| {
        let text = match format {
            Format::Human => writer.human(note),
            Format::Ndjson => audit::line(note),
            Format::None => return,
        };
        if gone.is_ok() {
            gone = out.write_all(text.as_bytes());
            if live && gone.is_ok() {
                gone = out.flush();
            }
        }
    });
    if format == Format::Human {
        gone = gone.and_then(|()| out.write_all(writer.rest().as_bytes()));
    }
    let code = audit::exit_code(&audited.summary, args.strict);
    match gone.and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            return Err(CliError::usage(format_args!(
                "cannot write to stdout: {error}"
            )));
        }
        Err(_) => return Ok(code),
        Ok(()) => {}
    }
    if format == Format::Ndjson && args.summary == Words::Json {
        print(&audit::summary_line(&audited.summary))?;
    } else if format != Format::Ndjson {
        print(&audit::summary(
            &audited.summary,
            args.summary,
            check::colour(),
        ))?;
    }
    Ok(code)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The inputs; a file that is not there is found before anything is read.
fn inputs(files: &[PathBuf]) -> Result<Vec<Input>, CliError> {
    let mut inputs = Vec::new();
    for path in files {
        let input = if path == Path::new("-") {
            Input::Stdin
        } else {
            Input::File(path.clone())
        };
        if inputs.contains(&Input::Stdin) && input == Input::Stdin {
            return Err(CliError::usage(
                "`-` is given twice, and stdin can be read once",
            ));
        }
        if let Input::File(path) = &input {
            let shown = path.display();
            let known = std::fs::metadata(path)
                .map_err(|error| CliError::usage(format_args!("cannot read `{shown}`: {error}")))?;
            if known.is_dir() {
                return Err(CliError::usage(format_args!(
                    "`{shown}` is a folder; name the logs in it"
                )));
            }
        }
        inputs.push(input);
    }
    Ok(inputs)
}

fn map(path: &Path) -> Result<Map, CliError> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::usage(format_args!("cannot read `{shown}`: {error}")))?;
    Map::read(&text).map_err(|why| CliError::usage(format_args!("`{shown}` is no map: {why}")))
}
