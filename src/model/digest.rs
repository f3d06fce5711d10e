//! The model's own digest of the bytes that a call runs with: SHA-256 over RFC 8785 canonical JSON.
//!
//! A gate has a digest of its own and the cases never name one: what matters to the ledger is only
//! that two inputs have the same digest exactly when they are the same input (LED-27).
//!
//! ```
//! use gatespec::model::digest::digest;
//! use serde_json::{Value, from_str};
//!
//! let value = |text| from_str::<Value>(text).unwrap();
//! let (one, other) = (value(r#"{"a":1,"b":[]}"#), value(r#"{"b":[],"a":1}"#));
//! assert_eq!(digest(&one).unwrap(), digest(&other).unwrap());
//! assert_ne!(digest(&one).unwrap(), digest(&value(r#"{"a":1,"b":{}}"#)).unwrap());
//! ```

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The canonical bytes of a JSON value (RFC 8785): members sorted, numbers and strings in their one
/// spelling, no white space.
///
/// # Errors
/// When the value has no canonical form: a number that is not finite, or a name that is no string.
pub fn canonical<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json_canonicalizer::to_vec(value)
}

/// The digest of a JSON value.
///
/// # Errors
/// When the value has no canonical form.
pub fn digest<T: Serialize>(value: &T) -> Result<[u8; 32], serde_json::Error> {
    Ok(Sha256::digest(canonical(value)?).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> String {
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        String::from_utf8(canonical(&value).unwrap()).unwrap()
    }

    // RFC 8785, section 3.2.2
    #[test]
    fn strings_and_numbers_are_written_in_their_one_spelling() {
        let written = text(
            r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
            "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
        );
        let canonical = r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#;
        assert_eq!(written, canonical);
    }

    // RFC 8785, section 3.2.3: by UTF-16 code units, so the emoji stands before U+FB33
    #[test]
    fn members_are_sorted_by_code_units() {
        let written = text(
            r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
            "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control",
            "\u00f6":"Latin Small Letter O With Diaeresis"}"#,
        );
        let order = [
            "Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew",
        ];
        let places: Vec<_> = order
            .iter()
            .map(|word| written.find(word).unwrap())
            .collect();
        assert!(places.is_sorted(), "{written}");
    }

    // RFC 8785, appendix B
    #[test]
    fn numbers_are_written_as_the_appendix_says() {
        for (bits, written) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            let bytes = canonical(&f64::from_bits(bits)).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), written, "{bits:016x}");
        }
    }

    #[test]
    fn the_digest_is_sha_256_of_the_canonical_bytes() {
        let hex = |json: &str| {
            let value: serde_json::Value = serde_json::from_str(json).unwrap();
            let digest = digest(&value).unwrap();
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let empty = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!(hex(" { } "), empty);
        assert_eq!(
            hex(r#"{"b":[1.0],"a":"é"}"#),
            hex(r#"{ "a": "\u00e9", "b": [1e0] }"#)
        );
        assert_ne!(hex(r#"{"a":1}"#), hex(r#"{"a":"1"}"#));
    }
}
