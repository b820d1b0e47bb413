//! Faults and operators' acts in English.

use std::borrow::Cow;

use super::fault::{FaultField, FaultText, FaultWord, Verb, named};

pub const fn verb(verb: Verb) -> &'static str {
    use Verb as V;
    match verb {
        V::Crash => "Crash",
        V::LoseHost => "Lose the host",
        V::Stop => "Stop",
        V::Freeze => "Freeze…",
        V::Resume => "Let it go on",
        V::Restart => "Start again",
        V::Twin => "Twin with the same client id",
        V::Another => "Start another",
        V::Unsubscribe => "Unsubscribe…",
        V::Subscribe => "Subscribe…",
        V::Listener => "Listener…",
        V::OnInterrupt => "When interrupted…",
        V::PausePulling => "Pause pulling",
        V::ResumePulling => "Resume pulling",
        V::SetProperty => "Change a property…",
        V::SkewClock => "Skew its clock…",
        V::HalfOpen => "Half-open reconnect",
        V::SkipHeartbeat => "Skip a heartbeat",
        V::StopProducer => "Stop",
        V::StartProducer => "Start",
        V::StopBroker => "Stop",
        V::KillBroker => "Kill…",
        V::StartBroker => "Start",
        V::FreezeBroker => "Freeze…",
        V::ResumeBroker => "Let it go on",
        V::ForbidWrites => "Forbid writes",
        V::AllowWrites => "Allow writes",
        V::SlowStore => "Slow store…",
        V::SetBrokerProperty => "Change a property…",
        V::CreateTopic => "Create a topic…",
        V::FirstOnDisk => "First messages only on disk",
        V::FirstInMemory => "First messages in memory",
        V::SendHere => "Send here",
        V::AddQueues => "Number of queues…",
        V::ExpireHead => "Delete the oldest…",
        V::SetOffset => "Set C…",
        V::StopNameServer => "Stop",
        V::StartNameServer => "Start",
        V::CutBothWays => "Cut both ways",
        V::CutOneWay => "Cut one way",
        V::Heal => "Mend",
        V::Latency => "Latency…",
        V::LoseRequests => "Lose requests…",
        V::LoseAnswers => "Lose only answers…",
        V::DoubleRequests => "Double requests…",
        V::DoubleAnswers => "Double answers…",
        V::ReorderRequests => "Reorder requests…",
        V::ReorderAnswers => "Reorder answers…",
        V::ResetOffset => "Reset offsets to a moment…",
        V::RetryQueues => "Retry queues…",
    }
}

pub const fn hint(verb: Verb) -> Option<&'static str> {
    use Verb as V;
    Some(match verb {
        V::DoubleRequests | V::DoubleAnswers => {
            "TCP repeats nothing. This stands for a proxy or a retrying layer in between that sends once more."
        }
        V::ReorderRequests | V::ReorderAnswers => {
            "One TCP connection keeps order. This stands for the broker's thread pools, a client's threads, or \
             several connections. Each is passed by the one behind it."
        }
        V::RetryQueues => {
            "With 0, a failed message that is sent back is answered SUCCESS and stored nowhere."
        }
        _ => return None,
    })
}

pub const fn field(field: FaultField) -> &'static str {
    use FaultField as F;
    match field {
        F::Span => "For",
        F::From => "At least",
        F::To => "At most",
        F::Count => "How many",
        F::Code => "Request",
        F::Key => "Message key",
        F::Result => "It",
        F::Times => "So often",
        F::Takes => "Takes",
        F::Acked => "Done of a batch",
        F::Topic => "Topic",
        F::Expression => "Tags",
        F::Interrupt => "It",
        F::Property => "Property",
        F::Value => "Value",
        F::Skew => "Ahead by",
        F::LostTail => "Records lost",
        F::Queues => "Queues",
        F::Offset => "Offset",
        F::Moment => "Moment",
        F::Later => "Second comes after",
        F::LaterAtMost => "… or up to",
        F::HeldAtMost => "Held at most",
    }
}

pub const fn word(word: FaultWord) -> &'static str {
    use FaultWord as W;
    match word {
        W::Title => "Faults and operators",
        W::Target => "Of what",
        W::Act => "Do it",
        W::Choose => "Choose what it is about",
        W::GroupClients => "Consumers",
        W::GroupProducers => "Producers",
        W::GroupBrokers => "Brokers",
        W::GroupQueues => "Queues",
        W::GroupLinks => "Links",
        W::GroupOthers => "Others",
        W::NameServer => "NameServer",
        W::Remove => "Remove",
        W::Success => "succeeds",
        W::Later => "RECONSUME_LATER / SUSPEND",
        W::Throws => "throws",
        W::Null => "returns null",
        W::Never => "never returns",
        W::Commit => "COMMIT (orderly)",
        W::Rollback => "ROLLBACK (orderly)",
        W::Ignores => "goes on",
        W::EndsEarly => "ends early",
        W::Succeeds => "ends and succeeds",
        W::Fails => "ends and fails",
        W::AllMessages => "empty: all messages",
        W::AllOfBatch => "empty: the whole batch",
        W::ForeverHint => "empty: until it is undone",
        W::AnyRequest => "any",
        W::LaterHint => "empty: exactly so long",
        W::More => "More…",
    }
}

pub fn say(text: &FaultText) -> Cow<'static, str> {
    use FaultText as T;
    Cow::Owned(match text {
        T::Link { a, b } => format!("{a} ↔ {b}"),
        T::Slave { broker } => format!("{broker}, slave"),
        T::Group { group } => format!("group {group}"),
        T::Gone { client } => format!("{client} (gone)"),
        T::Removed { sentence } => format!("Removed: {sentence}."),
        T::RemoveThis { sentence } => format!("Remove: {sentence}"),
        T::KeepOwnScript { keys } => format!(
            "Carrying a script of their own, and keeping it: {}. To change one, write its key here.",
            named(keys, ", ")
        ),
        T::Missing { field } => format!("“{}” is empty.", self::field(*field)),
        T::NotASpan { field, found } => format!(
            "“{}” is “{found}”; a time with its unit is wanted, such as 250ms, 12.5s or 1m30s.",
            self::field(*field)
        ),
        T::NotANumber { field, found } => {
            format!("“{}” is “{found}”; a whole number is wanted.", self::field(*field))
        }
        T::OutOfRange { field, least, most } => {
            format!("“{}” must be from {least} to {most}.", self::field(*field))
        }
        T::FromAfterTo => "“At least” is more than “At most”.".to_owned(),
        T::UnknownChoice { field, found } => {
            format!("“{}” has no choice “{found}” any more.", self::field(*field))
        }
        T::NothingToActOn => "It is not there any more at this moment.".to_owned(),
    })
}
