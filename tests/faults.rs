//! Faults as a visitor reaches them: every target, every verb, what is filled in wrongly, undo of each
//! line, and the link that holds it all.

#[path = "kit/opened.rs"]
mod opened;

use std::collections::{BTreeMap, BTreeSet};

use opened::{complete, opened};
use rocketmq_playground::app::App;
use rocketmq_playground::app::action::{Action, RailTab};
use rocketmq_playground::app::effect::Effect;
use rocketmq_playground::app::fault::{
    self, Around, Draft, FaultField, FaultText, FieldShown, Kind, Target, Verb,
};
use rocketmq_playground::scenario::file::read_command::COMMANDS;
use rocketmq_playground::scenario::file::write_command::command_name;
use rocketmq_playground::scenario::link::Link;
use rocketmq_playground::scene::mark::MarkId;
use rocketmq_playground::sim::command::Party;
use rocketmq_playground::text::Language;

fn around(app: &mut App) -> Around {
    (*app.run.as_mut().expect("a run is open").around()).clone()
}

/// Every target with every verb that it has at this moment.
fn everything(around: &Around) -> Vec<(Target, Verb)> {
    let groups = around.targets(Language::En);
    let targets = groups.into_iter().flat_map(|(_, targets)| targets);
    let pairs = targets.flat_map(|(target, _)| {
        let verbs = fault::verbs_of(&target, around);
        verbs.into_iter().map(move |verb| (target.clone(), verb)).collect::<Vec<_>>()
    });
    pairs.collect()
}

fn draft(target: &Target, verb: Verb) -> Draft {
    Draft { target: Some(target.clone()), verb: Some(verb), ..Draft::default() }
}

fn fields(draft: &Draft, around: &Around) -> Vec<FieldShown> {
    fault::shown(draft, around, Language::En).fields
}

fn sentences(app: &App) -> Vec<String> {
    let run = app.run.as_ref().expect("a run is open");
    run.deed_lines(Language::En).into_iter().map(|line| line.sentence).collect()
}

#[test]
fn every_verb_of_every_target_can_be_done_as_it_stands_and_is_in_the_link() {
    let moments = [
        "#/p/minute-of-silence?t=40.5",
        "#/p/minute-of-silence?t=60",
        "#/p/master-down?t=45",
        "#/p/broadcasting?t=20",
    ];
    for hash in moments {
        let mut app = opened(hash);
        let around = around(&mut app);
        let all = everything(&around);
        assert!(all.len() > 40, "{hash}: {} verbs", all.len());
        for (target, verb) in all {
            let what = format!("{hash}: {verb:?} of {target:?}");
            let command = fault::command(&draft(&target, verb), &around);
            let command = command.unwrap_or_else(|error| panic!("{what}: {error:?}"));
            let run = app.run.as_mut().expect("a run is open");
            let at = run.now();
            let checked = run.recording().check(at, &command);
            checked.unwrap_or_else(|error| panic!("{what}: {error}"));
            let mut link = run.link().clone();
            link.interventions = vec![(at, command)];
            let read = Link::from_fragment(&link.to_fragment());
            assert_eq!(read.map(|it| it.interventions), Ok(link.interventions), "{what}");
        }
    }
}

#[test]
fn every_verb_has_a_name_and_a_line_in_the_script_in_both_languages() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let around = around(&mut app);
    for (target, verb) in everything(&around) {
        for language in Language::ALL {
            assert!(!verb.say(language).is_empty());
        }
        app.fault = draft(&target, verb);
        app.update(Action::PressedFault);
        let lines = |app: &App, language| {
            let run = app.run.as_ref().expect("a run is open");
            run.deed_lines(language).into_iter().map(|line| line.sentence).collect::<Vec<_>>()
        };
        let (en, zh) = (lines(&app, Language::En), lines(&app, Language::ZhCn));
        assert_eq!((en.len(), zh.len()), (1, 1), "{verb:?} of {target:?}");
        let is_chinese = zh[0].chars().any(|sign| ('\u{4e00}'..='\u{9fff}').contains(&sign));
        assert!(!en[0].is_empty() && is_chinese, "{en:?} {zh:?}");
        app.update(Action::RemovedDeed(0));
        assert!(sentences(&app).is_empty());
    }
}

#[test]
fn each_line_can_be_taken_out_and_the_run_is_as_if_it_had_never_been() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let events = |app: &App| app.run.as_ref().expect("a run is open").recording().event_count();
    let before = events(&app);
    let press = |app: &mut App, target: Target, verb| {
        app.update(Action::PressedVerb(target, verb));
    };
    press(&mut app, Target::Client("c1".into()), Verb::PausePulling);
    press(&mut app, Target::Client("c2".into()), Verb::Crash);
    press(&mut app, Target::NameServer, Verb::StopNameServer);
    complete(&mut app);
    assert_eq!(sentences(&app), ["pause the pulling of c1", "crash c2", "stop the NameServer"]);
    app.update(Action::RemovedDeed(1));
    assert_eq!(sentences(&app), ["pause the pulling of c1", "stop the NameServer"]);
    app.update(Action::PressedUndo);
    assert_eq!(sentences(&app).len(), 3);
    for _ in 0..3 {
        app.update(Action::RemovedDeed(0));
    }
    complete(&mut app);
    // The visitor watches on after an act: only what the scenario itself tells is compared.
    assert!(sentences(&app).is_empty());
    assert!(events(&app) >= before);
    let digest = |app: &App| {
        let run = app.run.as_ref().expect("a run is open");
        run.recording().digest(run.scenario().until)
    };
    assert_eq!(digest(&app), digest(&opened("#/p/minute-of-silence")));
}

#[test]
fn what_is_filled_in_wrongly_is_said_in_a_sentence_and_nothing_is_done() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let c1 = || Target::Client("c1".into());
    let link = || {
        Target::Link(
            rocketmq_playground::sim::command::Party::Client("c1".into()),
            rocketmq_playground::sim::command::Party::Broker("broker-a".into()),
        )
    };
    use FaultField as F;
    let span = |field, found: &str| FaultText::NotASpan { field, found: found.into() };
    let choice = |found: &str| FaultText::UnknownChoice { field: F::Code, found: found.into() };
    let number = |found: &str| FaultText::NotANumber { field: F::Value, found: found.into() };
    let range = || FaultText::OutOfRange { field: F::Value, least: 1, most: 65_535 };
    let wrong: Vec<(Target, Verb, F, &str, FaultText)> = vec![
        (c1(), Verb::Freeze, F::Span, "soon", span(F::Span, "soon")),
        (c1(), Verb::Freeze, F::Span, "30", span(F::Span, "30")),
        (c1(), Verb::SetProperty, F::Value, "many", number("many")),
        (c1(), Verb::SetProperty, F::Value, "0", range()),
        (c1(), Verb::Listener, F::Takes, "", FaultText::Missing { field: F::Takes }),
        (link(), Verb::DoubleRequests, F::Later, "later", span(F::Later, "later")),
        (link(), Verb::ReorderAnswers, F::Code, "12", choice("12")),
        (link(), Verb::Latency, F::From, "9s", FaultText::FromAfterTo),
        (link(), Verb::LoseRequests, F::Code, "9", choice("9")),
    ];
    for (target, verb, field, text, problem) in wrong {
        app.fault =
            Draft { values: BTreeMap::from([(field, text.to_owned())]), ..draft(&target, verb) };
        let effects = app.update(Action::PressedFault);
        assert_eq!(app.fault.problem.as_ref(), Some(&problem));
        assert!(sentences(&app).is_empty(), "{verb:?}");
        for language in Language::ALL {
            assert!(problem.say(language).chars().count() > 8);
        }
        let said = problem.say(Language::En).into_owned();
        assert!(effects.contains(&Effect::Announce(said)));
    }
    // Mended, it is done, and the sentence goes away.
    app.fault.values.insert(FaultField::Code, "41".into());
    app.update(Action::PressedFault);
    assert_eq!(app.fault.problem, None);
    assert_eq!(sentences(&app), ["lose the next request 41 from c1 to broker-a"]);
}

#[test]
fn every_field_stands_with_a_value_that_its_own_rule_takes() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let around = around(&mut app);
    for (target, verb) in everything(&around) {
        for shown in fields(&draft(&target, verb), &around) {
            let field = shown.field;
            match &field.kind {
                Kind::Choice(choices) => {
                    assert!(choices.iter().any(|choice| choice.value == field.default));
                }
                Kind::Number { least, most } if field.empty.is_none() => {
                    let number: i64 = field.default.parse().expect("a number");
                    assert!((*least..=*most).contains(&number), "{verb:?} {:?}", field.name);
                }
                _ => assert!(field.empty.is_some() || !field.default.is_empty()),
            }
        }
    }
}

#[test]
fn a_thing_that_is_selected_is_what_the_form_and_the_inspector_act_on() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let lock = {
        let run = app.run.as_mut().expect("a run is open");
        let scene = run.scene();
        let locks = scene.brokers.iter().flat_map(|broker| &broker.locks);
        let lock = locks.filter(|lock| &*lock.owner == "c2").map(|lock| lock.queue.clone()).next();
        MarkId::Lock(lock.expect("c2 holds a lock"))
    };
    app.update(Action::Selected(Some(lock)));
    let shown = app.run_shown().expect("a run is shown");
    let verbs = shown.verbs.expect("it has verbs");
    assert_eq!(verbs.target, Target::Client("c2".into()));
    assert!(verbs.verbs.iter().any(|(verb, _)| *verb == Verb::Crash));
    // Key D: the form is about the same.
    let press = rocketmq_playground::app::keys::KeyPress {
        key: "d".into(),
        shift: false,
        ctrl: false,
        alt: false,
        in_field: false,
    };
    app.update(Action::PressedKey(press));
    assert_eq!(app.rail, RailTab::Do);
    assert_eq!(app.fault.target, Some(Target::Client("c2".into())));
    app.update(Action::PressedVerb(Target::Client("c2".into()), Verb::Crash));
    assert_eq!(sentences(&app), ["crash c2"]);
}

#[test]
fn a_consumer_that_is_gone_can_be_started_again_and_has_no_other_verb() {
    let mut app = opened("#/p/minute-of-silence?t=60");
    let c2 = Target::Client("c2".into());
    assert_eq!(fault::verbs_of(&c2, &around(&mut app)), [Verb::Restart]);
    app.update(Action::PressedVerb(c2.clone(), Verb::Restart));
    app.update(Action::MovedPlayhead(f64::MAX));
    complete(&mut app);
    assert_eq!(sentences(&app), ["start c2"]);
    assert!(fault::verbs_of(&c2, &around(&mut app)).contains(&Verb::Crash));
}

/// What a visitor could ask for at the end of a run.
fn commands_at_hand(app: &mut App) -> BTreeSet<&'static str> {
    app.update(Action::MovedPlayhead(f64::MAX));
    complete(app);
    let around = around(app);
    let pairs = everything(&around).into_iter();
    pairs
        .map(|(target, verb)| fault::command(&draft(&target, verb), &around))
        .map(|command| command_name(&command.expect("each verb can be done as it stands")))
        .collect()
}

#[test]
fn every_command_of_the_simulation_is_a_verb_of_something_at_some_time() {
    let mut reached = commands_at_hand(&mut opened("#/p/minute-of-silence?t=40.5"));
    let broker = Target::Broker("broker-a".into(), 0);
    let before = [
        (Target::Client("c1".into()), Verb::Freeze),
        (Target::Client("c1".into()), Verb::PausePulling),
        (broker.clone(), Verb::FreezeBroker),
        (broker, Verb::KillBroker),
        (Target::NameServer, Verb::StopNameServer),
        (Target::Producer("producer".into()), Verb::StopProducer),
    ];
    for (target, verb) in before {
        let mut app = opened("#/p/minute-of-silence?t=40.5");
        app.fault = draft(&target, verb);
        let forever = [(FaultField::Span, String::new())];
        app.fault.values = BTreeMap::from(forever);
        app.update(Action::PressedFault);
        assert_eq!(sentences(&app).len(), 1, "{verb:?}");
        reached.extend(commands_at_hand(&mut app));
    }
    let of_their_own = ["StartConsumer", "StartProducer", "SendMessages"];
    let all = COMMANDS.iter().chain(&of_their_own);
    let missing: Vec<_> = all.filter(|name| !reached.contains(*name)).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
}

#[test]
fn a_producer_that_was_stopped_can_be_started_again() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let producer = || Target::Producer("producer".into());
    assert_eq!(fault::verbs_of(&producer(), &around(&mut app)), [Verb::StopProducer]);
    app.update(Action::PressedVerb(producer(), Verb::StopProducer));
    app.update(Action::MovedPlayhead(f64::MAX));
    complete(&mut app);
    assert_eq!(fault::verbs_of(&producer(), &around(&mut app)), [Verb::StartProducer]);
    app.update(Action::PressedVerb(producer(), Verb::StartProducer));
    app.update(Action::MovedPlayhead(f64::MAX));
    complete(&mut app);
    assert_eq!(sentences(&app), ["stop producer producer", "start producer producer"]);
    assert_eq!(fault::verbs_of(&producer(), &around(&mut app)), [Verb::StopProducer]);
}

#[test]
fn what_tcp_would_not_do_is_asked_for_with_a_word_on_what_it_stands_for() {
    let mut app = opened("#/p/minute-of-silence?t=40.5");
    let around = around(&mut app);
    let link = || Target::Link(Party::Client("c1".into()), Party::Broker("broker-a".into()));
    let asked = [
        (Verb::DoubleRequests, "11", "deliver the next request 11 from c1 to broker-a twice"),
        (Verb::DoubleAnswers, "any", "deliver the next answer of broker-a to c1 twice"),
        (
            Verb::ReorderRequests,
            "any",
            "let the next request from c1 to broker-a be passed by what follows",
        ),
        (
            Verb::ReorderAnswers,
            "41",
            "let the next answer of broker-a to request 41 of c1 be passed by what follows",
        ),
    ];
    for (verb, code, sentence) in asked {
        assert!(fault::verbs_of(&link(), &around).contains(&verb));
        for language in Language::ALL {
            assert!(verb.hint(language).is_some_and(|hint| hint.contains("TCP")));
        }
        app.fault = draft(&link(), verb);
        app.update(Action::FilledField(FaultField::Code, code.to_owned()));
        app.update(Action::PressedFault);
        assert_eq!(sentences(&app), [sentence]);
        app.update(Action::RemovedDeed(0));
    }
}
