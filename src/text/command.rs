//! A command, as what is asked for.

use std::borrow::Cow;
use std::rc::Rc;

use super::event::Who;
use super::{Language, en_command, zh_command};
use crate::model::listener::ListenerBehavior;
use crate::model::time::Millis;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandText {
    /// One whose number is not known any more.
    Unknown,
    Send {
        count: u32,
        label: Option<Rc<str>>,
    },
    StartProducer {
        client: Rc<str>,
    },
    StopProducer {
        client: Rc<str>,
    },
    StartConsumer {
        client: Rc<str>,
    },
    StopConsumer {
        client: Rc<str>,
    },
    Crash {
        client: Rc<str>,
    },
    LoseHost {
        client: Rc<str>,
    },
    Freeze {
        name: Rc<str>,
        span: Option<Millis>,
    },
    Resume {
        name: Rc<str>,
    },
    Subscribe {
        client: Rc<str>,
        topic: Rc<str>,
        expression: Rc<str>,
    },
    Unsubscribe {
        client: Rc<str>,
        topic: Rc<str>,
    },
    SetListener {
        client: Rc<str>,
        listener: Rc<ListenerBehavior>,
    },
    SetOnInterrupt {
        client: Rc<str>,
    },
    PausePulling {
        client: Rc<str>,
    },
    ResumePulling {
        client: Rc<str>,
    },
    SetProperty {
        client: Rc<str>,
        name: Rc<str>,
        value: i64,
    },
    /// Ahead of the others, or behind them.
    SkewClock {
        client: Rc<str>,
        by: Millis,
        is_ahead: bool,
    },
    SkipHeartbeat {
        client: Rc<str>,
    },
    HalfOpen {
        client: Rc<str>,
    },
    CreateTopic {
        topic: Rc<str>,
        queues: u32,
    },
    UpdateTopic {
        topic: Rc<str>,
        queues: u32,
    },
    StopBroker {
        broker: Rc<str>,
        is_kill: bool,
    },
    StartBroker {
        broker: Rc<str>,
    },
    Writable {
        broker: Rc<str>,
        is_writable: bool,
    },
    SlowStore {
        broker: Rc<str>,
        by: Millis,
    },
    ExpireHead {
        topic: Rc<str>,
        queue_id: u32,
        offset: i64,
    },
    FirstInMemory {
        broker: Rc<str>,
        is_in_memory: bool,
    },
    UpdateGroup {
        group: Rc<str>,
        retry_queues: u32,
    },
    StopNameServer,
    StartNameServer,
    Partition {
        a: Who,
        b: Who,
        is_one_way: bool,
    },
    Heal {
        a: Who,
        b: Who,
    },
    Latency {
        a: Who,
        b: Who,
        from: Millis,
        to: Millis,
    },
    DropNext {
        a: Who,
        b: Who,
        count: u32,
        number: u16,
        only_answers: bool,
    },
    /// Of any code, if there is no number.
    DuplicateNext {
        a: Who,
        b: Who,
        count: u32,
        number: Option<u16>,
        only_answers: bool,
    },
    ReorderNext {
        a: Who,
        b: Who,
        count: u32,
        number: Option<u16>,
        only_answers: bool,
    },
    ResetOffset {
        topic: Rc<str>,
        to: Millis,
    },
    SetOffset {
        topic: Rc<str>,
        queue_id: u32,
        offset: i64,
    },
}

impl CommandText {
    pub fn say(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => en_command::say(self),
            Language::ZhCn => zh_command::say(self),
        }
    }
}
