//! Two JSON values as lines, and which of them differ.

use std::collections::BTreeMap;

/// A line of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The other side has it, too.
    Same(&'a str),
    /// The other side has not.
    Differs(&'a str),
}

/// Both values, laid out a member a line.
pub(super) fn lines(one: &str, other: &str) -> (Vec<String>, Vec<String>) {
    let laid = |text: &str| -> Vec<String> {
        let pretty = serde_json::from_str::<serde_json::Value>(text)
            .and_then(|value| serde_json::to_string_pretty(&value));
        pretty
            .unwrap_or_else(|_| text.to_owned())
            .lines()
            .map(str::to_owned)
            .collect()
    };
    (laid(one), laid(other))
}

/// The lines of one side, each with whether the other side has as many of it.
///
/// Lines are matched by their text, whatever their place and but for the comma at their end: for
/// values a screen high this shows the member that differs, and it takes no more than a pass.
pub(super) fn split<'a>(one: &'a [String], other: &[String]) -> Vec<Line<'a>> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in other {
        *left.entry(bare(line)).or_default() += 1;
    }
    let mark = |line: &'a String| match left.get_mut(bare(line)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            Line::Same(line)
        }
        _ => Line::Differs(line),
    };
    one.iter().map(mark).collect()
}

fn bare(line: &str) -> &str {
    line.trim_end_matches(',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_member_that_differs_is_marked() {
        let (one, other) = lines(r#"{"a":1,"b":2,"c":[3]}"#, r#"{"a":1,"b":5,"c":[3]}"#);
        let differing = |lines: &[Line<'_>]| -> Vec<String> {
            let differs = |line: &Line<'_>| match line {
                Line::Differs(text) => Some((*text).to_owned()),
                Line::Same(_) => None,
            };
            lines.iter().filter_map(differs).collect()
        };
        assert_eq!(differing(&split(&one, &other)), ["  \"b\": 2,"]);
        assert_eq!(differing(&split(&other, &one)), ["  \"b\": 5,"]);
    }
}
