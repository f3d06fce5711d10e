//! What a run says: for people, and for programs.

pub mod human;
pub mod json;
pub mod schema;

pub use json::Report;
