//! Files and streams, packed or not, cut into chunks of whole lines in bounded memory.
//!
//! ```
//! use gatespec::audit::reader::{Input, Reader, What};
//!
//! let log = Input::Memory("log".to_owned(), b"one\ntwo".as_slice().into());
//! let mut reader = Reader::new(vec![log], 1024, None);
//! let mut parts = Vec::new();
//! while let Some(part) = reader.next(Vec::new()) {
//!     parts.push((part.text[..part.end].to_vec(), part.what));
//! }
//! assert_eq!(parts[0], (b"one\n".to_vec(), What::Lines));
//! assert_eq!(parts[1], (b"two".to_vec(), What::Last));
//! ```

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

/// How many bytes of a file are looked at together.
pub const CHUNK: usize = 128 * 1024;

/// How long a live log that has nothing new is left alone.
const PAUSE: Duration = Duration::from_millis(50);

/// Where a log comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A file; `.gz` and `.zst` are unpacked.
    File(PathBuf),
    /// The standard input.
    Stdin,
    /// Bytes in memory, under a name.
    Memory(String, Arc<[u8]>),
}

impl Input {
    /// The name that findings carry.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "-".to_owned(),
            Self::Memory(name, _) => name.clone(),
        }
    }
}

/// A part of a log.
#[derive(Debug)]
pub struct Chunk {
    /// The number of the file.
    pub file: usize,
    /// The bytes; behind `end` there may be old ones.
    pub text: Vec<u8>,
    /// Where the lines end.
    pub end: usize,
    /// What it is.
    pub what: What,
}

/// What a chunk is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// Whole lines.
    Lines,
    /// The last line of a file, which no line feed ends.
    Last,
    /// One line that is longer than may be: how long, its bytes dropped.
    TooLong(u64),
    /// The end of a file.
    End,
    /// The file, or the rest of it, cannot be read: why.
    Unread(String),
    /// A live log was cut, and is read from its start again.
    Cut,
}

/// Reads files one after the other.
pub struct Reader {
    inputs: VecDeque<(usize, Input)>,
    open: Option<Open>,
    max_line: usize,
    follow: Option<Arc<AtomicBool>>,
}

struct Open {
    file: usize,
    source: Source,
    /// The start of a line whose end has not come.
    carry: Vec<u8>,
    /// The length so far of a line that is dropped.
    dropped: u64,
    /// The end was reached.
    ended: bool,
    /// Why it is not the true end.
    failed: Option<String>,
}

enum Source {
    Plain(File),
    Packed(Box<dyn Read + Send>),
    Stdin(io::Stdin),
    Memory(io::Cursor<Arc<[u8]>>),
}

impl Source {
    fn open(input: &Input) -> io::Result<Self> {
        Ok(match input {
            Input::Stdin => Self::Stdin(io::stdin()),
            Input::Memory(_, bytes) => Self::Memory(io::Cursor::new(Arc::clone(bytes))),
            Input::File(path) => {
                let file = File::open(path)?;
                if file.metadata()?.is_dir() {
                    return Err(io::Error::other("it is a folder; name the files in it"));
                }
                match packing(path) {
                    Some(Packing::Gzip) => {
                        Self::Packed(Box::new(MultiGzDecoder::new(BufReader::new(file))))
                    }
                    Some(Packing::Zstd) => Self::Packed(Box::new(Zstd::new(file))),
                    None => Self::Plain(file),
                }
            }
        })
    }

    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match self {
                Self::Plain(file) => file.read(room),
                Self::Packed(reader) => reader.read(room),
                Self::Stdin(stdin) => stdin.lock().read(room),
                Self::Memory(bytes) => bytes.read(room),
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    /// Whether a live log has become shorter than what was read of it; it is read from its start.
    fn was_cut(&mut self) -> io::Result<bool> {
        let Self::Plain(file) = self else {
            return Ok(false);
        };
        let cut = file.metadata()?.len() < file.stream_position()?;
        if cut {
            file.seek(SeekFrom::Start(0))?;
        }
        Ok(cut)
    }
}

enum Packing {
    Gzip,
    Zstd,
}

fn packing(path: &Path) -> Option<Packing> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "gz" | "gzip" => Some(Packing::Gzip),
        "zst" | "zstd" => Some(Packing::Zstd),
        _ => None,
    }
}

/// Frames of zstd, one behind the other.
struct Zstd {
    state: Frames,
}

enum Frames {
    Between(BufReader<File>),
    Within(Box<StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>>),
    Broken,
}

impl Zstd {
    fn new(file: File) -> Self {
        Self {
            state: Frames::Between(BufReader::new(file)),
        }
    }
}

impl Read for Zstd {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        use io::BufRead as _;
        loop {
            self.state = match std::mem::replace(&mut self.state, Frames::Broken) {
                Frames::Broken => return Ok(0),
                Frames::Between(mut file) => {
                    if file.fill_buf()?.is_empty() {
                        self.state = Frames::Between(file);
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(file).map_err(io::Error::other)?;
                    Frames::Within(Box::new(decoder))
                }
                Frames::Within(mut decoder) => match decoder.read(room)? {
                    0 => Frames::Between(decoder.into_inner()),
                    count => {
                        self.state = Frames::Within(decoder);
                        return Ok(count);
                    }
                },
            };
        }
    }
}

impl Reader {
    /// A reader of these inputs, in their order. With `follow`, the last one is read on as it
    /// grows, until the flag is raised.
    #[must_use]
    pub fn new(inputs: Vec<Input>, max_line: usize, follow: Option<Arc<AtomicBool>>) -> Self {
        Self {
            inputs: inputs.into_iter().enumerate().collect(),
            open: None,
            max_line,
            follow,
        }
    }

    /// The next part, in a buffer that may have been used before; `None` after the last.
    pub fn next(&mut self, spare: Vec<u8>) -> Option<Chunk> {
        if self.open.is_none() {
            let (file, input) = self.inputs.pop_front()?;
            match Source::open(&input) {
                Ok(source) => {
                    self.open = Some(Open {
                        file,
                        source,
                        carry: Vec::new(),
                        dropped: 0,
                        ended: false,
                        failed: None,
                    });
                }
                Err(error) => {
                    let what = What::Unread(format!("it cannot be read: {error}"));
                    return Some(Chunk {
                        file,
                        text: spare,
                        end: 0,
                        what,
                    });
                }
            }
        }
        let follow = self.follow.as_deref().filter(|_| self.inputs.is_empty());
        let open = self.open.as_mut()?;
        let chunk = open.next(spare, self.max_line, follow);
        if matches!(chunk.what, What::End | What::Unread(_)) {
            self.open = None;
        }
        Some(chunk)
    }
}

impl Open {
    fn next(&mut self, mut text: Vec<u8>, max_line: usize, follow: Option<&AtomicBool>) -> Chunk {
        let mut end = self.carry.len();
        let mut room = end.max(CHUNK);
        if text.len() < room {
            text.resize(room, 0);
        }
        for (to, from) in text.iter_mut().zip(&self.carry) {
            *to = *from;
        }
        self.carry.clear();
        let what = loop {
            if self.ended {
                break if self.dropped > 0 {
                    What::TooLong(std::mem::take(&mut self.dropped) + end as u64)
                } else if end > 0 {
                    What::Last
                } else if let Some(why) = self.failed.take() {
                    What::Unread(why)
                } else {
                    What::End
                };
            }
            let read = match self
                .source
                .read(text.get_mut(end..room).unwrap_or_default())
            {
                Ok(read) => read,
                Err(error) => {
                    self.failed = Some(format!("the rest of it cannot be read: {error}"));
                    0
                }
            };
            let fresh = end;
            end += read;
            if self.dropped > 0 {
                if let Some(what) = self.drop_line(&text, &mut end) {
                    break what;
                }
            } else if read == 0 || end == room || follow.is_some() {
                let from = if follow.is_some() || read == 0 {
                    0
                } else {
                    fresh.min(end)
                };
                let lines = text.get(from..end).unwrap_or_default();
                if let Some(last) = memchr::memrchr(b'\n', lines).map(|at| from + at) {
                    self.carry
                        .extend_from_slice(text.get(last + 1..end).unwrap_or_default());
                    end = last + 1;
                    self.ended = read == 0 && (follow.is_none() || self.failed.is_some());
                    break What::Lines;
                }
                // `fresh` may lie behind a line feed that an earlier read brought
                let before = text.get(..from).unwrap_or_default();
                if let Some(last) = memchr::memrchr(b'\n', before) {
                    self.carry
                        .extend_from_slice(text.get(last + 1..end).unwrap_or_default());
                    end = last + 1;
                    break What::Lines;
                }
                if end > max_line {
                    self.dropped = end as u64;
                    end = 0;
                } else if end == room {
                    room += CHUNK;
                    text.resize(text.len().max(room), 0);
                }
            }
            if read == 0 {
                match follow {
                    Some(stop) if self.goes_on(stop) => {
                        if self.source.was_cut().unwrap_or(false) {
                            self.dropped = 0;
                            break What::Cut;
                        }
                        std::thread::sleep(PAUSE);
                    }
                    _ => self.ended = true,
                }
            }
        };
        if !matches!(what, What::Lines | What::Last) {
            end = 0;
        }
        Chunk {
            file: self.file,
            text,
            end,
            what,
        }
    }

    /// Whether more may come after the end.
    fn goes_on(&self, stop: &AtomicBool) -> bool {
        let live = matches!(self.source, Source::Plain(_)) && self.failed.is_none();
        live && !stop.load(Ordering::Relaxed)
    }

    /// Goes on dropping a line that is too long; it is over at its line feed.
    fn drop_line(&mut self, text: &[u8], end: &mut usize) -> Option<What> {
        let fresh = text.get(..*end).unwrap_or_default();
        match memchr::memchr(b'\n', fresh) {
            Some(at) => {
                self.carry
                    .extend_from_slice(fresh.get(at + 1..).unwrap_or_default());
                Some(What::TooLong(std::mem::take(&mut self.dropped) + at as u64))
            }
            None => {
                self.dropped += std::mem::take(end) as u64;
                None
            }
        }
    }
}
