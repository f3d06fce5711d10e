//! Lists the vector files, so that the crate carries them and a new one is not forgotten.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    walk(&root.join("spec/vectors"), &mut files)?;
    files.sort();
    let mut list = "&[".to_owned();
    for file in &files {
        let name = file
            .strip_prefix(&root)
            .unwrap_or(file)
            .display()
            .to_string();
        let name = name.replace('\\', "/");
        let _ = writeln!(
            list,
            "({name:?}, include_str!({:?})),",
            file.display().to_string()
        );
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("vectors.rs"), list)?;
    fs::write(out.join("chapters.rs"), chapters(&root.join("spec"))?)
}

/// The chapters of the spec, by file name.
fn chapters(folder: &Path) -> io::Result<String> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut list = "&[".to_owned();
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(list + "]");
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "md"))
    {
        println!("cargo:rerun-if-changed={}", path.display());
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let _ = writeln!(
            list,
            "({name:?}, include_str!({:?})),",
            path.display().to_string()
        );
    }
    Ok(list + "]")
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|ext| ext == "json") {
            println!("cargo:rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}
