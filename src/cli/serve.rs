//! `gatespec serve`: the model itself as an adapter.

use std::io::{BufRead as _, BufReader, BufWriter, Write};

use gatespec::conform::{Hello, serve};

use super::CliError;

/// Answers the adapter protocol on stdin and stdout as the model does: an oracle for any language.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Answer as this mutant does instead (`gatespec mutants --list` names them).
    #[arg(long, value_name = "ID")]
    mutant: Option<String>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let all = gatespec::mutants::all();
    let mutant = match &args.mutant {
        None => None,
        Some(id) => Some(
            all.iter()
                .copied()
                .find(|mutant| mutant.id == id)
                .ok_or_else(|| {
                    let ids: Vec<&str> = all.iter().map(|mutant| mutant.id).collect();
                    CliError::usage(super::select::unknown("mutant", id, &ids))
                })?,
        ),
    };
    let hello = match &mutant {
        None => Hello::reference(),
        Some(mutant) => Hello {
            name: mutant.id.to_owned(),
            ..Hello::reference()
        },
    };
    let mut server = serve::Server::new(hello, |op| match &mutant {
        Some(mutant) if mutant.clause.suite() == op.suite() => (mutant.answer)(op),
        _ => op.expected(),
    });
    let mut lines = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = String::new();
    loop {
        line.clear();
        let read = lines.read_line(&mut line);
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Err(CliError::usage(format_args!("cannot read stdin: {error}"))),
        }
        let Some(reply) = server.reply(line.trim_end()) else {
            break;
        };
        let idle = lines.buffer().is_empty();
        let written =
            writeln!(out, "{reply}").and_then(|()| if idle { out.flush() } else { Ok(()) });
        if written.is_err() {
            // whoever asked went away
            return Ok(0);
        }
    }
    Ok(0)
}
