//! The other end of the protocol: answering its lines.
//!
//! ```
//! use gatespec::conform::Hello;
//! use gatespec::conform::serve::Server;
//! use gatespec::ops::Op;
//!
//! let mut server = Server::new(Hello::reference(), Op::expected);
//! let line = r#"{"id":"7","op":"key.id","input":{"subject":"a"}}"#;
//! assert_eq!(server.reply(line).unwrap(), r##"{"id":"7","output":{"instance":"a#taint"}}"##);
//! assert_eq!(server.reply(r#"{"bye":{}}"#), None);
//! ```

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Hello;
use crate::mutants::Reply;
use crate::ops::{Op, json};

/// Answers protocol lines by a function.
pub struct Server<F> {
    hello: Hello,
    answer: F,
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    hello: Option<&'a RawValue>,
    #[serde(borrow)]
    bye: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    op: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

impl<R: Into<Reply>, F: FnMut(&Op) -> R> Server<F> {
    /// A server with a hello and an answer to every op.
    pub const fn new(hello: Hello, answer: F) -> Self {
        Self { hello, answer }
    }

    /// The reply to one line, or `None` when the line says goodbye.
    pub fn reply(&mut self, line: &str) -> Option<String> {
        let request: Request<'_> = match serde_json::from_str(line) {
            Ok(request) => request,
            Err(error) => return Some(format!(r#"{{"error":{}}}"#, json(&error.to_string()))),
        };
        if request.bye.is_some() {
            return None;
        }
        if request.hello.is_some() {
            return Some(format!(r#"{{"hello":{}}}"#, json(&self.hello)));
        }
        let id = json(&request.id.unwrap_or_default());
        if let (Some(super::ECHO), Some(input)) = (request.op.as_deref(), request.input) {
            return Some(format!(r#"{{"id":{id},"output":{input}}}"#));
        }
        let op = match (&request.op, request.input) {
            (Some(op), Some(input)) => Op::parse(op, input).map_err(|error| error.to_string()),
            _ => Err("a request has `id`, `op` and `input`".to_owned()),
        };
        Some(match op {
            Ok(op) => match (self.answer)(&op).into() {
                Reply::Output(output) => format!(r#"{{"id":{id},"output":{}}}"#, json(&output)),
                Reply::Raw(output) => format!(r#"{{"id":{id},"output":{output}}}"#),
                Reply::Unsupported(why) => format!(r#"{{"id":{id},"unsupported":{}}}"#, json(&why)),
            },
            Err(error) => format!(r#"{{"id":{id},"error":{}}}"#, json(&error)),
        })
    }
}
