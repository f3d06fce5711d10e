//! `gatespec serve`: the model itself as an adapter.

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};

use gatespec::conform::{Hello, serve};
use gatespec::mutants::cheat::Table;
use gatespec::mutants::degenerate::{Trick, is_refusal};
use gatespec::mutants::{self, Gate, Manner, Mutant, Reply};
use gatespec::ops::Op;

use super::CliError;

/// Answers the adapter protocol on stdin and stdout as the model does: an oracle for any language.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec check -- gatespec serve
  gatespec check -- gatespec serve --mutant key/leading_zero")]
pub(super) struct Args {
    /// Answer as this faulty gate does instead (`gatespec mutants --list` names them).
    #[arg(long, value_name = "ID")]
    mutant: Option<String>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let faulty = args.mutant.as_deref().map(find).transpose()?;
    let hello = match &args.mutant {
        None => Hello::reference(),
        Some(id) => Hello {
            name: id.clone(),
            ..Hello::reference()
        },
    };
    let table = Table::new(&published()?);
    let trick = faulty.and_then(Faulty::trick);
    let mut server = serve::Server::new(hello, |op: &Op| {
        if trick == Some(Trick::CrashOnRefuse) && is_refusal(op) {
            std::process::exit(101);
        }
        answer(faulty, &table, op)
    });
    converse(trick, |line| server.reply(line))
}

/// The gate that is served in the place of the model.
#[derive(Clone, Copy)]
enum Faulty {
    Mutant(Mutant),
    Gate(Gate),
}

impl Faulty {
    const fn trick(self) -> Option<Trick> {
        match self {
            Self::Gate(Gate {
                manner: Manner::Tricked(trick),
                ..
            }) => Some(trick),
            Self::Gate(_) | Self::Mutant(_) => None,
        }
    }
}

fn find(id: &str) -> Result<Faulty, CliError> {
    let mutants = mutants::all();
    let mutant = mutants.iter().find(|mutant| mutant.id == id);
    let gate = || mutants::gates().find(|gate| gate.id == id);
    let found = mutant.map(|mutant| Faulty::Mutant(*mutant));
    found.or_else(|| gate().map(Faulty::Gate)).ok_or_else(|| {
        let ids = mutants.iter().map(|mutant| mutant.id);
        let ids: Vec<&str> = ids.chain(mutants::gates().map(|gate| gate.id)).collect();
        CliError::usage(super::select::unknown("mutant", id, &ids))
    })
}

/// What a gate that cheats knows by heart.
fn published() -> Result<Vec<Op>, CliError> {
    let vectors = gatespec::conform::vectors::embedded().map_err(CliError::usage)?;
    Ok(vectors.into_iter().map(|case| case.op).collect())
}

fn answer(faulty: Option<Faulty>, table: &Table, op: &Op) -> Reply {
    match faulty {
        Some(Faulty::Mutant(mutant)) if mutant.clause.suite() == op.suite() => {
            (mutant.answer)(op).into()
        }
        Some(Faulty::Gate(gate)) => match gate.manner {
            Manner::Plain(answer) => answer(op),
            Manner::Cribbed(answer) => answer(table, op),
            Manner::Tricked(_) => op.expected().into(),
        },
        _ => op.expected().into(),
    }
}

/// Reads lines and writes replies until the other side says goodbye or goes away.
fn converse(
    trick: Option<Trick>,
    mut reply: impl FnMut(&str) -> Option<String>,
) -> Result<u8, CliError> {
    let mut lines = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = String::new();
    loop {
        line.clear();
        match lines.read_line(&mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Err(CliError::usage(format_args!("cannot read stdin: {error}"))),
        }
        let Some(reply) = reply(line.trim_end()) else {
            break;
        };
        let reply = spoiled(trick, reply);
        let idle = lines.buffer().is_empty();
        let written = out
            .write_all(reply.as_bytes())
            .and_then(|()| if idle { out.flush() } else { Ok(()) });
        if written.is_err() {
            // whoever asked went away
            return Ok(0);
        }
    }
    Ok(0)
}

/// The lines that go out for a reply, a line feed behind each.
fn spoiled(trick: Option<Trick>, reply: String) -> String {
    let hello = reply.starts_with(r#"{"hello""#);
    match trick.filter(|_| !hello) {
        Some(Trick::Silent) => String::new(),
        Some(Trick::Late) => {
            std::thread::sleep(std::time::Duration::from_millis(Trick::LATE));
            format!("{reply}\n")
        }
        Some(Trick::Twice) => format!("{reply}\n{reply}\n"),
        Some(Trick::AnotherId) => reply.replacen(r#""id":""#, r#""id":"9"#, 1) + "\n",
        Some(Trick::CrashOnRefuse) | None => reply + "\n",
    }
}
