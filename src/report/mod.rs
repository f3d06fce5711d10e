//! What a run says: for people, and for programs.

pub mod audit;
pub mod badge;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod schema;
pub mod stats;
pub mod strength;
pub mod timeline;
pub mod trace;

pub use json::Report;
