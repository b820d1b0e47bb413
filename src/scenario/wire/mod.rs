//! The links' own types, one module for each version of the format. Once released, a version never
//! changes: links open for ever.

pub mod v1;
