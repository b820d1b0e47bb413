//! Round numbers for axes.

/// Steps in seconds that people count in.
const STEPS: [f64; 16] = [
    1.0, 2.0, 4.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_200.0, 1_800.0, 3_600.0,
    7_200.0, 14_400.0,
];

/// An axis of seconds from 0: its end, and the distance of its ticks, so that at most `ticks` fit.
///
/// The end grows in leaps while a run plays, so that the picture does not creep.
pub fn seconds(needed: f64, ticks: u32) -> (f64, f64) {
    let leap = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    let mut end = 10.0;
    'found: for power in 0..6 {
        for factor in leap {
            end = factor * 10_f64.powi(power) * 10.0;
            if end >= needed {
                break 'found;
            }
        }
    }
    let step = STEPS.into_iter().find(|step| end / step <= f64::from(ticks));
    (end, step.unwrap_or(28_800.0))
}

/// A distance of whole numbers so that at most `ticks` of them fit into `span`.
pub fn whole(span: f64, ticks: u32) -> f64 {
    let mut step = 1.0;
    loop {
        for factor in [1.0, 2.0, 4.0, 5.0] {
            if span / (step * factor) <= f64::from(ticks) {
                return step * factor;
            }
        }
        step *= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers_and_have_few_ticks() {
        assert_eq!(seconds(3.0, 6), (10.0, 2.0));
        assert_eq!(seconds(20.35, 6), (25.0, 5.0));
        assert_eq!(seconds(410.0, 6), (500.0, 120.0));
        assert_eq!(whole(12.0, 4), 4.0);
        assert_eq!(whole(3.0, 4), 1.0);
        assert_eq!(whole(340.0, 4), 100.0);
    }
}
