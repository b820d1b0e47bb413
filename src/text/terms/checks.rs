//! Words for the checks, in both languages.

use super::Entry;

pub const NOTHING_LOST: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["nothing lost", "没有丢消息"],
    what_it_is: [
        "Each message that the group wants has come to a listener, or still waits somewhere.",
        "消费者组要的每条消息，都投递过，或还在某处等着。",
    ],
    first_use: ["each message came, or still waits", "每条都到了或还在等"],
    spellings: [&["nothing lost", "nothing is lost"], &["没有丢消息"]],
};

pub const TWICE: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["delivered twice", "重复消费"],
    what_it_is: [
        "A message came to a listener again after a call with it had succeeded or was cut off.",
        "消费成功过、或处理到一半被打断的消息，又投递了一次。",
    ],
    first_use: ["came again after it was done", "做完了又来一次"],
    spellings: [&["delivered twice"], &["重复消费"]],
};

pub const COMMIT_STILL: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["C stands still", "消费位点不动"],
    what_it_is: [
        "C has not moved for 30 s, though there is something to commit.",
        "明明有进度可提交，C 却 30 秒没有动。",
    ],
    first_use: ["C has not moved for 30 s", "C 已 30 秒没有动"],
    spellings: [&["C stands still"], &["消费位点不动"]],
};

pub const SILENT: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["silent queue", "队列没有动静"],
    what_it_is: [
        "Messages have waited in a queue for 30 s, and no listener was called.",
        "队列里有消息，却 30 秒没有监听器处理。",
    ],
    first_use: ["messages wait, nobody works on them", "有消息，却没人处理"],
    spellings: [&["silent queue", "silent"], &["没有动静"]],
};

pub const TWO_OWNERS: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["two owners", "两个消费者同读一队列"],
    what_it_is: [
        "Two consumers of one group read the same queue at the same time.",
        "同一组的两个消费者同时在读一个队列。",
    ],
    first_use: ["two consumers read one queue", "两个消费者读一个队列"],
    spellings: [&["two owners"], &["两个消费者同读一队列"]],
};

pub const AT_LEAST_ONCE: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["at least once", "至少一次"],
    what_it_is: [
        "RocketMQ's aim: every message is delivered, sometimes more than once; your listener must bear repeats.",
        "RocketMQ 的目标：每条至少投递一次，处理代码要经得起重复。",
    ],
    first_use: ["may come again, so expect repeats", "可能重复，要经得起"],
    spellings: [&["at least once"], &["至少一次"]],
};
