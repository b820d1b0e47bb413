//! A trace seen as lives, deliveries, ownership, commits and calls: what the comparison asks for.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::starting::Starting;
use super::trace::{Delivery, Header, Place, RpcAnswer, RpcFields, StoredCopy, Trace, Word};
use crate::model::ids::{QueueId, TopicName};
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::{dlq_topic, retry_topic};

/// One queue of the run's one broker.
pub type Queue = (TopicName, QueueId);

/// How a life ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `shutdown()`, by the system's signal.
    Stopped,
    Killed,
    /// The recording was over.
    RunOver,
}

/// One consumer process from `starting` to its end.
#[derive(Clone, Debug)]
pub struct Life {
    pub client: Rc<str>,
    /// How many lives of the same name came before.
    pub nth: usize,
    pub starting: Starting,
    pub starting_at: Place,
    pub started: Option<Place>,
    pub end: Option<(Place, End)>,
    /// Its `ProcessQueue` table, at each change.
    pub assigned: Vec<(Place, BTreeMap<TopicName, Vec<QueueId>>)>,
    pub calls: Vec<Call>,
}

impl Life {
    pub fn name(&self) -> String {
        match self.nth {
            0 => self.client.to_string(),
            nth => format!("{} (start {})", self.client, nth + 1),
        }
    }

    pub fn end_at(&self) -> Millis {
        self.end.map_or(Millis::MAX, |(place, _)| place.at)
    }

    /// The queues that it owned at a moment, as last told.
    pub fn owned_at(&self, at: Millis) -> Option<&BTreeMap<TopicName, Vec<QueueId>>> {
        let told = self.assigned.iter().take_while(|(place, _)| place.at <= at).last();
        told.map(|(_, queues)| queues)
    }

    /// The spans in which it owned a queue.
    pub fn ownerships(&self, queue: &Queue) -> Vec<(Millis, Millis)> {
        let mut spans = Vec::new();
        let mut since = None;
        for (place, queues) in &self.assigned {
            let owns = queues.get(&queue.0).is_some_and(|ids| ids.contains(&queue.1));
            match (owns, since) {
                (true, None) => since = Some(place.at),
                (false, Some(from)) => {
                    spans.push((from, place.at));
                    since = None;
                }
                _ => {}
            }
        }
        if let Some(from) = since {
            spans.push((from, self.end_at()));
        }
        spans
    }

    /// Whether the trace holds this life's requests of that code.
    pub fn records(&self, code: &str) -> bool {
        self.starting.records(code)
    }
}

/// A request that a client sent, or received from the broker, with its answer if that is told.
#[derive(Clone, Debug)]
pub struct Call {
    pub place: Place,
    pub code: Rc<str>,
    pub fields: RpcFields,
    pub answer: Option<(Place, RpcAnswer)>,
}

impl Call {
    pub fn queue(&self) -> Option<Queue> {
        Some((self.fields.topic.clone()?, self.fields.queue_id?))
    }
}

/// One call of a listener for one message.
#[derive(Clone, Debug)]
pub struct Consumption {
    pub delivery: Delivery,
    /// The place of its life in [`View::lives`].
    pub life: usize,
    pub begin: Place,
    pub born: Millis,
    pub store: Millis,
    /// When it ended and how; `None` if that is not told (a kill, the end of the run).
    pub end: Option<(Place, Rc<str>)>,
    /// Of how many messages its call was, if the end is told.
    pub batch: u32,
}

impl Consumption {
    pub fn queue(&self) -> Queue {
        (self.delivery.topic.clone(), self.delivery.queue_id)
    }

    /// The stored record that was delivered.
    pub fn record(&self) -> (Queue, QueueOffset) {
        (self.queue(), self.delivery.queue_offset)
    }

    pub fn succeeded(&self) -> bool {
        self.end.as_ref().is_some_and(|(_, result)| result.ends_with("SUCCESS"))
    }
}

/// A commit as the broker had it, from a moment on.
pub type Commits = BTreeMap<Queue, Vec<(Place, QueueOffset)>>;

#[derive(Debug)]
pub struct View<'a> {
    pub trace: &'a Trace,
    pub lives: Vec<Life>,
    pub consumptions: Vec<Consumption>,
    pub commits: Commits,
    /// maxOffset of the retry and the dead letter queue, at each change.
    pub system_max: BTreeMap<TopicName, Vec<(Place, QueueOffset)>>,
    pub stored: Vec<(Place, StoredCopy)>,
    pub retry_topic: TopicName,
    pub dlq_topic: TopicName,
}

/// Whether a stored copy belongs to the run; the schedule topic is shared with other runs.
pub fn is_own(header: &Header, copy: &StoredCopy) -> bool {
    let own = |topic: &str| {
        topic == header.topic.as_str()
            || header.topic2.as_ref().is_some_and(|other| topic == other.as_str())
            || topic == retry_topic(&header.group).as_str()
            || topic == dlq_topic(&header.group).as_str()
    };
    own(copy.topic.as_str()) || copy.properties.get("REAL_TOPIC").is_some_and(|topic| own(topic))
}

impl<'a> View<'a> {
    pub fn of(trace: &'a Trace) -> View<'a> {
        let mut view = View {
            trace,
            lives: Vec::new(),
            consumptions: Vec::new(),
            commits: Commits::new(),
            system_max: BTreeMap::new(),
            stored: Vec::new(),
            retry_topic: retry_topic(&trace.header.group),
            dlq_topic: dlq_topic(&trace.header.group),
        };
        for line in &trace.lines {
            view.take(line.place(), &line.word);
        }
        view
    }

    fn take(&mut self, place: Place, word: &Word) {
        match word {
            Word::Starting(starting) => self.start(place, starting),
            Word::Started { client, .. } => {
                if let Some(life) = self.life_mut(client) {
                    life.started = Some(place);
                }
            }
            Word::Kill9 { client } => self.end(client, place, End::Killed),
            Word::SigTerm { client } => self.end(client, place, End::Stopped),
            Word::HarnessEnd { client } => self.end(client, place, End::RunOver),
            Word::Assign { client, queues } => {
                if let Some(life) = self.life_mut(client) {
                    life.assigned.push((place, queues.clone()));
                }
            }
            Word::Rpc { client, code, fields } => {
                if let Some(life) = self.life_mut(client) {
                    let (code, fields) = (code.clone(), (**fields).clone());
                    life.calls.push(Call { place, code, fields, answer: None });
                }
            }
            Word::RpcReturned { client, code, answer } => self.answer(client, place, code, answer),
            Word::Begin { delivery, born, store } => {
                if let Some(life) = self.life_index(&delivery.client) {
                    self.consumptions.push(Consumption {
                        delivery: delivery.clone(),
                        life,
                        begin: place,
                        born: *born,
                        store: *store,
                        end: None,
                        batch: 1,
                    });
                }
            }
            Word::Consumed { delivery, result, batch } => {
                self.consumed(place, delivery, result, *batch);
            }
            Word::Sample(sample) => self.sample(place, sample),
            Word::Stored(copy) if is_own(&self.trace.header, copy) => {
                self.stored.push((place, (**copy).clone()));
            }
            _ => {}
        }
    }

    fn start(&mut self, place: Place, starting: &Starting) {
        let client = starting.client.clone();
        let nth = self.lives.iter().filter(|life| life.client == client).count();
        self.lives.push(Life {
            client,
            nth,
            starting: starting.clone(),
            starting_at: place,
            started: None,
            end: None,
            assigned: Vec::new(),
            calls: Vec::new(),
        });
    }

    fn end(&mut self, client: &str, place: Place, end: End) {
        if let Some(life) = self.life_mut(client)
            && life.end.is_none()
        {
            life.end = Some((place, end));
        }
    }

    fn answer(&mut self, client: &str, place: Place, code: &Rc<str>, answer: &RpcAnswer) {
        let Some(life) = self.life_mut(client) else { return };
        let waits = |call: &&mut Call| call.code == *code && call.answer.is_none();
        if let Some(call) = life.calls.iter_mut().find(waits) {
            call.answer = Some((place, answer.clone()));
        }
    }

    fn consumed(&mut self, place: Place, delivery: &Delivery, result: &Rc<str>, batch: u32) {
        let is_it = |consumption: &&mut Consumption| {
            consumption.end.is_none() && consumption.delivery == *delivery
        };
        // Most ends come soon after their begin, so the search goes backwards.
        if let Some(consumption) = self.consumptions.iter_mut().rev().find(is_it) {
            consumption.end = Some((place, result.clone()));
            consumption.batch = batch;
        }
    }

    fn sample(&mut self, place: Place, sample: &super::trace::Sample) {
        let topic = self.trace.header.topic.clone();
        for (retry, commits) in [(false, &sample.commit), (true, &sample.retry_commit)] {
            for (&queue_id, &offset) in commits {
                let topic = if retry { &self.retry_topic } else { &topic };
                let changes = self.commits.entry((topic.clone(), queue_id)).or_default();
                if changes.last().is_none_or(|(_, last)| *last != offset) {
                    changes.push((place, offset));
                }
            }
        }
        let system = [
            (self.retry_topic.clone(), sample.retry_max),
            (self.dlq_topic.clone(), sample.dlq_max),
        ];
        for (topic, max) in system {
            let changes = self.system_max.entry(topic).or_default();
            if changes.last().is_none_or(|(_, last)| *last != max) {
                changes.push((place, max));
            }
        }
    }

    /// The newest life of that name.
    fn life_index(&self, client: &str) -> Option<usize> {
        self.lives.iter().rposition(|life| &*life.client == client)
    }

    fn life_mut(&mut self, client: &str) -> Option<&mut Life> {
        let index = self.life_index(client)?;
        self.lives.get_mut(index)
    }

    /// The life of that name and number.
    pub fn life(&self, client: &str, nth: usize) -> Option<&Life> {
        self.lives.iter().find(|life| &*life.client == client && life.nth == nth)
    }

    /// The moments at which the group's membership was made to change, in order.
    pub fn membership_changes(&self) -> Vec<Place> {
        let starts = self.lives.iter().filter_map(|life| life.started);
        let ends = self.lives.iter().filter_map(|life| life.end);
        let ends = ends.filter(|(_, end)| *end != End::RunOver).map(|(place, _)| place);
        let mut changes = starts.chain(ends).collect::<Vec<_>>();
        changes.sort();
        changes
    }

    /// When the recording began to end its consumers; what follows is the runner's haste.
    pub fn over(&self) -> Millis {
        let ends = self.lives.iter().filter_map(|life| life.end);
        let over = ends.filter(|(_, end)| *end == End::RunOver).map(|(place, _)| place.at).min();
        over.unwrap_or(self.trace.end())
    }

    /// The last offset of a queue that was ever delivered.
    pub fn furthest(&self, queue: &Queue) -> QueueOffset {
        let begun = self.consumptions.iter().filter(|it| it.queue() == *queue);
        begun.map(|it| it.delivery.queue_offset).max().unwrap_or(QueueOffset::NONE)
    }

    /// Whether a queue was still being worked off when the run ended.
    pub fn is_under_way(&self, queue: &Queue) -> bool {
        let begun = self.consumptions.iter().filter(|it| it.queue() == *queue);
        let last = begun.map(|it| it.begin.at).max();
        last.is_some_and(|last| last + Millis::new(1_000) >= self.over())
    }

    /// All queues of the run's topics that anyone ever owned.
    pub fn queues(&self) -> Vec<Queue> {
        let mut queues = Vec::new();
        for life in &self.lives {
            for (_, assigned) in &life.assigned {
                for (topic, ids) in assigned {
                    queues.extend(ids.iter().map(|&id| (topic.clone(), id)));
                }
            }
        }
        queues.sort();
        queues.dedup();
        queues
    }

    pub fn is_retry(&self, topic: &TopicName) -> bool {
        *topic == self.retry_topic
    }
}
