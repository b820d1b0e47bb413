//! "Go to a time": reads a moment as people write one, and says what is wrong with what is none.

use super::App;
use super::effect::Effect;
use super::route::Moment;
use crate::model::time::Millis;
use crate::text::bar::BarText;

/// The id of the field.
pub const TIME_FIELD: &str = "time-field";

/// The field while it is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeField {
    pub text: String,
    pub problem: Option<BarText>,
}

/// The names of units, each with its milliseconds.
const UNITS: [(u64, &[&str]); 4] = [
    (3_600_000, &["h", "hour", "hours", "小时", "时"]),
    (60_000, &["m", "min", "mins", "minute", "minutes", "分", "分钟"]),
    (1_000, &["s", "sec", "secs", "second", "seconds", "秒"]),
    (1, &["ms", "毫秒"]),
];

/// Reads `1:41`, `1:02:03.5`, `T+1:41`, `101`, `101 s`, `1m41s`, `1 min 41 s`, `1分41秒`: the model's time
/// since the start of the run. `None` if it is no time, or later than can be counted.
pub fn parse(text: &str) -> Option<Millis> {
    let text = text.trim().to_lowercase().replace('：', ":");
    let text = text.strip_prefix("t+").unwrap_or(&text).trim();
    if text.contains(':') { with_colons(text) } else { with_units(text) }
}

/// Hours, minutes and seconds; only the last may have decimals.
fn with_colons(text: &str) -> Option<Millis> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (seconds, before) = parts.split_last()?;
    if before.len() > 2 {
        return None;
    }
    let mut total = decimal(seconds, 1_000)?;
    let mut unit = 60_000_u64;
    for part in before.iter().rev() {
        total = total.checked_add(whole(part)?.checked_mul(unit)?)?;
        unit *= 60;
    }
    Some(Millis::new(total))
}

/// Numbers with their units, the largest first; the last may do without: then it is seconds.
fn with_units(text: &str) -> Option<Millis> {
    let (mut rest, mut total, mut above) = (text, 0_u64, u64::MAX);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let is_figure = |sign: char| sign.is_ascii_digit() || sign == '.';
        let end = rest.find(|sign| !is_figure(sign)).unwrap_or(rest.len());
        let (number, tail) = rest.split_at(end);
        let tail = tail.trim_start();
        let end = tail.find(|sign: char| is_figure(sign) || sign == ' ').unwrap_or(tail.len());
        let (name, tail) = tail.split_at(end);
        let unit = match name {
            "" => 1_000,
            name => UNITS.iter().find(|(_, names)| names.contains(&name))?.0,
        };
        if unit >= above {
            return None;
        }
        above = unit;
        total = total.checked_add(decimal(number, unit)?)?;
        rest = tail.trim_start();
    }
    Some(Millis::new(total))
}

fn whole(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// A decimal number of `unit` ms, cut to a whole one.
fn decimal(text: &str, unit: u64) -> Option<u64> {
    let (number, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let mut total = whole(number)?.checked_mul(unit)?;
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) || decimals.is_empty() {
        return None;
    }
    let mut share = unit;
    for byte in decimals.bytes() {
        share /= 10;
        total = total.checked_add(u64::from(byte - b'0') * share)?;
    }
    Some(total)
}

impl App {
    pub(super) fn open_time_field(&mut self, effects: &mut Vec<Effect>) {
        self.time_field = Some(TimeField::default());
        effects.push(Effect::Focus(TIME_FIELD));
    }

    /// Goes to what was written, or says why that is not possible.
    pub(super) fn enter_time(&mut self, effects: &mut Vec<Effect>) {
        let language = self.language();
        let (Some(field), Some(run)) = (&mut self.time_field, &mut self.run) else { return };
        let found = field.text.trim();
        let problem = match parse(found) {
            None if found.is_empty() => BarText::TimeMissing,
            None => BarText::NotATime { found: found.into() },
            Some(at) if at > run.told_until() => BarText::TooLate { last: run.told_until() },
            Some(at) => {
                run.player.stop();
                run.go_to_moment(Moment { at, event: None });
                self.time_field = None;
                self.moved(effects);
                return;
            }
        };
        effects.push(Effect::Announce(problem.say(language).into_owned()));
        effects.push(Effect::Focus(TIME_FIELD));
        field.problem = Some(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_however_people_write_it() {
        for text in ["1:41", "01:41", "0:01:41", "T+01:41.000", "101", "101 s", "101s", "1m41s"] {
            assert_eq!(parse(text), Some(Millis::new(101_000)), "{text}");
        }
        for text in ["1 min 41 s", "1m 41", "1分41秒", "1 分 41 秒", "101秒", "1：41", "101000ms"]
        {
            assert_eq!(parse(text), Some(Millis::new(101_000)), "{text}");
        }
        assert_eq!(parse("1:02:03.25"), Some(Millis::new(3_723_250)));
        assert_eq!(parse(".5"), None);
        assert_eq!(parse("0.5"), Some(Millis::new(500)));
        assert_eq!(parse("1.5 min"), Some(Millis::new(90_000)));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in
            ["", "soon", "1:2:3:4", "1:x", "s", "41s1m", "-5", "1..5", "99999999999999999999"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
