//! Who waits, for what, until when, in English.

use super::Language::En;
use super::en_event::{put_off, times};
use super::event::EventText;
use super::format::clock;
use super::wait::{WaitFor, WaitText};

#[expect(clippy::too_many_lines, reason = "a table of one sentence for each variant")]
pub fn say(text: &WaitText) -> String {
    use WaitFor as W;
    let who = text.who.say(En);
    let due = clock(text.due);
    match &text.what {
        W::Delay { label, failures: 0, level } => {
            format!(
                "{label} is sent with a delay: {who} holds it at delay level {level} until {due}"
            )
        }
        W::Delay { label, failures, level } => {
            let times = times(*failures);
            format!("{label} failed {times}: {who} holds it at delay level {level} until {due}")
        }
        W::DelayAtDownBroker { label, level } => {
            format!(
                "{label} waits at delay level {level}, due at {due}; but only a master hands delayed messages on: it stays until {who} runs again"
            )
        }
        W::LevelLook { level } => format!("{who} looks at delay level {level} again at {due}"),
        W::Listener { label, place } => {
            format!("the listener of {who} is working on {label} ({place}) and returns at {due}")
        }
        W::ListenerEnd => format!("{who} waits for its listeners until {due}"),
        W::ReportOffsets => {
            format!("{who} reports its offsets at {due}; until then C stands still")
        }
        W::ReportOffsetsInVain => {
            format!(
                "{who} tries to report its offsets at {due}; while no broker runs, they reach nobody"
            )
        }
        W::Rebalance => format!("{who} rebalances again at {due}"),
        W::FirstPull => format!("{who} begins to pull its new queues at {due}"),
        W::PutOff { queue, why } => {
            let queue = queue.as_ref().map_or(String::new(), |queue| format!(" of {queue}"));
            format!("{who} tries the pull{queue} again at {due}: {}", put_off(*why))
        }
        W::PullInterval => format!("{who} pulls again at {due} (pullInterval)"),
        W::HeldPulls => format!("{who} looks through the held pulls at {due}"),
        W::LocalRetry { label } => {
            format!("{label} could not be sent back: {who} tries it again at {due}")
        }
        W::Suspended { queue: Some(queue) } => {
            format!("{who} lets {queue} rest until {due}, then tries the same message again")
        }
        W::Suspended { queue: None } => format!("{who} tries the same message again at {due}"),
        W::RenewLocks => format!("{who} renews its locks at {due}"),
        W::LockLater => format!("{who} asks for the lock again at {due}"),
        W::UnlockLater => format!("{who} gives the lock back at {due}"),
        W::ConsumeLock => format!("{who} waits for the running listener until {due} at most"),
        W::Answer { code } => {
            let (number, name) = (code.number, code.name);
            format!(
                "{who} waits for the answer to request {number} {name}, usually one round trip; it gives up at {due}"
            )
        }
        W::Heartbeat => format!("{who} sends its next heartbeat at {due}"),
        W::Routes => format!("{who} asks for its routes again at {due}"),
        W::RegisterBroker => format!("{who} registers with the NameServer again at {due}"),
        W::SilentClients => format!("{who} looks for silent clients at {due}"),
        W::SilentConnection => {
            format!("{who} closes a connection at {due} if nothing comes before")
        }
        W::SilentBrokers => format!("{who} looks for silent brokers at {due}"),
        W::CopyMaster => format!("{who} copies its master's offsets at {due}"),
        W::SaveOffsets => format!("{who} writes consumerOffset.json at {due}"),
        W::SaveDelays => format!("{who} writes delayOffset.json at {due}"),
        W::Dispatch => format!("{who} builds the consume queue entries at {due}"),
        W::SlowStore => format!("the store of {who} is slow: the message is stored at {due}"),
        W::RepairOffset => format!("{who} mends the illegal offset at {due}"),
        W::ResetOffset => format!("{who} goes on with the reset offsets at {due}"),
        W::CleanExpired => format!("{who} looks for messages past consumeTimeout at {due}"),
        W::NextSend { label: Some(label) } => {
            format!("nothing is due before {who} sends {label} at {due}")
        }
        W::NextSend { label: None } => {
            format!("nothing is due before {who} sends the next message at {due}")
        }
        W::StartUp => format!("{who} starts its threads until {due}"),
        W::Resume => format!("{who} stays frozen until {due}"),
        W::ThreadPool => format!("{who} looks at its thread pool at {due}"),
        W::Packet { code: Some(code) } => {
            format!("{} {} is on its way to {who} until {due}", code.number, code.name)
        }
        W::Packet { code: None } => format!("a packet is on its way to {who} until {due}"),
        W::Command { what: Some(what) } => {
            let what = EventText::Asked(what.clone());
            format!("nothing is due before {due}; then {who}: {}", what.say(En))
        }
        W::Command { what: None } => format!("nothing is due before {due}"),
        W::Nothing => format!("nothing but heartbeats and idle pulls until {due}"),
    }
}
