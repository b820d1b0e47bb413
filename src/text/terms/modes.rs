//! Words for modes and releases, in both languages.

use super::Entry;

pub const CONCURRENT: Entry = Entry {
    is_starred: false,
    class: Some("MessageListenerConcurrently"),
    word: ["concurrent", "并发消费"],
    what_it_is: [
        "Any free worker takes any message, in no order; a failed one is sent back for later.",
        "多条消息由空闲线程同时处理，不保证顺序；失败的发回，稍后重试。",
    ],
    first_use: ["many at once, no order kept", "多线程同时，不保证顺序"],
    spellings: [&["concurrent", "concurrently"], &["并发消费"]],
};

pub const ORDERLY: Entry = Entry {
    is_starred: false,
    class: Some("MessageListenerOrderly"),
    word: ["orderly", "顺序消费"],
    what_it_is: [
        "Of each queue one message at a time, by one consumer; after a failure the queue waits.",
        "每个队列只由一个消费者逐条处理；失败了就停在这一条。",
    ],
    first_use: ["one queue, one message at a time", "每个队列一次只处理一条"],
    spellings: [&["orderly"], &["顺序消费"]],
};

pub const CLUSTERING: Entry = Entry {
    is_starred: false,
    class: Some("MessageModel.CLUSTERING"),
    word: ["clustering", "集群消费"],
    what_it_is: [
        "The usual way: consumers of a group share the queues, so each message goes to one of them.",
        "默认方式：组内消费者分摊队列，每条消息只给其中一个。",
    ],
    first_use: ["each message goes to one consumer", "每条只给组内一个消费者"],
    spellings: [&["clustering"], &["集群消费"]],
};

pub const BROADCASTING: Entry = Entry {
    is_starred: false,
    class: Some("MessageModel.BROADCASTING"),
    word: ["broadcasting", "广播消费"],
    what_it_is: [
        "Every consumer gets every message and keeps its offsets in its own file; failures are not retried.",
        "每个消费者都收到每条消息，位点存在本机文件里，失败不重试。",
    ],
    first_use: ["every consumer gets every message", "每个消费者都收到每条"],
    spellings: [&["broadcasting"], &["广播消费"]],
};

pub const RELEASE: Entry = Entry {
    is_starred: true,
    class: None,
    word: ["RocketMQ 4.2.0", "RocketMQ 4.2.0"],
    what_it_is: [
        "The version of RocketMQ that this run follows; newer ones behave differently in places.",
        "这次运行依照的 RocketMQ 版本；新版本有些行为不同。",
    ],
    first_use: ["the RocketMQ version shown here", "这里演示的版本"],
    spellings: [
        &["RocketMQ 4.2.0", "RocketMQ 4.9", "RocketMQ 5"],
        &["RocketMQ 4.2.0", "RocketMQ 4.9", "RocketMQ 5"],
    ],
};
