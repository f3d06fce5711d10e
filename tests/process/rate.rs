//! The harness beside a bare driver that only writes and reads the same lines.
//!
//! A measurement, not a check of every run:
//! `cargo test --release --test process rate -- --ignored --nocapture`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gatespec::conform::process::Wire;

use super::{Bad, HELLO, PYTHON, limits, request};

/// Answers by hand what `cat` would give back.
const CAT: &str = r#"read -r hello; echo '{"hello":{}}'; exec cat"#;

/// A gate that parses and answers each line, and flushes it.
const PYTHON_GATE: &str = "
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if 'hello' in message:
        answer = {'hello': {}}
    else:
        answer = {'id': message['id'], 'output': {'base': message['input'], 'instance': False}}
    sys.stdout.write(json.dumps(answer) + '\\n')
    sys.stdout.flush()
";

/// An echo as fast as lines can be: it flushes when it has read all that there is.
const RUST_GATE: &str = r##"
use std::io::{BufRead, Write};
fn main() {
    let mut input = std::io::BufReader::with_capacity(65536, std::io::stdin());
    let mut output = std::io::BufWriter::with_capacity(65536, std::io::stdout().lock());
    let mut line = Vec::new();
    while { line.clear(); input.read_until(b'\n', &mut line).unwrap() > 0 } {
        if line.starts_with(b"{\"hello\"") { output.write_all(b"{\"hello\":{}}\n").unwrap(); }
        else { output.write_all(&line).unwrap(); }
        if input.buffer().is_empty() { output.flush().unwrap(); }
    }
}
"##;

/// The time from the first line written to the last one read.
fn bare(words: &[String], lines: u64) -> Duration {
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::with_capacity(1 << 18, child.stdout.take().unwrap());
    let mut line = String::new();
    writeln!(stdin, "{HELLO}").unwrap();
    stdout.read_line(&mut line).unwrap();

    let start = Instant::now();
    let writer = std::thread::spawn(move || {
        let mut chunk = Vec::new();
        for id in 0..lines {
            chunk.extend_from_slice(request(id).line.as_bytes());
            chunk.push(b'\n');
            if chunk.len() >= 1 << 16 {
                stdin.write_all(&chunk).unwrap();
                chunk.clear();
            }
        }
        stdin.write_all(&chunk).unwrap();
        stdin
    });
    for _ in 0..lines {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0);
    }
    let elapsed = start.elapsed();
    drop(writer.join().unwrap());
    let _ = stdout.read_to_string(&mut line);
    child.wait().unwrap();
    elapsed
}

fn harness(words: &[String], lines: u64) -> Duration {
    let mut bad = Bad::new(words.iter().cloned(), limits());
    bad.adapter.start().unwrap();
    let mut requests = (0..lines).map(request);
    let mut count = 0;
    let start = Instant::now();
    bad.adapter
        .run(&mut || requests.next(), &mut |_, wire| {
            assert!(matches!(wire, Wire::Reply(_)));
            count += 1;
        })
        .unwrap();
    assert_eq!(count, lines);
    start.elapsed()
}

#[test]
#[ignore = "a measurement"]
fn rate() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("echo.rs"), folder.path().join("echo"));
    std::fs::write(&source, RUST_GATE).unwrap();
    let compiled = Command::new("rustc")
        .arg("-O")
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .status();
    assert!(compiled.unwrap().success());
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    for (name, command, lines) in [
        ("python", words(&[&PYTHON, "-c", PYTHON_GATE]), 50_000),
        ("rust echo", words(&[program.to_str().unwrap()]), 500_000),
        ("cat", words(&["sh", "-c", CAT]), 500_000),
    ] {
        // turn by turn, so that whatever else the machine does falls on both
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..15 {
            for (times, run) in times.iter_mut().zip([bare, harness]) {
                times.push(run(&command, lines));
            }
        }
        let rate = |times: &[Duration]| {
            let of =
                |time: Duration, runs: usize| (runs as u64 * lines) as f64 / time.as_secs_f64();
            (
                of(times.iter().sum(), times.len()),
                of(*times.iter().min().unwrap(), 1),
            )
        };
        let ([bare, bare_best], [harness, best]) = (
            <[f64; 2]>::from(rate(&times[0])),
            <[f64; 2]>::from(rate(&times[1])),
        );
        println!(
            "{name:<10} bare {bare:>8.0} lines/s (best {bare_best:>8.0})   \
             harness {harness:>8.0} (best {best:>8.0})   {:>4.0} % (best {:>4.0} %)",
            100.0 * harness / bare,
            100.0 * best / bare_best
        );
    }
}
