//! How long the recorded listeners took.
//!
//! A listener is the user's code. What it returns follows from what it was told (`act`); how long it takes
//! on a busy machine is neither told nor RocketMQ's to decide: `begin` and `consumed` show it. Ours takes as
//! long for the same message and call, and never less than it was told: a call that was interrupted ended
//! early, and that is to be predicted.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::act::Act;
use super::view::View;
use crate::model::ids::MessageKey;
use crate::model::listener::ListenerScript;
use crate::model::time::Millis;

/// The scripts of the messages for which a life's listener took longer than it was told.
pub fn scripts(
    view: &View<'_>,
    life: usize,
    told: &BTreeMap<Rc<str>, Act>,
) -> Vec<(MessageKey, ListenerScript)> {
    let pause = view.lives[life].starting.sleep;
    let mut took: BTreeMap<&Rc<str>, Vec<Millis>> = BTreeMap::new();
    for it in view.consumptions.iter().filter(|it| it.life == life) {
        // How a batch's time falls on its messages is not told.
        let end = it.end.as_ref().filter(|_| it.batch == 1);
        let end = end.map_or(it.begin.at, |(place, _)| place.at);
        took.entry(&it.delivery.key).or_default().push(end - it.begin.at);
    }
    let longer = took.into_iter().filter_map(|(key, took)| {
        let told = told.get(key).copied().unwrap_or(Act::Ok).script();
        let script = stretched(&told, pause, &took)?;
        Some((MessageKey::new(key), script))
    });
    longer.collect()
}

/// What was told, each call as long as it took; `None` if none took longer.
fn stretched(told: &ListenerScript, pause: Millis, took: &[Millis]) -> Option<ListenerScript> {
    let calls = took.len().max(told.steps().len() - 1);
    let mut is_longer = false;
    let mut steps = (0..=calls).map(|nth| {
        let step = told.step(nth as u32);
        match took.get(nth) {
            Some(took) if *took > pause + step.takes => {
                is_longer = true;
                step.taking(*took - pause)
            }
            _ => step,
        }
    });
    let first = steps.next()?;
    let rest = steps.collect::<Vec<_>>();
    is_longer.then(|| ListenerScript::new(first, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(script: &ListenerScript) -> Vec<u64> {
        script.steps().iter().map(|step| step.takes.ms()).collect()
    }

    #[test]
    fn a_call_takes_as_long_as_recorded_and_no_less_than_told() {
        let told = Act::SleepFail(Millis::new(50)).script();
        let took = [Millis::new(57), Millis::ZERO, Millis::new(3)];
        let script = stretched(&told, Millis::ZERO, &took).expect("it took longer");
        assert_eq!(takes(&script), [57, 0, 3, 0]);
        assert!(script.steps().iter().all(|step| step.result == told.step(0).result));
        assert_eq!(stretched(&told, Millis::ZERO, &[Millis::new(20)]), None);
        let paused = stretched(&Act::Ok.script(), Millis::new(100), &[Millis::new(104)]);
        assert_eq!(takes(&paused.expect("it took longer")), [4, 0]);
    }
}
