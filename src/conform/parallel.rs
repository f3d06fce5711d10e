//! Several copies of one gate, asked side by side.
//!
//! ```
//! use gatespec::conform::parallel::Parallel;
//! use gatespec::conform::{Hello, InProcess, Subject};
//!
//! let mut gate = Parallel::new(vec![InProcess::reference(), InProcess::reference()]);
//! assert_eq!(gate.hello(), Ok(Hello::reference()));
//! let mut nobody = Parallel::<InProcess<fn(&gatespec::ops::Op) -> _>>::new(Vec::new());
//! assert!(nobody.hello().is_err());
//! ```

use std::sync::{Mutex, mpsc};

use super::{Answer, Case, Hello, Stopped, Subject};

/// How many cases a copy is handed at a time: enough that its pipeline is full most of the time.
const CHUNK: usize = 4096;

/// Copies of one gate. Which copy answers a case makes no difference to the report: every case is
/// judged alone, and the smallest failing one is the same in any order.
pub struct Parallel<S> {
    copies: Vec<S>,
}

impl<S: Subject + Send> Parallel<S> {
    /// These copies as one gate.
    #[must_use]
    pub const fn new(copies: Vec<S>) -> Self {
        Self { copies }
    }
}

type Answered = (Vec<(Case, Answer)>, Result<(), Stopped>);

impl<S: Subject + Send> Subject for Parallel<S> {
    fn hello(&mut self) -> Result<Hello, Stopped> {
        let mut first = None;
        for copy in &mut self.copies {
            let hello = copy.hello()?;
            let known = first.get_or_insert_with(|| hello.clone());
            if *known != hello {
                let differs = "two copies of the adapter say different hellos".to_owned();
                return Err(Stopped::Handshake(differs));
            }
        }
        first.ok_or_else(|| Stopped::Handshake("there is no adapter to ask".to_owned()))
    }

    fn run(
        &mut self,
        cases: &mut dyn Iterator<Item = Case>,
        done: &mut dyn FnMut(Case, Answer),
    ) -> Result<(), Stopped> {
        if let [only] = self.copies.as_mut_slice() {
            return only.run(cases, done);
        }
        std::thread::scope(|scope| {
            let (to_copies, chunks) = mpsc::sync_channel::<Vec<Case>>(self.copies.len());
            let chunks = std::sync::Arc::new(Mutex::new(chunks));
            let (to_us, answered) = mpsc::channel::<Answered>();
            for copy in &mut self.copies {
                let (chunks, to_us) = (std::sync::Arc::clone(&chunks), to_us.clone());
                scope.spawn(move || serve(copy, &chunks, &to_us));
            }
            drop((chunks, to_us));
            let mut ended = Ok(());
            let mut take = |(answers, stopped): Answered, ended: &mut Result<(), Stopped>| {
                answers
                    .into_iter()
                    .for_each(|(case, answer)| done(case, answer));
                if ended.is_ok() {
                    *ended = stopped;
                }
            };
            loop {
                let chunk: Vec<Case> = cases.take(CHUNK).collect();
                // a send fails when every copy has stopped
                if chunk.is_empty() || ended.is_err() || to_copies.send(chunk).is_err() {
                    break;
                }
                answered.try_iter().for_each(|came| take(came, &mut ended));
            }
            drop(to_copies);
            answered.iter().for_each(|came| take(came, &mut ended));
            ended
        })
    }

    fn end(&mut self) -> Vec<String> {
        self.copies.iter_mut().flat_map(Subject::end).collect()
    }
}

/// Answers chunks until there are none, or the copy stops.
fn serve<S: Subject>(
    copy: &mut S,
    chunks: &Mutex<mpsc::Receiver<Vec<Case>>>,
    to_us: &mpsc::Sender<Answered>,
) {
    loop {
        // the lock is held only while a chunk is taken: a poisoned one is as good
        let chunk = chunks
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .recv();
        let Ok(chunk) = chunk else { return };
        let mut answers = Vec::with_capacity(chunk.len());
        let mut cases = chunk.into_iter();
        let stopped = copy.run(&mut cases, &mut |case, answer| answers.push((case, answer)));
        let ended = stopped.is_err();
        if to_us.send((answers, stopped)).is_err() || ended {
            return;
        }
    }
}
