//! Picture, caption, twin and inspector say the same, at every stop of every preset under every release.

mod differs;
mod held;
mod rules;
mod stops;

use std::collections::BTreeSet;

use held::{Picture, clock, twin_text};
use rocketmq_playground::app::action::Action;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::fact::Fact;
use rocketmq_playground::scenario::walk::{SENTENCES, sentences};
use rocketmq_playground::text::Language;
use rocketmq_playground::text::term::Term;
use stops::{Stop, at_each_stop, opened, presets, scenario};

#[test]
fn every_fact_of_a_caption_is_on_the_stage_in_the_twin_and_in_the_inspector() {
    let mut wrong = Vec::new();
    at_each_stop(|stop| {
        let place = stop.place.clone();
        let mut picture = Picture::of(stop.app);
        for fact in &stop.mark.facts {
            if let Err(why) = picture.holds(fact) {
                wrong.push(format!("{place}: {fact}\n    {why}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{} facts do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_number_of_a_caption_is_on_the_screen_where_playing_stops() {
    let mut wrong = Vec::new();
    at_each_stop(|mut stop| {
        let place = stop.place.clone();
        let caption = stop.mark.caption.clone();
        for (language, text) in [(Language::En, &caption.en), (Language::ZhCn, &caption.zh)] {
            stop.app.update(Action::ChoseLanguage(language));
            let seen = seen(&mut stop, language);
            let unseen: Vec<String> =
                rules::numbers(text).into_iter().filter(|it| !seen.contains(it)).collect();
            if !unseen.is_empty() {
                wrong.push(format!("{place}: {} of “{text}”", unseen.join(", ")));
            }
        }
        stop.app.update(Action::ChoseLanguage(Language::En));
    });
    assert!(wrong.is_empty(), "{} captions:\n{}", wrong.len(), wrong.join("\n"));
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
    let plain = text.replace(',', "").replace('\u{2009}', "");
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
fn under_every_release_a_walkthrough_has_three_to_seven_steps_none_before_its_beginning() {
    for name in presets() {
        for profile in Profile::ALL {
            let scenario = scenario(name, profile);
            let count = scenario.marks_told().count();
            assert!((3..=7).contains(&count), "{name} has {count} marks under {}", profile.name());
            let mut app = opened(name, profile);
            for _ in 0..count {
                app.update(Action::WalkedOn);
                let now = app.run.as_ref().expect("a run is open").now();
                assert!(now >= scenario.begin, "{name} stops at {now:?}, before its beginning");
            }
            assert!(!app.run_shown().and_then(|it| it.walk).expect("told").can_go_on, "{name}");
        }
    }
}

#[test]
fn every_term_of_a_walkthrough_is_explained_where_it_is_first_said_and_only_there() {
    for name in presets() {
        for language in [Language::En, Language::ZhCn] {
            let mut app = opened(name, Profile::V42);
            app.update(Action::ChoseLanguage(language));
            let mut explained = Vec::new();
            for mark in scenario(name, Profile::V42).marks_told() {
                app.update(Action::WalkedOn);
                let shown = app.run_shown().and_then(|it| it.walk).expect("told");
                explained.extend(shown.terms.iter().map(|line| line.word.clone()));
                let caption = mark.caption.say(language == Language::ZhCn);
                for (_, term) in Term::used_in(language, caption) {
                    let word = term.spellings(language)[0];
                    let times = explained.iter().filter(|it| &***it == word).count();
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
