//! Words of the spec on the command line, and the near word when there is none.

use gatespec::model::{Clause, Profile, Suite};

/// The suite with this word.
pub(super) fn suite(word: &str) -> Result<Suite, String> {
    Suite::from_word(word).ok_or_else(|| unknown("suite", word, &Suite::ALL.map(Suite::word)))
}

/// The profile with this word.
pub(super) fn profile(word: &str) -> Result<Profile, String> {
    Profile::from_word(word)
        .ok_or_else(|| unknown("profile", word, &Profile::ALL.map(Profile::word)))
}

/// The clause with this id.
pub(super) fn clause(id: &str) -> Result<Clause, String> {
    let ids: Vec<&str> = Clause::ALL.iter().map(|clause| clause.id()).collect();
    Clause::from_id(id)
        .or_else(|| Clause::from_id(&id.to_ascii_uppercase()))
        .ok_or_else(|| unknown("clause", id, &ids))
}

/// The known word that takes the fewest edits, if it is near.
pub(super) fn near<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known
        .iter()
        .map(|known| (strsim::osa_distance(word, known), *known))
        .filter(|(edits, known)| *edits <= known.len() / 2);
    near.min_by_key(|(edits, _)| *edits).map(|(_, near)| near)
}

/// A sentence on a word that is not one, with the near one.
pub(super) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    match near(word, known) {
        Some(near) => format!("there is no {what} `{word}`; did you mean `{near}`?"),
        None if known.len() <= 12 => {
            format!(
                "there is no {what} `{word}`; there are: {}",
                known.join(", ")
            )
        }
        None => format!("there is no {what} `{word}`; `gatespec clauses` lists them"),
    }
}
