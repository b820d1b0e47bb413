//! `--log`: what happened, in the words and the rows of the page's log: moment, who, what, about, result,
//! source; background events of one kind share a row.

use rocketmq_playground::oracle::trace::Trace;
use rocketmq_playground::oracle::write::line;
use rocketmq_playground::recording::{Recording, Start};
use rocketmq_playground::scenario::Scenario;
use rocketmq_playground::scene::film::Film;
use rocketmq_playground::scene::log::{Log, LogLine};
use rocketmq_playground::scene::narrate::Narrator;
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::text::{Language, format};

/// Least widths of the columns before the result, in letters.
const WHO: usize = 24;
const CODE: usize = 31;
const ABOUT: usize = 14;
const RESULT: usize = 64;

/// Runs the scenario to its end and prints its log.
pub fn print_run(scenario: &Scenario, language: Language) {
    let mut recording = Recording::new(Start::from(scenario), Vec::new());
    recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
    let mut film = Film::new();
    film.follow(&recording);
    let mut log = Log::default();
    log.follow(&recording, film.timeline());
    let narrator = Narrator::new(&recording, film.journal());
    for place in 0..log.rows().len() {
        if let Some(line) = log.line(&narrator, place) {
            println!("{}", row(&line, language));
        }
    }
}

/// One row in columns.
fn row(line: &LogLine, language: Language) -> String {
    let told = &line.told;
    let who = match &told.to {
        Some(to) => format!("{} → {}", told.who.say(language), to.say(language)),
        None => told.who.say(language).to_string(),
    };
    let code = told.code.map(|code| format!("{} {}", code.number, code.name)).unwrap_or_default();
    let times = match (line.count, line.every) {
        (count, Some(every)) if count > 1 => {
            format!(" ×{count} / {}", format::span(language, every))
        }
        _ => String::new(),
    };
    let result = format!("{}{times}", told.text.say(language));
    let columns = [
        padded(&who, WHO),
        padded(&code, CODE),
        padded(told.subject.as_deref().unwrap_or_default(), ABOUT),
        padded(&result, RESULT),
    ];
    format!("{} {} {}", moment(line.at.ms()), columns.join(" "), told.source).trim_end().to_owned()
}

/// The words, filled up to so many letters; a Chinese character is as wide as two.
fn padded(words: &str, width: usize) -> String {
    let wide = |sign: char| {
        matches!(sign, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{a4cf}'
            | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}'
            | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}')
    };
    let taken: usize = words.chars().map(|sign| if wide(sign) { 2 } else { 1 }).sum();
    format!("{words}{}", " ".repeat(width.saturating_sub(taken)))
}

/// A run in the words of the recorded traces.
pub fn print_trace(trace: &Trace) {
    for each in &trace.lines {
        let mut fields = line(each);
        let object = fields.as_object_mut();
        let take = |name: &str| {
            let value = object.as_deref().and_then(|object| object.get(name).cloned());
            value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let (client, word) = (take("client"), take("ev"));
        if let Some(object) = fields.as_object_mut() {
            for name in ["t_ms", "ev", "client"] {
                object.remove(name);
            }
        }
        println!("{} {client:<16} {word:<22} {fields}", moment(each.at.ms()));
    }
}

fn moment(ms: u64) -> String {
    format!("{:>8}.{:03}", ms / 1_000, ms % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rocketmq_playground::scenario::presets;

    #[test]
    fn columns_stay_in_line_with_chinese_words() {
        assert_eq!(padded("c1", 6), "c1    ");
        assert_eq!(padded("剧本", 6), "剧本  ");
        assert_eq!(padded("NameServer", 4), "NameServer");
    }

    #[test]
    fn a_row_tells_moment_caller_code_subject_result_and_source() {
        let scenario = presets::by_name("minute-of-silence").expect("it is a preset");
        let mut recording = Recording::new(Start::from(&scenario), Vec::new());
        recording.extend_until(scenario.until, TaskBudget::UNLIMITED);
        let mut film = Film::new();
        film.follow(&recording);
        let mut log = Log::default();
        log.follow(&recording, film.timeline());
        let narrator = Narrator::new(&recording, film.journal());
        let rows = |language| -> Vec<String> {
            let lines = (0..log.rows().len()).filter_map(|place| log.line(&narrator, place));
            lines.map(|line| row(&line, language)).collect()
        };
        let english = rows(Language::En);
        let is_lock =
            |row: &String| row.contains("41 LOCK_BATCH_MQ") && row.contains("c1 → broker-a");
        assert!(english.iter().any(is_lock), "{english:#?}");
        assert!(english.iter().any(|row| row.contains("script") && row.contains("c2")));
        let chinese = rows(Language::ZhCn);
        assert_eq!(english.len(), chinese.len());
        assert!(chinese.iter().any(|row| row.contains("场景")));
    }
}
