//! Words for the states of a message, in both languages.

use super::Entry;

pub const STORED: Entry = Entry {
    is_starred: false,
    class: Some("ConsumeQueue"),
    word: ["stored", "已存储"],
    what_it_is: [
        "It lies in its queue at the broker and has not been pulled yet.",
        "已在 Broker 的队列里，还没有被拉取。",
    ],
    first_use: ["in its queue, not pulled yet", "在队列里，还没被拉取"],
    spellings: [&["stored"], &["已存储"]],
};

pub const WAITING: Entry = Entry {
    is_starred: false,
    class: Some("ProcessQueue.msgTreeMap, ConsumeRequest"),
    word: ["waiting", "待消费"],
    what_it_is: [
        "Pulled and on the shelf; it waits for a free worker.",
        "已拉到本地队列，在等空闲的消费线程。",
    ],
    first_use: ["pulled, waits for a worker", "已拉来，等消费线程"],
    spellings: [&["waiting"], &["待消费"]],
};

pub const RUNNING: Entry = Entry {
    is_starred: false,
    class: Some("ConsumeRequest.run"),
    word: ["running", "消费中"],
    what_it_is: [
        "A worker has called the listener with it, and the listener has not returned yet.",
        "消费线程正在调用监听器处理它，还没返回。",
    ],
    first_use: ["the listener is working on it", "监听器正在处理"],
    spellings: [&["running"], &["消费中"]],
};

pub const DONE: Entry = Entry {
    is_starred: false,
    class: Some("CONSUME_SUCCESS"),
    word: ["done", "成功"],
    what_it_is: [
        "The listener returned success; the message has left the shelf.",
        "监听器返回成功，已移出本地队列。",
    ],
    first_use: ["the listener returned success", "监听器返回成功"],
    spellings: [&["done"], &["成功"]],
};

pub const FAILED: Entry = Entry {
    is_starred: false,
    class: Some("RECONSUME_LATER"),
    word: ["failed", "失败"],
    what_it_is: [
        "The listener returned RECONSUME_LATER or null, or threw an exception.",
        "监听器返回 RECONSUME_LATER 或 null，或抛出异常。",
    ],
    first_use: ["the listener reported failure", "监听器返回失败或异常"],
    spellings: [&["failed", "fails"], &["失败"]],
};

pub const SENT_BACK: Entry = Entry {
    is_starred: false,
    class: Some("sendMessageBack"),
    word: ["sent back", "已发回"],
    what_it_is: [
        "It failed, and the broker stored a copy for a retry; this record counts as done.",
        "失败后 Broker 已另存副本待重试；这一条算处理完。",
    ],
    first_use: ["the broker keeps a copy for later", "Broker 已存副本待重试"],
    spellings: [&["sent back", "sends back", "send back"], &["发回"]],
};

pub const DELAYED: Entry = Entry {
    is_starred: false,
    class: Some("SCHEDULE_TOPIC_XXXX"),
    word: ["delayed", "延迟中"],
    what_it_is: [
        "It waits at the broker, in a delay level, until its time has come.",
        "在 Broker 的延迟级别里等着，到时间再进队列。",
    ],
    first_use: ["waits at the broker until it is due", "在 Broker 等到时间"],
    spellings: [&["delayed"], &["延迟中"]],
};

pub const LOCAL_RETRY: Entry = Entry {
    is_starred: false,
    class: Some("submitConsumeRequestLater"),
    word: ["local retry", "本地重试"],
    what_it_is: [
        "It could not be sent back, so the consumer keeps it and tries again after 5 s.",
        "发不回 Broker，消费者自己留着，5 秒后再消费。",
    ],
    first_use: ["kept here, tried again after 5 s", "留在本地，5 秒后再试"],
    spellings: [&["local retry"], &["本地重试"]],
};

pub const AGAIN: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["2nd time", "第 2 次投递"],
    what_it_is: [
        "The group was given this message before: it is a retry after a failure, or a repeat after a crash.",
        "本组以前收到过这条：失败后的重试，或崩溃等造成的重复。",
    ],
    first_use: ["the group was given it before", "本组以前收到过"],
    spellings: [&["2nd time", "3rd time"], &["次投递"]],
};

pub const DEAD: Entry = Entry {
    is_starred: false,
    class: Some("%DLQ%group"),
    word: ["dead letter", "死信"],
    what_it_is: [
        "All its tries failed; it lies among the dead letters, where nobody reads it.",
        "重试次数用完仍失败，进了死信队列，没有消费者读。",
    ],
    first_use: ["all its tries failed", "每次都失败，不再重试"],
    spellings: [&["dead letter"], &["死信"]],
};

pub const LOST: Entry = Entry {
    is_starred: false,
    class: None,
    word: ["gone with its process", "随进程消失"],
    what_it_is: [
        "It was only in the memory of a process that died; the broker still has it.",
        "原在那个进程的内存里，随它没了；Broker 上那份还在。",
    ],
    first_use: ["the broker still has it", "Broker 上那份还在"],
    spellings: [&["gone with its process"], &["随进程消失"]],
};
