//! `gatespec init`: a runnable adapter to start from.

use std::path::PathBuf;

use super::{CliError, print};

/// Writes a runnable adapter skeleton: the handshake and one suite are done.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gatespec init --lang python my-adapter")]
pub(super) struct Args {
    /// The language.
    #[arg(long)]
    lang: Lang,
    /// The folder to write into; files that are there already are left alone.
    folder: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Lang {
    Python,
    Node,
    Go,
    Rust,
}

/// A file's path and text.
type File = (&'static str, &'static str);

impl Lang {
    const fn files(self) -> &'static [File] {
        match self {
            Self::Python => &[(
                "adapter.py",
                include_str!("../../examples/skeleton/python/adapter.py"),
            )],
            Self::Node => &[(
                "adapter.mjs",
                include_str!("../../examples/skeleton/node/adapter.mjs"),
            )],
            Self::Go => &[
                (
                    "main.go",
                    include_str!("../../examples/skeleton/go/main.go"),
                ),
                ("go.mod", include_str!("../../examples/skeleton/go/go.mod")),
            ],
            Self::Rust => &[
                (
                    "src/main.rs",
                    include_str!("../../examples/skeleton/rust/src/main.rs"),
                ),
                (
                    "Cargo.toml",
                    include_str!("../../examples/skeleton/rust/Cargo.toml.in"),
                ),
            ],
        }
    }

    /// What builds the adapter, if anything has to, and what runs it.
    const fn commands(self) -> (Option<&'static str>, &'static str) {
        match self {
            Self::Python => (None, "python3 adapter.py"),
            Self::Node => (None, "node adapter.mjs"),
            Self::Go => (Some("go build -o adapter ."), "./adapter"),
            Self::Rust => (Some("cargo build --release"), "target/release/adapter"),
        }
    }
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let files = args.lang.files();
    let path = |name: &str| args.folder.join(name);
    if let Some((name, _)) = files.iter().find(|(name, _)| path(name).exists()) {
        return Err(CliError::usage(format_args!(
            "`{}` is there already; name another folder",
            path(name).display()
        )));
    }
    for (name, text) in files {
        let path = path(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, text))
            .map_err(|error| {
                CliError::usage(format_args!("cannot write `{}`: {error}", path.display()))
            })?;
    }
    let (build, run) = args.lang.commands();
    let written: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let mut says = format!("wrote {}. Next:\n\n", written.join(" and "));
    says.push_str(&format!("  cd {}\n", args.folder.display()));
    says.extend(build.map(|build| format!("  {build}\n")));
    says.push_str(&format!("  gatespec check -- {run}\n\n"));
    says.push_str(
        "then put your gate behind its functions, and take on the next suite: `gatespec explain \
         protocol`\nand `gatespec explain outcome` print what its adapter has to do.\n",
    );
    print(&says)
}
