//! The readable part behind the question mark: `?t=62.350&sel=q1`.

use crate::model::time::Millis;
use crate::scenario::duration;

/// A moment in seconds, `62.350`.
pub fn seconds(moment: Millis) -> String {
    format!("{}.{:03}", moment.ms() / 1_000, moment.ms() % 1_000)
}

/// The moment that a person may have edited: seconds, or a time with units.
pub fn moment(text: &str) -> Option<Millis> {
    duration::parse(&format!("{text}s")).or_else(|| duration::parse(text))
}

/// `?a=b&c=d`; nothing for no pairs.
pub fn write(pairs: impl IntoIterator<Item = (String, String)>) -> String {
    let mut text = String::new();
    for (key, value) in pairs {
        text.push(if text.is_empty() { '?' } else { '&' });
        text.push_str(&format!("{}={}", encode(&key), encode(&value)));
    }
    text
}

/// The pairs of a query; what has no `=` has an empty value.
pub fn read(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key), decode(value))
        })
        .collect()
}

/// Everything but letters, digits and `-_.~:,/` as `%XX`.
fn encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~:,/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = hex.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match byte {
            Some(byte) if bytes[at] == b'%' => {
                decoded.push(byte);
                at += 3;
            }
            _ => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_what_is_not_stays_text() {
        let pairs =
            vec![("t".to_owned(), "1.500".to_owned()), ("sel".to_owned(), "订单 & ?".to_owned())];
        let text = write(pairs.clone());
        assert_eq!(read(&text[1..]), pairs);
        assert_eq!(
            read("a&b=%zz&%4"),
            [("a", ""), ("b", "%zz"), ("%4", "")].map(|(a, b)| (a.into(), b.into()))
        );
    }

    #[test]
    fn moments_are_seconds_or_times_with_units() {
        assert_eq!(moment(&seconds(Millis::new(62_350))), Some(Millis::new(62_350)));
        assert_eq!(moment("1m2s"), Some(Millis::new(62_000)));
        assert_eq!(moment("soon"), None);
    }
}
