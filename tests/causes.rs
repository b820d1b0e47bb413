//! The why-chain as a visitor reads it: from an event back to who began it.

#[path = "kit/opened.rs"]
mod opened;

use opened::{complete, opened};
use rocketmq_playground::app::App;
use rocketmq_playground::app::action::Action;
use rocketmq_playground::app::ask::Ask;
use rocketmq_playground::app::why::WhyShown;
use rocketmq_playground::sim::event::EventKind;
use rocketmq_playground::text::Language;
use rocketmq_playground::text::chain::ChainWord;

/// The first message that anyone gets of queue `queue_id` after the crash.
fn first_consumed(app: &App, queue_id: u32, after_ms: u64) -> u32 {
    let recording = app.run.as_ref().expect("a run is open").recording();
    let mut events = recording.events().iter().filter(|event| event.at.ms() > after_ms);
    let found = events.find(|event| {
        let EventKind::ConsumeStarted { message, .. } = &event.kind else { return false };
        message.queue_id.0 == queue_id
    });
    found.expect("the new owner gets a message").sequence
}

fn chain_of(app: &mut App, event: u32, language: Language) -> WhyShown {
    app.update(Action::ChoseLanguage(language));
    app.update(Action::AskedWhy(Some(event)));
    let shown = app.run_shown().expect("a run is shown");
    (*shown.why.expect("the chain is shown")).clone()
}

#[test]
fn the_first_message_after_an_orderly_crash_leads_back_to_the_one_who_crashed_it() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    app.update(Action::Asked(Ask::Crash("c2".into())));
    complete(&mut app);
    let event = first_consumed(&app, 1, 40_500);
    for (language, crash, refused) in [
        (Language::En, "0:40.500 you: crash c2", "because broker-a: q1 is not locked for c1"),
        (Language::ZhCn, "0:40.500 你：杀 c2 的进程", "因为 broker-a：q1 c1 加锁被拒"),
    ] {
        let why = chain_of(&mut app, event, language);
        assert_eq!(why.ends, Some(ChainWord::EndsAtPerson));
        let text = why.as_text(language);
        assert!(text.contains(crash), "{text}");
        // Asked every 20 s, refused as long as the dead owner's lock of 60 s holds.
        assert!(text.matches(refused).count() >= 2, "{text}");
        assert!(why.words.matches("20.0").count() >= 2, "{}", why.words);
    }
}

#[test]
fn without_the_act_at_the_chain_s_root_the_effect_is_not_there() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    app.update(Action::Asked(Ask::Crash("c2".into())));
    complete(&mut app);
    let event = first_consumed(&app, 1, 40_500);
    let run = app.run.as_ref().expect("a run is open");
    let crashed = run.recording().event(event).expect("it is there").clone();
    assert!(crashed.at.ms() > 100_000, "the queue is silent for a minute");
    app.update(Action::PressedUndo);
    complete(&mut app);
    let event = first_consumed(&app, 1, 40_500);
    let run = app.run.as_ref().expect("a run is open");
    let kept = run.recording().event(event).expect("it is there");
    assert!(kept.at.ms() < 42_000, "c2 reads on");
}
