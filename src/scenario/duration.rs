//! Moments and spans as people write them: `1h20m`, `12.5s`, `250ms`.

use crate::model::time::Millis;

/// How a span is written, for problems.
pub const ALLOWED: &str = "a time with its unit, such as \"250ms\", \"12.5s\", \"1m30s\" or \"2h\"";

/// The units, largest first, with their milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads a span of virtual time: numbers with units, largest unit first, at most three decimals.
/// `None` if it is none, or longer than can be counted.
pub fn parse(text: &str) -> Option<Millis> {
    let mut rest = text.trim();
    let mut next_unit = 0;
    let mut total: u64 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, tail) = rest.split_at(end);
        let end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        let index = UNITS.iter().position(|(name, _)| *name == unit)?;
        if index < next_unit {
            return None;
        }
        next_unit = index + 1;
        total = total.checked_add(scaled(number, UNITS[index].1)?)?;
        rest = tail.trim_start();
    }
    Some(Millis::new(total))
}

/// A decimal number times `unit` ms; `None` unless it is a whole number of ms.
fn scaled(number: &str, unit: u64) -> Option<u64> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > 6 {
        return None;
    }
    let power = 10_u64.pow(decimals.len() as u32);
    let part = decimals.parse::<u64>().ok()?.checked_mul(unit)?;
    if part % power != 0 {
        return None;
    }
    whole.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(part / power)
}

/// Reads a span that may lie on either side of zero: `-1.5s`.
pub fn parse_signed(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    i64::try_from(parse(rest)?.ms()).ok().map(|ms| sign * ms)
}

/// Writes a span so that `parse` gives it back.
pub fn write(span: Millis) -> String {
    let mut left = span.ms();
    if left == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for (name, unit) in &UNITS[..2] {
        if left >= *unit {
            text.push_str(&format!("{}{name}", left / unit));
            left %= unit;
        }
    }
    if left == 0 {
        return text;
    }
    if left < 1_000 && text.is_empty() {
        return format!("{left}ms");
    }
    let decimals = format!("{:03}", left % 1_000);
    let decimals = decimals.trim_end_matches('0');
    let point = if decimals.is_empty() { "" } else { "." };
    text + &format!("{}{point}{decimals}s", left / 1_000)
}

/// Writes a signed span so that `parse_signed` gives it back.
pub fn write_signed(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    format!("{sign}{}", write(Millis::new(ms.unsigned_abs())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_with_their_units() {
        let read = |text: &str| parse(text).map(Millis::ms);
        assert_eq!(read("250ms"), Some(250));
        assert_eq!(read("2.005s"), Some(2_005));
        assert_eq!(read("1h20m0.5s"), Some(4_800_500));
        assert_eq!(read("1m 30s"), Some(90_000));
        assert_eq!(parse_signed("-1.5s"), Some(-1_500));
        for bad in ["", "12", "s", "1s1m", "1.0005s", "1x", "-1s", "1..5s", "99999999999999h"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for ms in [0, 1, 999, 1_000, 2_005, 59_999, 60_000, 61_000, 3_600_000, 17_140_250] {
            assert_eq!(parse(&write(Millis::new(ms))), Some(Millis::new(ms)), "{ms}");
        }
        assert_eq!(write(Millis::new(90_500)), "1m30.5s");
    }
}
