//! Numbers and durations, written by hand so that both languages and every platform agree.
//!
//! Offsets are never grouped; counts from 10 000 on are.

use super::Language;
use crate::model::time::Millis;

/// `T+00:20.350`, `T+1:02:03.004`.
pub fn clock(at: Millis) -> String {
    format!("T+{}", clock_digits(at, 2))
}

/// `0:20.350`, `1:02:03.004`: the same for columns.
pub fn clock_short(at: Millis) -> String {
    clock_digits(at, 1)
}

fn clock_digits(at: Millis, minute_digits: usize) -> String {
    let ms = at.ms();
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    let rest = ms % 1_000;
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}.{rest:03}")
    } else {
        format!("{minutes:0minute_digits$}:{seconds:02}.{rest:03}")
    }
}

/// `23.8`: tenths of a second, cut, not rounded, so that a count-down never shows too much.
pub fn tenths(span: Millis) -> String {
    format!("{}.{}", span.ms() / 1_000, span.ms() / 100 % 10)
}

/// A length as people say it, exact where it is whole: `30 s`, `1 min`, `2 h`, `12.0 s`, `150 ms`.
pub fn span(language: Language, span: Millis) -> String {
    let ms = span.ms();
    if ms > 0 && ms.is_multiple_of(3_600_000) {
        format!("{} {}", ms / 3_600_000, hours(language))
    } else if ms > 0 && ms.is_multiple_of(60_000) {
        format!("{} {}", ms / 60_000, minutes(language))
    } else if ms > 0 && ms < 1_000 {
        format!("{ms} {}", milliseconds(language))
    } else if ms.is_multiple_of(1_000) {
        format!("{} {}", ms / 1_000, seconds(language))
    } else {
        left(language, span)
    }
}

/// What is left of a wait or has passed of one, short and of even width: `12.0 s`, `4.2 min`.
pub fn left(language: Language, left: Millis) -> String {
    let ms = left.ms();
    if ms < 100_000 {
        format!("{} {}", tenths(left), seconds(language))
    } else if ms < 6_000_000 {
        format!("{}.{} {}", ms / 60_000, ms / 6_000 % 10, minutes(language))
    } else {
        format!("{}.{} {}", ms / 3_600_000, ms / 360_000 % 10, hours(language))
    }
}

/// `65 000` from 10 000 on, with thin spaces that do not break.
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

pub const fn milliseconds(language: Language) -> &'static str {
    match language {
        Language::En => "ms",
        Language::ZhCn => "毫秒",
    }
}

pub const fn seconds(language: Language) -> &'static str {
    match language {
        Language::En => "s",
        Language::ZhCn => "秒",
    }
}

pub const fn minutes(language: Language) -> &'static str {
    match language {
        Language::En => "min",
        Language::ZhCn => "分钟",
    }
}

pub const fn hours(language: Language) -> &'static str {
    match language {
        Language::En => "h",
        Language::ZhCn => "小时",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_say_them() {
        let say = |ms| span(Language::En, Millis(ms));
        assert_eq!([say(0), say(150), say(30_000)], ["0 s", "150 ms", "30 s"]);
        assert_eq!([say(60_000), say(7_200_000), say(12_345)], ["1 min", "2 h", "12.3 s"]);
        assert_eq!(left(Language::ZhCn, Millis(252_000)), "4.2 分钟");
        assert_eq!(clock(Millis(20_350)), "T+00:20.350");
        assert_eq!(clock_short(Millis(3_723_004)), "1:02:03.004");
        assert_eq!([count(9_999), count(65_000)], ["9999", "65\u{202f}000"]);
    }
}
