//! From a world to a scene: what there is at one moment, as one group sees it.
//!
//! `Scene::of` is the only rule by which pictures come about. What moves is the difference of two
//! successive scenes, by the stable ids of marks and tokens (`motion`); so a picture cannot drift away
//! from the world, whether one played up to it, stepped or started there.

mod broker;
mod calls;
mod company;
mod consumer;
mod errands;
mod followed;
mod hands;
mod journey;
mod producer;
mod pulls;
mod queue;
mod rebalance;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::errands::Errands;
pub use self::followed::Placed;
use self::hands::Hands;
pub use self::journey::{Attempt, End, Step, StepKind, journey, queue_of};
use self::pulls::Pulls;
use super::at_consumer::Consumer;
use super::card::{Card, MessageState};
use super::cast::Cast;
use super::journal::Past;
use super::mark::MarkId;
use super::scene::{NameServer, RealDelivery, Scene};
use crate::model::consume_queue::ConsumeQueueEntry;
use crate::model::ids::{GroupName, ProcessIndex, QueueId, UniqueKey};
use crate::model::message::StoredMessage;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;
use crate::model::topic::schedule_topic;
use crate::sim::Simulation;
use crate::sim::broker::Broker;
use crate::sim::event::{Event, EventSequence};
use crate::sim::world::World;

/// Real deliveries that a scene holds.
const REAL: usize = 32;

/// With whose eyes the world is seen, and what is followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaze {
    /// `None`: the group of the first consumer.
    pub group: Option<GroupName>,
    pub followed: Option<MarkId>,
}

/// What was in a process when it died, by process.
pub type Remains = BTreeMap<ProcessIndex, Rc<Consumer>>;

/// All that a scene is a function of.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    pub simulation: &'a Simulation,
    /// The past up to the event that is told.
    pub past: Past<'a>,
    /// That event. The world is as it was at the end of its task.
    pub event: Option<&'a Event>,
    /// From this event on things are fresh: lost packets and new allocations are shown.
    pub fresh_from: EventSequence,
    pub gaze: &'a Gaze,
    pub remains: &'a Remains,
    /// The deliveries of a recording of the real RocketMQ, oldest first.
    pub real: &'a [RealDelivery],
}

/// What the builders of a scene look at.
struct Eye<'a> {
    sight: Sight<'a>,
    world: &'a World,
    past: Past<'a>,
    now: Millis,
    group: Option<GroupName>,
    cast: Cast,
    errands: Errands<'a>,
    hands: Hands<'a>,
    pulls: Pulls<'a>,
    /// Of each broker, what waits at each delay level.
    delayed: Vec<Vec<Vec<&'a ConsumeQueueEntry>>>,
}

impl<'a> Eye<'a> {
    fn new(sight: Sight<'a>) -> Eye<'a> {
        let world = sight.simulation.world();
        let group = group_of(world, sight.gaze);
        let errands = Errands::of(sight.simulation);
        let hands = Hands::of(world, group.as_ref(), &errands);
        let pulls = Pulls::of(world, group.as_ref(), &errands);
        Eye {
            sight,
            world,
            past: sight.past,
            now: sight.simulation.now(),
            group,
            cast: Cast::of(world),
            errands,
            hands,
            pulls,
            delayed: world.brokers.iter().map(delayed).collect(),
        }
    }

    /// The last few that have come by now.
    fn real_deliveries(&self) -> Vec<RealDelivery> {
        let come = self.sight.real.partition_point(|it| it.at <= self.now);
        self.sight.real[come.saturating_sub(REAL)..come].to_vec()
    }

    /// A record as it is drawn.
    fn card(&self, record: &StoredMessage, state: MessageState, failures: i32) -> Card {
        let key = record.body.unique_key;
        Card {
            copy: record.message_id(),
            unique_key: key,
            label: self.past.label(record),
            offset: record.queue_offset,
            state,
            failures: u32::try_from(failures).unwrap_or(0),
            deliveries: self.past.deliveries(key, self.group.as_ref()),
        }
    }
}

/// What waits at each level of the schedule topic, front first.
fn delayed(broker: &Broker) -> Vec<Vec<&ConsumeQueueEntry>> {
    let topic = schedule_topic();
    let levels = (0..).zip(&broker.schedule_message.levels);
    levels
        .map(|(id, level)| {
            let Some(log) = broker.find_consume_queue(&topic, QueueId(id)) else {
                return Vec::new();
            };
            let waiting = level.offset.0..log.max_offset().0;
            waiting.filter_map(|offset| log.get(QueueOffset(offset))).collect()
        })
        .collect()
}

/// The group whose eyes we look through.
pub fn group_of(world: &World, gaze: &Gaze) -> Option<GroupName> {
    let first = || world.clients.iter().find_map(|client| client.consumers.keys().next());
    gaze.group.as_ref().or_else(first).cloned()
}

impl Scene {
    /// The picture of one moment. Costs some 50 µs.
    pub fn of(sight: Sight<'_>) -> Scene {
        let eye = Eye::new(sight);
        let mut scene = Scene {
            group: eye.group.clone(),
            name_servers: vec![NameServer {
                index: 0,
                is_up: eye.world.is_name_server_up,
                topics: eye.world.name_server.topic_queue_table.len() as u32,
            }],
            producers: eye.producers(),
            brokers: eye.brokers(),
            calls: eye.calls(),
            cuts: eye.cuts(),
            consumers: eye.consumers(),
            followed: None,
            company: eye.company(),
            real_deliveries: eye.real_deliveries(),
        };
        scene.followed = eye.followed(&scene);
        scene
    }
}

/// The steps of a message, and the stations among them that are told.
pub fn way_of(sight: Sight<'_>, key: UniqueKey) -> (Vec<Step>, Vec<Placed>) {
    let eye = Eye::new(sight);
    let steps = journey(sight.past, key, eye.group.as_ref());
    let stations = eye.stations(&steps);
    (steps, stations)
}

/// What a process holds, for when it is gone.
pub fn remains_of(sight: Sight<'_>, process: ProcessIndex) -> Option<Consumer> {
    Eye::new(sight).consumer_in(process)
}
