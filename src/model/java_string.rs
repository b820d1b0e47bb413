//! What RocketMQ takes from Java's `String`, where it decides something: the hash, by which tags are
//! compared at the broker and queues are chosen; and `split`, by which settings are read.

/// `String.hashCode`: `h = 31 h + unit` over the UTF-16 units, wrapping at 32 bits (spec 08.6).
pub fn hash_code(text: &str) -> i32 {
    text.encode_utf16()
        .fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// `String.split` for a separator that is no pattern: empty parts at the end are left out; a text
/// without any separator is its own only part.
pub fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    if !text.contains(separator) {
        return vec![text];
    }
    let mut parts: Vec<&str> = text.split(separator).collect();
    while parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    parts
}

/// `String.trim`: cuts spaces and control characters off both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|unit: char| unit <= ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_java_s() {
        assert_eq!(hash_code(""), 0);
        assert_eq!(hash_code("TagA"), 2_598_919);
        assert_eq!(hash_code("TagB"), 2_598_920);
        assert_eq!(hash_code("polygenelubricants"), i32::MIN, "wraps");
    }

    #[test]
    fn split_drops_empty_parts_at_the_end_only() {
        assert_eq!(split("a||b", "||"), ["a", "b"]);
        assert_eq!(split("||a||||", "||"), ["", "a"]);
        assert_eq!(split("||", "||"), [] as [&str; 0]);
        assert_eq!(split("", "||"), [""]);
    }
}
