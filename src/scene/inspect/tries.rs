//! Which try of a message runs, and what follows if it fails, where that is not the usual way back by the
//! broker: in order the same again, and without a broker in the client itself.

use super::Desk;
use crate::model::ids::{BrokerName, ProcessIndex, UniqueKey};
use crate::model::message_queue::MessageQueue;
use crate::scene::at_consumer::{Consumer, Shelf};
use crate::scene::card::{Label, MessageState};
use crate::text::inspect::{AfterFailure, InspectText};

impl Desk<'_> {
    /// Calls of the listener with it up to now, the running one too.
    pub(super) fn tries(&self, key: UniqueKey) -> u32 {
        self.sight.past.deliveries(key, self.scene.group.as_ref())
    }

    pub(super) fn why_running(
        &self,
        process: ProcessIndex,
        queue: Option<&MessageQueue>,
        key: UniqueKey,
    ) -> InspectText {
        let then = queue.map_or(AfterFailure::Usual, |queue| self.after_failure(process, queue));
        let process = self.narrator.cast().process(process);
        InspectText::WhyRunning { process, nth: self.tries(key), then }
    }

    /// C stands at the first card of the shelf.
    pub(super) fn why_pinned(&self, owner: &Consumer, shelf: &Shelf) -> Option<InspectText> {
        let first = shelf.cards.first()?;
        let tries = self.tries(first.unique_key);
        let nth = (first.state == MessageState::Running && tries > 1).then_some(tries);
        let then = match nth {
            Some(_) => self.after_failure(owner.process, &shelf.queue),
            None => AfterFailure::Usual,
        };
        let (offset, label) = (first.offset.0, first.label.clone());
        Some(InspectText::WhyPinned { offset, label, nth, then })
    }

    fn after_failure(&self, process: ProcessIndex, queue: &MessageQueue) -> AfterFailure {
        let usual = AfterFailure::Usual;
        let client = self.sight.simulation.world().clients.get(process.0 as usize);
        let group = self.scene.group.as_ref();
        let consumer = client.and_then(|client| client.consumers.get(group?));
        let Some(consumer) = consumer.filter(|it| it.is_clustering()) else { return usual };
        if consumer.is_orderly() {
            let profile = self.sight.simulation.engine().profile;
            let most = u32::try_from(consumer.max_reconsume_times(profile)).ok();
            return AfterFailure::SameAgain {
                queue: self.queue_label(queue),
                rest: consumer.config.suspend_current_queue_time,
                tries: most.filter(|most| *most < 1_000_000).map(|most| most + 1),
            };
        }
        match self.down(&queue.broker_name) {
            Some(broker) => {
                AfterFailure::Locally { process: self.narrator.cast().process(process), broker }
            }
            None => usual,
        }
    }

    /// The master of this name, if it does not run.
    fn down(&self, name: &BrokerName) -> Option<Label> {
        let mut brokers = self.scene.brokers.iter();
        let master = brokers.find(|it| it.name == *name && it.broker_id == 0)?;
        (!master.is_up).then(|| master.label())
    }
}
