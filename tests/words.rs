//! The words of the page: one for one thing, none that was retired, in both languages.
//!
//! Whatever can be said stands as a string in `src/text` or in a preset, so the test reads the strings themselves:
//! a variant that is added is looked at without being listed anywhere. What only shows when a sentence is put
//! together is read off the runs of all presets.

use std::fs;
use std::path::Path;

use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::narrate::Narrator;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::text::stage::{PostponeWord, StageText};
use rocketmq_playground::text::term::{Term, TermGroup};
use rocketmq_playground::text::{Language, help, page};

/// What is said no more, and what is said for it.
const RETIRED_EN: &[(&str, &str)] = &[
    ("bench", "held pulls"),
    ("ledger", "Offsets, offset table"),
    ("fold", "fast-forward"),
    ("folded", "older"),
    ("in hand", "pulled, not committed"),
    ("dealt", "assigned"),
    ("deals", "assigns"),
    ("member", "consumer of the group"),
    ("members", "consumers of the group"),
    ("pull request", "pull"),
    ("pull requests", "pulls"),
    ("name server", "NameServer"),
    ("commit log", "CommitLog"),
    ("believe", "a machine's own note"),
    ("believes", "a machine's own note"),
    ("believed", "a machine's own note"),
    ("dropped", "given up"),
    ("in order", "in orderly consumption"),
    ("looks at the assignment", "rebalances"),
    ("goodbye", "signs off"),
    ("parcel", "batch"),
    ("staircase", "delay levels"),
    ("pit", "dead letters"),
    ("frees", "answers the held pull"),
    ("freed", "answered the held pull"),
    ("gets rid", "sends back"),
    ("is rid of", "goes on without"),
    ("story", "speed"),
    ("Taller", "Expand"),
    ("Lower", "Collapse"),
    ("schedule topic", "delay levels, SCHEDULE_TOPIC_XXXX"),
    ("retry topic", "retry queue"),
];

const RETIRED_ZH: &[(&str, &str)] = &[
    ("货架", "本地队列"),
    ("位点账", "位点表"),
    ("等候席", "挂起的拉取"),
    ("在外", "等待应答、未挂起"),
    ("在手", "已拉取未提交"),
    ("手头", "已拉取未提交"),
    ("手中", "归谁"),
    ("放走", "唤醒"),
    ("放行", "可以拉取了"),
    ("名字服务", "NameServer"),
    ("叙事", "速"),
    ("增高", "展开"),
    ("降低", "收起"),
    ("折叠", "快进、更早的"),
    ("再平衡", "重平衡"),
    ("积压", "堆积"),
    ("工作线程", "消费线程"),
    ("消费组", "消费者组"),
    ("提交位点", "消费位点"),
    ("回发", "发回"),
    ("重试主题", "重试队列"),
    ("延迟主题", "延迟级别"),
    ("延时", "延迟"),
    ("成员", "组内消费者"),
    ("自认", "本地标记"),
    ("认为", "本地标记"),
    ("以为", "本地标记"),
    ("已丢弃", "已失效"),
    ("主人", "消费者"),
    ("无主", "无人读"),
    ("沉默", "没有动静"),
    ("静默", "没有动静"),
    ("压后", "延后"),
    ("杀掉", "杀进程"),
    ("强杀", "杀进程"),
    ("主机消失", "主机断电"),
    ("舞台", "画面"),
    ("监听器里", "处理中"),
    ("告别", "注销"),
    ("甩掉", "发回"),
    ("包裹", "一批"),
    ("空洞", "空一格"),
    ("捎带", "顺带上报"),
];

/// Codes of requests: none of them stands alone in brackets.
const CODES: &[&str] = &[
    "10", "11", "14", "15", "29", "30", "34", "35", "36", "38", "40", "41", "42", "46", "105",
    "220", "310", "{number}", "{code}",
];

/// The keys of a preset that hold sentences for readers.
const TOLD: &[&str] = &["title = ", "about = "];

fn is_chinese(words: &str) -> bool {
    words.chars().any(is_han)
}

const fn is_han(sign: char) -> bool {
    matches!(sign, '\u{4e00}'..='\u{9fff}')
}

/// The strings of a Rust text, without its comments; a line that is continued is joined.
fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(quote) = rest.strip_prefix("'\"'") {
            rest = quote;
        } else if next == '"' {
            let mut words = String::new();
            let mut signs = rest[1..].char_indices();
            let mut end = rest.len();
            while let Some((at, sign)) = signs.next() {
                match sign {
                    '"' => {
                        end = at + 2;
                        break;
                    }
                    '\\' => match signs.next() {
                        Some((_, '\n')) => {
                            let after = signs.as_str();
                            let blank = after.len() - after.trim_start().len();
                            for _ in after[..blank].chars() {
                                signs.next();
                            }
                        }
                        Some((_, escaped)) => words.push(escaped),
                        None => break,
                    },
                    sign => words.push(sign),
                }
            }
            found.push(words);
            rest = &rest[end..];
        } else {
            rest = &rest[next.len_utf8()..];
        }
    }
    found
}

/// Every string of `src/text` outside its tests.
fn all_strings() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join("src/text")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("the room is there").flatten().map(|it| it.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("it is a text");
            let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.extend(strings(code).into_iter().map(|words| (name.clone(), words)));
        }
    }
    found
}

/// Whether English words stand there as words of their own.
fn has_words(sentence: &str, wanted: &str) -> bool {
    let in_word = |sign: Option<char>| sign.is_some_and(|c| c.is_alphanumeric() || c == '_');
    sentence.match_indices(wanted).any(|(at, _)| {
        let after = &sentence[at + wanted.len()..];
        !in_word(sentence[..at].chars().next_back()) && !in_word(after.chars().next())
    })
}

/// What is wrong with a sentence or a label.
fn faults_of(words: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let said = without_arguments(words);
    let words = said.as_str();
    if is_chinese(words) {
        let retired = RETIRED_ZH.iter().filter(|(old, _)| words.contains(old));
        faults.extend(retired.map(|(old, new)| format!("{old} → {new}")));
        faults.extend(half_width(words));
        if level_is_bare(words) {
            faults.push("级别 n → 延迟级别 n".to_owned());
        }
        if words.replace("主机断电", "").contains("断电") {
            faults.push("断电 → 主机断电".to_owned());
        }
    } else {
        let lower = words.to_lowercase();
        let retired = RETIRED_EN.iter().filter(|(old, _)| {
            has_words(if old.starts_with(char::is_uppercase) { words } else { &lower }, old)
        });
        faults.extend(retired.map(|(old, new)| format!("{old} → {new}")));
        if lower == "away" {
            faults.push("away → awaits answer, not held now".to_owned());
        }
        if has_bare_level(&lower) {
            faults.push("level n → delay level n".to_owned());
        }
    }
    let in_brackets = CODES.iter().filter(|code| {
        words.contains(&format!("({code})")) || words.contains(&format!("（{code}）"))
    });
    faults.extend(in_brackets.map(|code| format!("({code}): request {code}, 请求码 {code}")));
    faults
}

/// Names of arguments are not said; which of them is a number that must not stand alone is kept.
fn without_arguments(words: &str) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(if CODES.contains(&format!("{{{name}}}").as_str()) {
            "{number}"
        } else {
            "{}"
        });
        rest = behind;
    }
    out + rest
}

/// `级别 3` that is no `延迟级别 3`, and `3 级` of a delay.
fn level_is_bare(words: &str) -> bool {
    let bare = words.replace("延迟级别", "");
    let numbered = |at: usize| {
        let rest = bare[at + "级别".len()..].trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit() || c == '{')
    };
    bare.match_indices("级别").any(|(at, _)| numbered(at)) || words.contains("延迟 {} 级")
}

fn has_bare_level(lower: &str) -> bool {
    lower.replace("delay level", "").match_indices("level ").any(|(at, found)| {
        let rest = &lower.replace("delay level", "")[at + found.len()..];
        rest.starts_with(|c: char| c.is_ascii_digit() || c == '{')
    })
}

/// Signs of the Latin half beside a Chinese one.
fn half_width(words: &str) -> Option<String> {
    let signs: Vec<char> = words.chars().collect();
    let beside = |pair: &[char]| {
        (is_han(pair[0]) && matches!(pair[1], ',' | ';' | ':' | '!' | '?' | '(' | ')'))
            || (matches!(pair[0], ',' | ';' | ':' | '!' | '?' | '(' | ')') && is_han(pair[1]))
            || (is_han(pair[0]) && pair[1] == '.')
    };
    let found = signs.windows(2).find(|pair| beside(pair))?;
    Some(format!("half-width sign in “{}{}”", found[0], found[1]))
}

#[test]
fn no_sentence_and_no_label_has_a_retired_word_a_bare_code_or_a_sign_of_the_other_script() {
    let mut problems = Vec::new();
    let all = all_strings();
    assert!(all.len() > 2_500, "only {} strings were found", all.len());
    let is_class = |words: &str| Term::ALL.iter().any(|term| term.class() == Some(words));
    for (place, words) in all.iter().filter(|(_, words)| !is_class(words)) {
        for fault in faults_of(words) {
            problems.push(format!("{place}: {fault}: {words}"));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn what_a_preset_says_of_itself_keeps_to_the_words() {
    let mut problems = Vec::new();
    let mut count = 0;
    for name in presets::all_names() {
        let text = presets::text_of(name).expect("it is in the list");
        let lines = text.lines().filter(|line| TOLD.iter().any(|key| line.starts_with(key)));
        for words in lines.flat_map(strings) {
            count += 1;
            problems
                .extend(faults_of(&words).iter().map(|fault| format!("{name}: {fault}: {words}")));
        }
    }
    assert!(count >= 18 * 4, "only {count} sentences were found");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn what_the_runs_of_all_presets_say_keeps_to_the_words() {
    let mut problems = std::collections::BTreeSet::new();
    let mut look = |words: &str| {
        for fault in faults_of(words) {
            problems.insert(format!("{fault}: {words}"));
        }
    };
    for name in presets::all_names() {
        let scenario = presets::by_name(name).expect("it is in the list");
        let mut recording = Recording::new(Start::from(&scenario), Vec::new());
        recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
        let mut film = Film::new();
        film.follow(&recording);
        let narrator = Narrator::new(&recording, film.journal());
        for event in recording.events().iter() {
            let told = narrator.told(event);
            Language::ALL.iter().for_each(|language| look(&told.sentence(*language)));
        }
        for fold in film.folds() {
            let told = narrator.fold(fold);
            Language::ALL.iter().for_each(|language| look(&told.say(*language)));
        }
    }
    let shown: Vec<&String> = problems.iter().take(40).collect();
    assert!(problems.is_empty(), "{} problems: {shown:#?}", problems.len());
}

#[test]
fn a_retired_word_is_found_wherever_it_stands() {
    let found = |words: &str| !faults_of(words).is_empty();
    assert!(found("A held pull leaves the bench.") && found("Members are asked for"));
    assert!(found("it is sent back (36)") && found("sent back ({number})"));
    assert!(found("waits at level 3") && !found("waits at delay level 3"));
    assert!(found("消费组 bill") && !found("消费者组 bill"));
    assert!(found("发回（36）") && !found("发回（请求码 36）"));
    assert!(found("等待,然后") && found("在级别 3 等待") && !found("在延迟级别 3 等待"));
    assert!(!found("The network benches nothing; a ledgerless, unfolded remembering."));
}

#[test]
fn why_a_pull_is_put_off_is_said_in_full() {
    for (reason, [en, zh]) in [
        (PostponeWord::Count, ["too many cached", "条数超限"]),
        (PostponeWord::Size, ["too many bytes", "大小超限"]),
        (PostponeWord::Span, ["span too wide", "跨度超限"]),
    ] {
        let text = StageText::Postponed { reason };
        assert_eq!(Language::ALL.map(|language| text.say(language).into_owned()), [en, zh]);
    }
}

#[test]
fn the_help_page_names_each_group_of_terms_and_the_pace_is_called_speed() {
    for language in Language::ALL {
        let titles = TermGroup::ALL.iter().map(|group| help::HelpText::Words(*group).say(language));
        let titles: std::collections::BTreeSet<&str> = titles.collect();
        assert_eq!(titles.len(), TermGroup::ALL.len());
    }
    let pace = page::PageText::Pace { sign: "1" };
    assert_eq!(
        Language::ALL.map(|language| pace.say(language).into_owned()),
        ["1× speed", "1× 速"]
    );
}

#[test]
fn a_term_is_recognised_by_its_own_word() {
    for term in Term::ALL {
        for language in Language::ALL {
            let spellings = term.spellings(language);
            assert!(!spellings.is_empty() || *term == Term::ShortNames, "{term:?} has no spelling");
        }
    }
}
