//! Picture, caption, twin and inspector say the same, at every stop of every preset under every release.

mod differs;
mod held;
mod rules;
mod stops;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use held::{Picture, clock, twin_text};
use rocketmq_playground::app::action::Action;
use rocketmq_playground::app::walk::Walk;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::fact::Fact;
use rocketmq_playground::scenario::walk::{SENTENCES, sentences};
use rocketmq_playground::text::Language;
use rocketmq_playground::text::term::Term;
use stops::{Stop, at_each_stop, presets, scenario};

/// What a walk through all presets under all releases found wrong. It takes a while: one walk serves all tests.
#[derive(Default)]
struct Found {
    facts: Vec<String>,
    numbers: Vec<String>,
    early: Vec<String>,
}

static FOUND: LazyLock<Found> = LazyLock::new(|| {
    let mut found = Found::default();
    at_each_stop(|mut stop| {
        let place = stop.place.clone();
        let now = stop.app.run.as_ref().expect("a run is open").now();
        if now < stop.begin {
            found.early.push(format!("{place} comes at {} ms", now.ms()));
        }
        let caption = stop.mark.caption.clone();
        for (language, text) in [(Language::ZhCn, &caption.zh), (Language::En, &caption.en)] {
            stop.app.update(Action::ChoseLanguage(language));
            let seen = seen(&mut stop, language);
            let unseen: Vec<String> =
                rules::numbers(text).into_iter().filter(|it| !seen.contains(it)).collect();
            if !unseen.is_empty() {
                found.numbers.push(format!("{place}: {} of “{text}”", unseen.join(", ")));
            }
        }
        let mut picture = Picture::of(stop.app);
        for fact in &stop.mark.facts {
            if let Err(why) = picture.holds(fact) {
                found.facts.push(format!("{place}: {fact}\n    {why}"));
            }
        }
    });
    found
});

fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_fact_of_a_caption_is_on_the_stage_in_the_twin_and_in_the_inspector() {
    none(&FOUND.facts);
}

#[test]
fn every_number_of_a_caption_is_on_the_screen_where_playing_stops() {
    none(&FOUND.numbers);
}

#[test]
fn no_step_lies_before_the_beginning() {
    none(&FOUND.early);
}

/// All numbers on the screen: stage, twin, inspector, clock, what is set small, and the facts.
fn seen(stop: &mut Stop<'_>, language: Language) -> BTreeSet<String> {
    let shown = stop.app.run_shown().expect("a run is shown");
    let run = stop.app.run.as_ref().expect("a run is open");
    let now = run.now();
    let mut text = format!("{} {} ", clock(now), twin_text(&shown.scene, now, language));
    for mark in &shown.frame.marks {
        text += &format!("{} {} ", mark.name, mark.words().collect::<Vec<_>>().join(" "));
    }
    if let Some(inspect) = &shown.inspect {
        let told = &inspect.told;
        let rows = told
            .numbers
            .iter()
            .flat_map(|row| [Some(&row.value), row.was.as_ref(), row.default.as_ref()]);
        for value in rows.flatten() {
            text += &format!("{} ", value.say(language, inspect.now));
        }
        let why = told.why.as_ref().map(|why| why.say(language).to_string());
        text += &why.unwrap_or_default();
        for wait in &told.next {
            text += &format!(" {} {}", wait.say(language), clock(wait.due));
        }
    }
    for line in shown.scaled.iter() {
        text += &format!(" {} {}", line.value, line.default);
    }
    for fact in &stop.mark.facts {
        text += &format!(" {fact}");
        if let Fact::LockEnds { at, .. } = fact {
            text += &format!(" {}", clock(*at));
        }
    }
    let plain = text.replace([',', '\u{2009}'], "");
    rules::tokens(&text).chain(rules::tokens(&plain)).collect()
}

#[test]
fn captions_keep_to_their_length_and_words_in_both_languages() {
    let mut wrong = Vec::new();
    for name in presets() {
        for (index, mark) in scenario(name, Profile::V42).marks.iter().enumerate() {
            let (en, zh) = (&mark.caption.en, &mark.caption.zh);
            let mut found = rules::english(en);
            found.extend(rules::chinese(zh));
            for text in [en, zh] {
                if sentences(text) != SENTENCES {
                    found.push(format!("{} sentences in “{text}”", sentences(text)));
                }
            }
            wrong.extend(found.into_iter().map(|what| format!("{name}, {}: {what}", index + 1)));
        }
    }
    assert!(wrong.is_empty(), "{} captions:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn under_every_release_a_walkthrough_has_three_to_seven_steps() {
    for name in presets() {
        for profile in Profile::ALL {
            let count = scenario(name, profile).marks_told().count();
            assert!((3..=7).contains(&count), "{name} has {count} marks under {}", profile.name());
        }
    }
}

#[test]
fn every_term_of_a_walkthrough_is_explained_where_it_is_first_said_and_only_there() {
    for (name, profile) in presets().into_iter().flat_map(|name| Profile::ALL.map(|it| (name, it)))
    {
        let scenario = scenario(name, profile);
        let walk = Walk::new(scenario.marks_told());
        for language in [Language::En, Language::ZhCn] {
            let mut explained = Vec::new();
            for (index, mark) in scenario.marks_told().enumerate() {
                explained.extend(walk.terms(index, language).into_iter().map(|line| line.is));
                let caption = mark.caption.say(language == Language::ZhCn);
                for (_, term) in Term::used_in(language, caption) {
                    let half = term.first_use(language);
                    let times = explained.iter().filter(|it| **it == half).count();
                    assert_eq!(times, 1, "{name}: {term:?} in “{caption}”");
                }
            }
        }
    }
}

/// For whoever writes a caption: PRESET=name and SHOW=1 print what is there at each stop.
#[test]
fn the_stops_can_be_shown() {
    if std::env::var_os("SHOW").is_none() {
        return;
    }
    at_each_stop(|stop| {
        let shown = stop.app.run_shown().expect("a run is shown");
        let run = stop.app.run.as_ref().expect("a run is open");
        let twin = twin_text(&shown.scene, run.now(), Language::En);
        println!("=== {} at {} ms\n{twin}", stop.place, run.now().ms());
    });
}
