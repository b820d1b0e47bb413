//! A fact against the scene, the frame that is drawn of it, its twin in words, and the inspector.

use rocketmq_playground::app::App;
use rocketmq_playground::model::ids::{BrokerIndex, ProcessIndex};
use rocketmq_playground::model::message_queue::MessageQueue;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::expect::sample::{Who, broker_label};
use rocketmq_playground::scenario::fact::{ClientState, Fact, PullState, QueueNumber, ShelfNumber};
use rocketmq_playground::scenario::walk::QueueName;
use rocketmq_playground::scene::at_broker::{Broker, Queue};
use rocketmq_playground::scene::at_consumer::{
    Consumer, Postponed, ProcessState, PullPlace, Shelf,
};
use rocketmq_playground::scene::card::{Card, MessageState};
use rocketmq_playground::scene::frame::Frame;
use rocketmq_playground::scene::mark::MarkId;
use rocketmq_playground::scene::scene::Scene;
use rocketmq_playground::scene::twin::twin;
use rocketmq_playground::sim::event::EventKind;
use rocketmq_playground::text::Language;
use rocketmq_playground::text::inspect::InspectWord as W;

/// The page at a stop, as whoever checks a fact looks at it.
pub struct Picture<'a> {
    pub app: &'a mut App,
    scene: Scene,
    frame: Frame,
    twin: String,
    now: Millis,
}

/// What is wrong, in words; nothing if the fact holds everywhere.
type Verdict = Result<(), String>;

impl<'a> Picture<'a> {
    pub fn of(app: &'a mut App) -> Picture<'a> {
        let shown = app.run_shown().expect("a run is shown");
        let now = app.run.as_ref().expect("a run is open").now();
        let twin = twin_text(&shown.scene, now, Language::En);
        let (scene, frame) = ((*shown.scene).clone(), (*shown.frame).clone());
        Picture { app, scene, frame, twin, now }
    }

    pub fn holds(&mut self, fact: &Fact) -> Verdict {
        match fact {
            Fact::Stored { key, queue, offset } => self.stored(key, queue, *offset),
            Fact::Delayed { key, level } => self.delayed(key, *level),
            Fact::Called { key, count } => self.called(key, *count),
            Fact::KeptHere { key } => {
                let kept = |card: &&Card| {
                    &*card.label == key.as_str() && card.state == MessageState::LocalRetry
                };
                let on_shelf = self.scene.consumers.iter().flat_map(|it| &it.shelves);
                let found = on_shelf.flat_map(|shelf| &shelf.cards).find(kept).cloned();
                let card = found.ok_or("no shelf keeps it for a local retry")?;
                self.is_drawn(&MarkId::Copy(card.copy), key)
            }
            Fact::Number { queue, number, value } => self.number(queue, *number, *value),
            Fact::ReadBy { queue, clients } => self.read_by(queue, clients),
            Fact::LockOf { queue, client } => self.lock_of(queue, client.as_deref()),
            Fact::LockEnds { queue, at } => {
                let queue = self.queue_of(queue)?;
                self.inspector(&MarkId::Lock(queue), W::EndsAt, &clock(*at))
            }
            Fact::LockedHere { client, queue, is_locked } => {
                self.locked_here(client, queue, *is_locked)
            }
            Fact::Client { client, state } => self.client_is(client, *state),
            Fact::Broker { broker, is_up } => self.broker_is(broker, *is_up),
            Fact::Pull { client, queue, place } => self.pull_is(client, queue, *place),
            Fact::ShelfHolds { client, queue, keys } => self.shelf_holds(client, queue, keys),
            Fact::ShelfNumber { client, queue, number, value } => {
                self.shelf_number(client, queue, *number, *value)
            }
            Fact::Works { client, key } => self.works(client, key),
            Fact::Busy { client, count } => {
                let consumer = self.consumer(client)?;
                same("busy threads", consumer.workers.busy, *count)?;
                self.twin_says(&count.to_string())?;
                let mark = MarkId::Consumer(consumer.process);
                self.inspector(&mark, W::Busy, &count.to_string())
            }
        }
    }

    fn stored(&mut self, key: &str, name: &QueueName, offset: i64) -> Verdict {
        let queue = self.queue_of(name)?;
        let is_it = |card: &&Card| &*card.label == key && card.offset.0 == offset;
        let brokers = || self.scene.brokers.iter();
        let strips = brokers().flat_map(|broker| broker.queues.iter().chain(&broker.retry_queues));
        let strip = strips.filter(|it| it.queue == queue).flat_map(|it| &it.slots).find(is_it);
        if let Some(card) = strip.cloned() {
            return self.is_drawn(&MarkId::Copy(card.copy), key);
        }
        let pits = brokers().filter_map(|broker| broker.dead_letters.as_ref());
        let pit = pits.filter(|pit| pit.queue == queue).flat_map(|pit| &pit.cards).find(is_it);
        let card = pit.cloned().ok_or_else(|| format!("{name} has no {key} at {offset}"))?;
        self.is_drawn(&MarkId::Copy(card.copy), key)?;
        self.inspector(&MarkId::DeadLetters(queue), W::Messages, key)
    }

    fn delayed(&mut self, key: &str, level: u32) -> Verdict {
        let levels = self.scene.brokers.iter().flat_map(|broker| &broker.levels);
        let mut levels = levels.filter(|it| it.cards.iter().any(|card| &*card.label == key));
        let it = levels.next().ok_or("no level holds it")?;
        same("the level", it.level, level)?;
        let card = it.cards.iter().find(|card| &*card.label == key).cloned().expect("found");
        self.is_drawn(&MarkId::Copy(card.copy), key)?;
        self.twin_says(&format!("level {level}"))?;
        let mark = MarkId::DelayLevel { broker: BrokerIndex(0), level };
        self.inspector(&mark, W::Messages, "1")
    }

    fn called(&mut self, key: &str, count: u32) -> Verdict {
        let run = self.app.run.as_ref().expect("a run is open");
        let stored = run.recording().events().iter().find_map(|event| match &event.kind {
            EventKind::MessageStored { message } => {
                let is_it = message.body.key.as_ref().is_some_and(|of| of.as_str() == key);
                is_it.then_some(message.body.unique_key)
            }
            _ => None,
        });
        let message = MarkId::Message(stored.ok_or("it is never stored")?);
        self.inspector(&message, W::Tries, &count.to_string())
    }

    fn number(&mut self, name: &QueueName, number: QueueNumber, value: Option<i64>) -> Verdict {
        let queue = self.strip(name)?.clone();
        let (found, field) = match number {
            QueueNumber::Min => (Some(queue.min_offset.0), W::MinOffset),
            QueueNumber::Max => (Some(queue.max_offset.0), W::MaxOffset),
            QueueNumber::Committed => (queue.committed.map(|it| it.0), W::CommittedOffset),
            QueueNumber::Unreported => {
                (queue.unreported.as_ref().map(|it| it.offset.0), W::ClientOffset)
            }
            QueueNumber::Pulled => (queue.pull.as_ref().map(|it| it.offset.0), W::PullOffset),
            QueueNumber::Lag => (Some(queue.lag()), W::Lag),
        };
        same(&format!("{number:?} of {name}"), found, value)?;
        let Some(value) = value else { return Ok(()) };
        let mark = MarkId::Queue(queue.queue.clone());
        self.is_drawn(&mark, &value.to_string())?;
        self.twin_says(&value.to_string())?;
        self.inspector(&mark, field, &value.to_string())
    }

    fn read_by(&mut self, name: &QueueName, clients: &[String]) -> Verdict {
        let queue = self.queue_of(name)?;
        let reads =
            |it: &&Consumer| !it.is_gone() && it.pulls.iter().any(|pull| pull.queue == queue);
        let readers: Vec<&Consumer> = self.scene.consumers.iter().filter(reads).collect();
        let mut wanted = Vec::new();
        for client in clients {
            wanted.push(self.consumer(client)?.process);
        }
        let found: Vec<ProcessIndex> = readers.iter().map(|it| it.process).collect();
        same(&format!("readers of {name}"), &found, &wanted)?;
        let is_pullable = !clients.is_empty();
        let strip = self.strip(name)?;
        same("the strip's reader", strip.reader.is_some(), is_pullable)?;
        let says = strip.reader.clone().map_or("nobody".to_owned(), |it| it.to_string());
        self.inspector(&MarkId::Queue(queue), W::Reader, &says)
    }

    fn lock_of(&mut self, name: &QueueName, client: Option<&str>) -> Verdict {
        let queue = self.queue_of(name)?;
        let locks = self.scene.brokers.iter().flat_map(|broker| &broker.locks);
        let owner = locks.filter(|it| it.queue == queue).map(|it| it.owner.to_string()).next();
        let wanted = client.map(|id| self.consumer(id).map(|it| it.label.to_string()));
        let wanted = wanted.transpose()?;
        same("the lock's owner", &owner, &wanted)?;
        let Some(owner) = owner else { return Ok(()) };
        self.inspector(&MarkId::Lock(queue.clone()), W::LockOwner, &owner)?;
        self.is_drawn(&MarkId::Lock(queue), &owner)
    }

    fn locked_here(&mut self, client: &str, name: &QueueName, is_locked: bool) -> Verdict {
        let shelf = self.shelf(client, name)?;
        let belief = shelf.belief.clone().ok_or("it is not orderly")?;
        same("locked here", belief.is_locked, is_locked)?;
        let says = if is_locked { "yes" } else { "no" };
        let process = self.consumer(client)?.process;
        let mark = MarkId::Belief { process, queue: shelf.queue };
        self.inspector(&mark, W::Locked, says)
    }

    fn client_is(&mut self, client: &str, state: ClientState) -> Verdict {
        let consumer = self.consumer(client)?;
        let found = match consumer.state {
            ProcessState::Starting { .. } => ClientState::Starting,
            ProcessState::Running | ProcessState::Stopping => ClientState::Running,
            ProcessState::Stopped { .. } => ClientState::Stopped,
            ProcessState::Crashed { .. } => ClientState::Crashed,
            ProcessState::Frozen { .. } => ClientState::Frozen,
        };
        same("its state", found, state)?;
        let (process, label) = (consumer.process, consumer.label.to_string());
        self.is_drawn(&MarkId::Consumer(process), &label)?;
        self.twin_says(&label)
    }

    fn broker_is(&mut self, name: &str, is_up: bool) -> Verdict {
        let is_it = |it: &&Broker| broker_label(&it.name, it.broker_id) == name;
        let found = self.scene.brokers.iter().find(is_it).cloned();
        let broker = found.ok_or_else(|| format!("no broker {name}"))?;
        same("it runs", broker.is_up, is_up)?;
        let says = if is_up { "up" } else { "down" };
        self.inspector(&MarkId::Broker(broker.index), W::State, says)
    }

    fn pull_is(&mut self, client: &str, name: &QueueName, place: PullState) -> Verdict {
        let queue = self.queue_of(name)?;
        let process = self.consumer(client)?.process;
        let pulls = &self.consumer(client)?.pulls;
        let pull = pulls.iter().find(|it| it.queue == queue).cloned();
        let pull = pull.ok_or_else(|| format!("{client} has no pull of {name}"))?;
        let (found, says) = match &pull.place {
            PullPlace::Bench => (Some(PullState::Held), W::OnBench),
            PullPlace::Away => (Some(PullState::AwaitsAnswer), W::OnWire),
            PullPlace::InPass => (Some(PullState::InRebalance), W::InPass),
            PullPlace::Postponed { reason, .. } => (put_off(*reason), W::PutOff),
            PullPlace::Belt(_) | PullPlace::Seat => (None, W::OnBelt),
        };
        if found != Some(place) {
            return Err(format!("the pull of {name} is {:?}", pull.place));
        }
        let mark = MarkId::Pull { process, queue };
        self.inspector(&mark, W::Place, says.say(Language::En))
    }

    fn shelf_holds(&mut self, client: &str, name: &QueueName, keys: &[String]) -> Verdict {
        let shelf = self.shelf(client, name)?;
        let there = shelf.cards.iter().filter(|card| !card.state.leaves_a_hole());
        let there: Vec<String> = there.map(|card| card.label.to_string()).collect();
        same(&format!("shelf {name} of {client}"), &there[..], keys)?;
        for card in shelf.cards.iter().filter(|card| !card.state.leaves_a_hole()) {
            self.is_drawn(&MarkId::Copy(card.copy.clone()), &card.label)?;
        }
        Ok(())
    }

    fn shelf_number(
        &mut self,
        client: &str,
        name: &QueueName,
        number: ShelfNumber,
        value: i64,
    ) -> Verdict {
        let shelf = self.shelf(client, name)?;
        let process = self.consumer(client)?.process;
        let there = shelf.cards.iter().find(|card| !card.state.leaves_a_hole());
        let (found, field) = match number {
            ShelfNumber::Count => (shelf.count as i64, W::Count),
            ShelfNumber::Span => (shelf.span as i64, W::Span),
            ShelfNumber::Smallest => (there.map_or(-1, |card| card.offset.0), W::FirstKey),
        };
        same(&format!("{number:?} of shelf {name}"), found, value)?;
        let mark = MarkId::Shelf { process, process_queue: shelf.process_queue };
        self.twin_says(&value.to_string())?;
        self.inspector(&mark, field, &value.to_string())
    }

    fn works(&mut self, client: &str, key: &str) -> Verdict {
        let consumer = self.consumer(client)?.clone();
        let holds = |card: &Card| &*card.label == key;
        let seats = &consumer.workers.seats;
        let seat = seats.iter().find(|seat| seat.card.as_ref().is_some_and(holds));
        let seat = seat.ok_or_else(|| format!("no thread of {client} has {key}"))?;
        let mark = MarkId::Worker { process: consumer.process, index: seat.index };
        self.is_drawn(&mark, key)?;
        self.twin_says(key)?;
        self.inspector(&mark, W::Message, key)
    }

    fn queue_of(&self, name: &QueueName) -> Result<MessageQueue, String> {
        let run = self.app.run.as_ref().expect("a run is open");
        let world = run.recording().head().world();
        let mut brokers = world.brokers.iter();
        let broker = brokers.find(|broker| broker.topic_config.contains_key(&name.topic));
        let broker = broker.ok_or_else(|| format!("no broker has {name}"))?;
        Ok(MessageQueue::new(name.topic.clone(), broker.name.clone(), name.queue_id))
    }

    fn strip(&self, name: &QueueName) -> Result<&Queue, String> {
        let queue = self.queue_of(name)?;
        let brokers = self.scene.brokers.iter();
        let mut strips =
            brokers.flat_map(|broker| broker.queues.iter().chain(&broker.retry_queues));
        strips.find(|it| it.queue == queue).ok_or_else(|| format!("{name} is not on the stage"))
    }

    /// Of several processes of one id the last.
    fn consumer(&self, id: &str) -> Result<&Consumer, String> {
        let world = self.app.run.as_ref().expect("a run is open").recording().head().world();
        let is_it = |it: &&Consumer| Who::of(world, it.process).is(id);
        let found = self.scene.consumers.iter().rfind(is_it);
        found.ok_or_else(|| format!("{id} is not on the stage"))
    }

    /// Not one that was given up, if there is another.
    fn shelf(&self, client: &str, name: &QueueName) -> Result<Shelf, String> {
        let queue = self.queue_of(name)?;
        let shelves = self.consumer(client)?.shelves.iter().filter(|it| it.queue == queue);
        let found = shelves.min_by_key(|it| it.is_dropped);
        found.cloned().ok_or_else(|| format!("{client} has no shelf of {name}"))
    }

    /// The frame has the thing, and its name or its words say so.
    fn is_drawn(&self, mark: &MarkId, says: &str) -> Verdict {
        let drawn = self.frame.marks.iter().filter(|it| it.id.as_ref() == Some(mark));
        let mut words: Vec<String> = Vec::new();
        for it in drawn {
            words.push(it.name.clone());
            words.extend(it.words().map(str::to_owned));
        }
        if words.iter().any(|it| says_so(it, says)) {
            return Ok(());
        }
        Err(format!("drawn is {mark:?} with {words:?}, without “{says}”"))
    }

    fn twin_says(&self, says: &str) -> Verdict {
        let is_said = says_so(&self.twin, says);
        if is_said {
            Ok(())
        } else {
            Err(format!("the twin does not say “{says}”:\n{}", self.twin))
        }
    }

    fn inspector(&mut self, mark: &MarkId, field: W, says: &str) -> Verdict {
        let run = self.app.run.as_mut().expect("a run is open");
        let before = run.selected.replace(mark.clone());
        let told = run.inspect(false);
        run.selected = before;
        let told = told.ok_or_else(|| format!("the inspector has no {mark:?}"))?;
        let is_field = |it: rocketmq_playground::text::inspect::Field| {
            it == rocketmq_playground::text::inspect::Field::Word(field)
        };
        let row = told.told.numbers.iter().find(|row| is_field(row.field));
        let row = row.ok_or_else(|| format!("the inspector of {mark:?} has no {field:?}"))?;
        let found = row.value.say(Language::En, self.now);
        if says_so(&found, says) {
            return Ok(());
        }
        Err(format!("the inspector says {field:?} {found}, not {says}"))
    }
}

fn put_off(reason: Postponed) -> Option<PullState> {
    match reason {
        Postponed::Count => Some(PullState::PutOffCount),
        Postponed::Span => Some(PullState::PutOffSpan),
        Postponed::NotLocked => Some(PullState::PutOffNotLocked),
        Postponed::Error => Some(PullState::PutOffError),
        Postponed::Size | Postponed::Paused | Postponed::NoSubscription | Postponed::Interval => {
            None
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Verdict {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}")) }
}

/// As a word of its own: 1 is not in 17.
fn says_so(text: &str, word: &str) -> bool {
    let is_part = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let is_begun = word.starts_with(|sign: char| sign.is_ascii_alphanumeric());
        let before = is_begun && is_part(text[..at].chars().next_back());
        !before && !is_part(text[at + word.len()..].chars().next())
    })
}

pub fn clock(at: Millis) -> String {
    format!("{}:{:02}", at.ms() / 60_000, at.ms() / 1_000 % 60)
}

pub fn twin_text(scene: &Scene, now: Millis, language: Language) -> String {
    let sections = twin(scene, now, language).into_iter();
    let all = sections.map(|it| format!("{}\n  {}", it.heading, it.lines.join("\n  ")));
    all.collect::<Vec<_>>().join("\n")
}
