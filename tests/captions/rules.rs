//! How captions are written: their length, their words, their numbers.

use std::collections::BTreeSet;

/// What no caption says, because the page has another word for it.
const RETIRED_EN: &[&str] = &[
    "bench",
    "ledger",
    "fold",
    "folded",
    "in hand",
    "away",
    "dealt",
    "deals",
    "member",
    "members",
    "pull request",
    "name server",
    "believes",
    "believe",
    "dropped",
    "staircase",
    "stairs",
    "pit",
    "goodbye",
    "parcel",
    "rid of",
    "frees",
    "freed",
];
const RETIRED_ZH: &[&str] = &[
    "货架",
    "位点账",
    "等候席",
    "在外",
    "在手",
    "手头",
    "放走",
    "放行",
    "名字服务",
    "折叠",
    "再平衡",
    "积压",
    "工作线程",
    "消费组",
    "提交位点",
    "回发",
    "重试主题",
    "成员",
    "自认",
    "已丢弃",
    "主人",
    "沉默",
    "静默",
    "压后",
    "崩溃了",
    "杀掉",
    "强杀",
    "舞台",
    "认为",
    "甩掉",
    "告别",
];

/// English words and Chinese characters of a caption, at most.
const WORDS: usize = 32;
const CHARACTERS: usize = 60;

/// What is wrong with a caption's words in English.
pub fn english(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let words = text.split_whitespace().count();
    if words > WORDS {
        wrong.push(format!("{words} words"));
    }
    let lower = text.to_lowercase();
    let is_word = |word: &&&str| {
        lower.match_indices(**word).any(|(at, _)| {
            let is_part = |sign: Option<char>| sign.is_some_and(|it| it.is_alphanumeric());
            !is_part(lower[..at].chars().next_back())
                && !is_part(lower[at + word.len()..].chars().next())
        })
    };
    wrong.extend(RETIRED_EN.iter().filter(is_word).map(|word| format!("says “{word}”")));
    wrong.extend(bare_code(text));
    wrong
}

/// What is wrong with a caption's words in Chinese.
pub fn chinese(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let characters = text.chars().filter(|sign| !sign.is_whitespace()).count();
    if characters > CHARACTERS {
        wrong.push(format!("{characters} characters"));
    }
    let retired = RETIRED_ZH.iter().filter(|word| text.contains(**word));
    wrong.extend(retired.map(|word| format!("says “{word}”")));
    wrong.extend(bare_code(text));
    wrong
}

/// "(36)" tells nobody that 36 is a request.
fn bare_code(text: &str) -> Option<String> {
    let text = text.replace('（', "(").replace('）', ")");
    let in_brackets = text.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    let mut bare =
        in_brackets.filter(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()));
    bare.next().map(|code| format!("has a bare ({code})"))
}

/// The numbers that a caption says, without names (m12), releases, and the codes of calls, which say
/// what they are.
pub fn numbers(text: &str) -> BTreeSet<String> {
    let mut text = text.to_owned();
    for name in ["RocketMQ 4.2.0", "4.2.0", "4.9.8", "5.3.3", "10.0.0.1@1", "10.0.0.1@2"] {
        text = text.replace(name, " ");
    }
    for word in ["request ", "answer ", "请求码 ", "应答码 "] {
        while let Some(at) = text.find(word) {
            let digits = text[at + word.len()..].bytes().take_while(u8::is_ascii_digit).count();
            text.replace_range(at..at + word.len() + digits, "|");
        }
    }
    tokens(&text).filter(|it| it.starts_with(|sign: char| sign.is_ascii_digit())).collect()
}

/// Runs of letters, digits and what stands inside a number or a clock.
pub fn tokens(text: &str) -> impl Iterator<Item = String> {
    let is_inside = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, ':' | '.' | '%');
    let split = text.split(move |sign: char| !is_inside(sign));
    let trimmed = split.map(|it| it.trim_matches([':', '.', '%']).to_owned());
    trimmed.filter(|it| !it.is_empty())
}

#[test]
fn the_rules_find_what_they_are_for() {
    assert_eq!(english("c1 sends B back (36)."), ["has a bare (36)"]);
    assert_eq!(english("The bench is full."), ["says “bench”"]);
    assert!(english("The workbench has 36 seats (request 36).").is_empty());
    assert_eq!(chinese("货架上有 B（36）。"), ["says “货架”", "has a bare (36)"]);
    let said = numbers("At 1:41 m12 asks (request 41): 7 of 2000, C 12, RocketMQ 4.2.0.");
    assert_eq!(said.into_iter().collect::<Vec<_>>(), ["12", "1:41", "2000", "7"]);
    assert_eq!(
        numbers("位点 52，等 40 秒（请求码 36）").into_iter().collect::<Vec<_>>(),
        ["40", "52"]
    );
}
