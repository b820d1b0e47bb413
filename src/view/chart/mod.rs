//! Charts: the picture that `chart` draws, its one sentence, and the same numbers as a table.

mod offsets;
mod table;

pub use offsets::{ChartHead, OffsetsChart, OffsetsChartProps};
