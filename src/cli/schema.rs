//! `gatespec schema`: JSON Schemas of every wire shape.

use std::path::PathBuf;

use super::{CliError, print, select};

/// Prints the JSON Schema of a wire shape, or writes all of them into a folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec schema report > report.schema.json
  gatespec schema --write schemas")]
pub(super) struct Args {
    /// The shape; without one, the names are listed.
    name: Option<String>,
    /// Write every schema into this folder instead.
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    write: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let all = gatespec::report::schema::all();
    if let Some(folder) = args.write {
        std::fs::create_dir_all(&folder).map_err(|error| {
            CliError::usage(format_args!("cannot make `{}`: {error}", folder.display()))
        })?;
        for (name, schema) in &all {
            let path = folder.join(format!("{name}.json"));
            std::fs::write(&path, schema).map_err(|error| {
                CliError::usage(format_args!("cannot write `{}`: {error}", path.display()))
            })?;
        }
        return Ok(0);
    }
    let Some(name) = args.name else {
        return print(
            &all.keys()
                .map(|name| format!("{name}\n"))
                .collect::<String>(),
        );
    };
    match all.get(&name) {
        Some(schema) => print(schema),
        None => {
            let known: Vec<&str> = all.keys().map(String::as_str).collect();
            Err(CliError::usage(select::unknown("schema", &name, &known)))
        }
    }
}
