//! Pulls, by queue and offset.

use super::super::report::Report;
use super::Sides;

pub fn compare(_sides: &Sides<'_>, _report: &mut Report) {}
